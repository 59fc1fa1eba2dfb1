import { type Kysely, type Migration, sql } from 'kysely';

/** Who answered, paused repairs, and what each tenant may use. */
export const capacity: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

const statements = [
  // The worker knows which server it asks; what a submitter is configured for says nothing about that.
  'alter table calls add column provider text',
  'alter table extractions alter column provider drop not null',

  // One row each time an operator pauses or resumes repairs: of one spec, or of all (null). The newest of each holds.
  `create table repair_switches (
    number int8 generated always as identity primary key,
    spec_id text collate "C",
    paused boolean not null,
    actor text not null,
    reason text,
    at int8 not null
  )`,
  'create index repair_switches_newest on repair_switches (spec_id, number)',
  `alter table permits add column denied_because text check (denied_because in ('budget', 'paused'))`,
  'create index permits_denied on permits (spec_id, at) where not granted',

  // What a tenant may have open and may submit; a tenant without a row has the limits of the configuration.
  `create table tenant_limits (
    tenant text collate "C" primary key,
    most_open int check (most_open > 0),
    per_second numeric check (per_second > 0),
    set_at int8 not null
  )`,
  // When the submissions so far will have been paid for, at the tenant's rate; in ms of the database's own clock.
  `create table tenant_rates (
    tenant text collate "C" primary key,
    due_at float8 not null
  )`,
  `create index extractions_open_of_tenant on extractions (tenant) where state = 'open'`,
  'create index calls_of_tenant on calls (tenant, started_at)',
];
