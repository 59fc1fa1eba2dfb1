import { type Kysely, type Migration, sql } from 'kysely';

/** Folds of whole days (UTC), each the sum of those of its hours, and forgotten with any of them. */
export const dayFolds: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

const statements = [
  `create table day_folds (
    selection text collate "C" not null,
    version int not null,
    day int8 not null,
    fold text not null,
    primary key (selection, version, day)
  )`,
  'create index day_folds_of_day on day_folds (day)',

  // As in 0019. Whoever keeps the fold of a day holds the locks of all its hours.
  `create or replace function forget_folds(began int8) returns void language plpgsql as $$
    declare
      its_hour int8 := began - began % 3600000;
    begin
      perform pg_advisory_xact_lock_shared(hashtext('endstop folds'), (its_hour / 3600000 % 1024)::int4);
      delete from hour_folds where hour = its_hour;
      delete from day_folds where day = began - began % 86400000;
    end $$`,
];
