import { type Kysely, type Migration, sql } from 'kysely';

/** Samples of verified records that people check, and what they found. */
export const audits: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

const statements = [
  `create table audits (
    id text collate "C" primary key,
    seed int8 not null,
    size int not null check (size > 0),
    filter jsonb not null,
    drawn_at int8 not null
  )`,
  'create index audits_newest on audits (drawn_at, id)',

  `create table audit_items (
    audit text collate "C" not null references audits,
    place int not null,
    key text collate "C" not null,
    run int not null,
    primary key (audit, place),
    foreign key (key, run) references extractions
  )`,
  'create index audit_items_of_key on audit_items (key, run)',

  // A record that several samples hold is judged once.
  `create table audit_verdicts (
    key text collate "C" not null,
    run int not null,
    verdict text not null check (verdict in ('right', 'wrong')),
    actor text not null,
    at int8 not null,
    primary key (key, run),
    foreign key (key, run) references extractions
  )`,
];
