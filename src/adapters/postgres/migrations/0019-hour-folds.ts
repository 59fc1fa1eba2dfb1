import { type Kysely, type Migration, sql } from 'kysely';

/** What the overview's measures hold of whole hours, and what forgets it when anything of such an hour changes. */
export const hourFolds: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

const statements = [
  // Counts and durations only. The hour is that in which runs began; the selection is which runs of it were measured.
  `create table hour_folds (
    selection text collate "C" not null,
    version int not null,
    hour int8 not null,
    fold text not null,
    primary key (selection, version, hour)
  )`,
  'create index hour_folds_of_hour on hour_folds (hour)',

  // Whoever keeps a fold holds this lock alone from before it reads the runs until its fold is committed. So whoever
  // changes something gets the lock before (and is read, or keeps the fold from being kept), or after, and finds the fold
  // to delete. A transaction takes a thousand locks at most, however many hours it touches.
  `create function forget_folds(began int8) returns void language plpgsql as $$
    declare
      its_hour int8 := began - began % 3600000;
    begin
      perform pg_advisory_xact_lock_shared(hashtext('endstop folds'), (its_hour / 3600000 % 1024)::int4);
      delete from hour_folds where hour = its_hour;
    end $$`,
  `create function run_changed() returns trigger language plpgsql as $$
    begin
      if tg_op <> 'INSERT' then
        perform forget_folds(old.started_at);
      end if;
      if tg_op = 'INSERT' or tg_op = 'UPDATE' and new.started_at <> old.started_at then
        perform forget_folds(new.started_at);
      end if;
      return null;
    end $$`,
  `create function part_of_run_changed() returns trigger language plpgsql as $$
    declare
      changed record := case when tg_op = 'DELETE' then old else new end;
    begin
      perform forget_folds(e.started_at) from extractions e where e.key = changed.key and e.run = changed.run;
      return null;
    end $$`,
  // At the commit, when a transaction has all its other locks, so that two never wait for one another here.
  ...['extractions', 'attempts', 'calls'].map(
    (table) => `create constraint trigger ${table}_forget_folds after insert or update or delete on ${table}
      deferrable initially deferred for each row
      execute function ${table === 'extractions' ? 'run_changed' : 'part_of_run_changed'}()`,
  ),
];
