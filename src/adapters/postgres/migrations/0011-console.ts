import { type Kysely, type Migration, sql } from 'kysely';

/** Ways in for the console: what it filters lists by, and the newest of what it is told about. */
export const consolePages: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

const statements = [
  'create index extractions_of_prompt on extractions (prompt_version, started_at, key, run)',
  'create index extractions_of_class on extractions (failure_class, started_at, key, run) where failure_class is not null',
  'create index extractions_of_route on extractions (route, started_at, key, run) where route is not null',
  'create index extractions_of_outcome on extractions (outcome, started_at, key, run) where outcome is not null',
  'create index extractions_closed on extractions (closed_at) where closed_at is not null',
  'create index extractions_closed_of_tenant on extractions (tenant, closed_at) where closed_at is not null',
  'create index review_events_newest on review_events (number)',
  'create index review_events_newest_of_tenant on review_events (tenant, number)',
  'create index dead_letters_taken on dead_letters (taken_at) where taken_at is not null',
  'create index dead_letters_taken_of_tenant on dead_letters (tenant, taken_at) where taken_at is not null',
];
