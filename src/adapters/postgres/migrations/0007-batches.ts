import { type Kysely, type Migration, sql } from 'kysely';

/** Batches, and which documents they hold. */
export const batches: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

const statements = [
  `create table batches (
    id text collate "C" primary key,
    tenant text collate "C" not null,
    name text,
    spec_id text collate "C" not null,
    schema_version text collate "C" not null,
    prompt_version text collate "C" not null,
    policy jsonb not null,
    tags text[] not null,
    redrive boolean not null,
    in_flight int not null check (in_flight > 0),
    budget_tokens int8 check (budget_tokens > 0),
    deadline_ms int8 check (deadline_ms > 0),
    state text not null check (state in ('collecting', 'running', 'stopping', 'cancelled', 'finished')),
    cap int not null check (cap >= 0),
    documents int,
    at int8 not null,
    began_at int8,
    deadline_at int8,
    ended_at int8
  )`,
  'create index batches_newest on batches (at, id)',
  'create index batches_newest_of_tenant on batches (tenant, at, id)',

  // In which order documents of batches were seen to have ended.
  'create sequence batch_endings',
  `create table batch_documents (
    batch_id text collate "C" not null references batches on delete cascade,
    item text collate "C" not null,
    position int8 generated always as identity,
    key text collate "C" not null,
    subject text collate "C" not null,
    document_hash text collate "C" not null,
    file_name text,
    tags text[] not null,
    state text not null default 'waiting' check (state in ('waiting', 'starting', 'running', 'ended')),
    part text check (part in ('own', 'followed', 'known', 'repeated', 'refused')),
    run int,
    outcome text check (outcome in ('verified', 'unverified')),
    reason text,
    attempts int not null default 0,
    tokens int8 not null default 0,
    ended int8,
    primary key (batch_id, item)
  )`,
  'create index batch_documents_in_order on batch_documents (batch_id, position)',
  `create index batch_documents_waiting on batch_documents (batch_id, position) where state = 'waiting'`,
  `create index batch_documents_under_way on batch_documents (batch_id) where state in ('starting', 'running')`,
  `create index batch_documents_ended on batch_documents (batch_id, ended) where ended is not null`,
  'create index batch_documents_of_document on batch_documents (document_hash)',
];
