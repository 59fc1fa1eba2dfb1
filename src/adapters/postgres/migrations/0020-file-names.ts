import { type Kysely, type Migration, sql } from 'kysely';

/** Documents are looked for by what they are called. */
export const fileNames: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql
      .raw(
        // Compared byte by byte, so that names that begin alike stand beside each other.
        `create index extractions_of_file on extractions (lower(file_name) collate "C", started_at, key, run)
          where file_name is not null`,
      )
      .execute(db);
  },
};
