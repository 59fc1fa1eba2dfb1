import { type Kysely, type Migration, sql } from 'kysely';

/** What evaluations of specs came to. Their runs are kept and erased as all others are; these are counts. */
export const evaluations: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

const statements = [
  `create table evaluations (
    id text collate "C" primary key,
    spec_id text collate "C" not null,
    schema_version text collate "C" not null,
    prompt_version text collate "C" not null,
    tenant text not null,
    truth_set text collate "C" not null,
    ended_at int8 not null,
    evaluation jsonb not null
  )`,
  `create index evaluations_of_version on evaluations
    (spec_id, schema_version, prompt_version, ended_at, id)`,
];
