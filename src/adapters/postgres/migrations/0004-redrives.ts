import { type Kysely, type Migration, sql } from 'kysely';

/** What a redriven letter led to, and the ways in for redrives and for the reconciler. */
export const redrives: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

const statements = [
  `alter table dead_letters
    add column redriven_key text collate "C",
    add column redriven_run int,
    add column taken_at int8`,
  // Of letters that were taken before, the newest later run of the subject is as good as known to be theirs.
  `update dead_letters d set redriven_key = later.key, redriven_run = later.run
    from (
      select distinct on (d.key) d.key as letter, e.key, e.run
      from dead_letters d join extractions e on e.subject = d.subject and e.started_at >= d.at
      where d.state <> 'parked' order by d.key, e.started_at desc
    ) later
    where d.key = later.letter`,
  "update dead_letters set taken_at = at where state = 'redriven'",
  `create index dead_letters_unsettled on dead_letters (taken_at, key)
    where state = 'redriven' and taken_at is not null`,
  // Few at any time, among all that ever ran.
  `create index extractions_open on extractions (started_at, key, run) where state = 'open'`,
  `create index extractions_kept_apart on extractions (closed_at) where route in ('fallback', 'best_effort')`,
  `create index extractions_of_batch_by_ending on extractions (batch_id, state, outcome, reason)
    where batch_id is not null`,
];
