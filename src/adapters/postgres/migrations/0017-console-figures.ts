import { type Kysely, type Migration, sql } from 'kysely';

/** What the console shows beside runs: breakers by worker, how the cap of a batch came down, runs by attempts. */
export const consoleFigures: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

const statements = [
  // A row for each worker and model: as many as the fleet is large.
  `create table breakers (
    worker text collate "C" not null,
    model text collate "C" not null,
    provider text not null,
    state text not null check (state in ('closed', 'open', 'half_open')),
    since int8 not null,
    cause text,
    next_probe_at int8,
    changed_at int8 not null,
    seen_at int8 not null,
    primary key (worker, model)
  )`,

  // Only changes: it begins with the cap of the batch's policy.
  `create table batch_caps (
    batch_id text collate "C" not null references batches on delete cascade,
    at int8 not null,
    cap int not null check (cap >= 0),
    primary key (batch_id, at)
  )`,

  // Most runs need one attempt: those are found without it.
  'create index extractions_of_attempts on extractions (attempts, started_at, key, run) where attempts > 1',
];
