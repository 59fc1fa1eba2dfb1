import { type Kysely, type Migration, sql } from 'kysely';

/**
 * The oldest code that still works with this schema, by the name of its last migration. Migrations only add, so that old
 * and new processes can share a database during a deploy; one that takes something away raises the floor, a release after
 * nothing uses that any more.
 */
export const schemaFloor: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

const statements = [
  `create table schema_floor (
    is_only boolean primary key default true check (is_only),
    oldest text collate "C" not null
  )`,
  `insert into schema_floor (oldest) values ('0001-foundation')`,
];
