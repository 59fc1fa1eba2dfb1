import { type Kysely, type Migration, sql } from 'kysely';

/** Keys of the API, the trail of what people change, and requests that are answered once. */
export const api: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

const statements = [
  // Rows stay: the trail names them. The secret is nowhere, only its hash.
  `create table api_keys (
    key_id text collate "C" primary key,
    name text not null,
    tenant text collate "C",
    roles text[] not null check (cardinality(roles) > 0 and roles <@ array['submit', 'read', 'review', 'operate']),
    hash text not null,
    created_at int8 not null,
    revoked_at int8,
    last_used_at int8,
    check (tenant is not null or 'operate' = any (roles))
  )`,
  'create unique index api_keys_active on api_keys (name) where revoked_at is null',

  // Who changed what, and when: references only, so that an erasure has nothing to take here.
  `create table trail (
    entry_id int8 generated always as identity primary key,
    key_id text collate "C" not null,
    actor text not null,
    action text not null,
    subject text collate "C" not null,
    tenant text collate "C",
    request_id text,
    at int8 not null
  )`,
  'create index trail_newest on trail (at, entry_id)',
  'create index trail_of_tenant on trail (tenant, at, entry_id)',
  'create index trail_of_subject on trail (subject, at, entry_id)',

  // What a request led to, for as long as it may be sent again. `answer` holds references, never a document's words.
  `create table idempotency_keys (
    scope text collate "C" not null,
    key text collate "C" not null,
    fingerprint text not null,
    locked_until int8,
    answer jsonb,
    at int8 not null,
    primary key (scope, key),
    check ((locked_until is null) = (answer is not null))
  )`,
  'create index idempotency_keys_oldest on idempotency_keys (at)',
];
