import { type Kysely, type Migration, sql } from 'kysely';

/** Documents whose bytes lie in object storage. */
export const objectStorage: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

const statements = [
  'alter table documents alter column bytes drop not null',
  'alter table documents add column object_key text collate "C"',
  `alter table documents add constraint documents_lie_in_one_place
    check (num_nonnulls(bytes, object_key) = 1) not valid`,
  'alter table documents validate constraint documents_lie_in_one_place',

  // Objects that no document names: uploads under way, until "due_at" at most, and those of erased documents.
  `create table loose_objects (
    object_key text collate "C" primary key,
    due_at int8 not null
  )`,
  'create index loose_objects_due on loose_objects (due_at, object_key)',

  // By the transaction that erases: no object outlives its document unnoticed, whoever deletes the row.
  `create function endstop_loosen_object() returns trigger language plpgsql as $$
  begin
    insert into loose_objects (object_key, due_at) values (old.object_key, 0) on conflict do nothing;
    return null;
  end $$`,
  `create trigger documents_loosen after delete on documents
    for each row when (old.object_key is not null) execute function endstop_loosen_object()`,
];
