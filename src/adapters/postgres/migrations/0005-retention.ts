import { type Kysely, type Migration, sql } from 'kysely';

/** Erasing documents, and how long each tenant's are kept. */
export const retention: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

const statements = [
  // What a run came to stays; what its document said is gone since. Nothing is added to such a run.
  'alter table extractions add column erased_at int8',
  'create index extractions_of_document on extractions (tenant, document_hash)',
  'alter table review_tasks add column erased_at int8',

  // A document is as old as its last submission.
  'create index documents_oldest on documents (tenant, stored_at, hash)',
  `create table retention (
    tenant text collate "C" primary key,
    document_days int not null check (document_days > 0),
    record_days int check (record_days >= document_days),
    set_at int8 not null
  )`,
];
