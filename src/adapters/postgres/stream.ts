import { type Expression, type Kysely, sql } from 'kysely';
import type { Tables } from './tables.js';

/** Rows fetched at once: about a megabyte of records. */
const partRows = 500;

/**
 * The rows of a query in parts, all as they were when the first was asked for. Holds one connection until the last was
 * read or the reader stops. Between two parts a reader may take its time: whoever it writes to may be slow.
 */
export async function* streamed<Row>(
  db: Kysely<Tables>,
  query: Expression<Row>,
): AsyncGenerator<readonly Row[], void> {
  const transaction = await db
    .startTransaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute();
  try {
    await sql`set local idle_in_transaction_session_timeout = '10min'`.execute(transaction);
    await sql`declare streamed no scroll cursor for ${query}`.execute(transaction);
    for (;;) {
      const { rows } = await sql<Row>`fetch ${sql.lit(partRows)} from streamed`.execute(transaction);
      if (rows.length > 0) yield rows;
      if (rows.length < partRows) return;
    }
  } finally {
    // Nothing was written. Where the connection broke, the read that noticed says so.
    await transaction
      .rollback()
      .execute()
      .catch(() => undefined);
  }
}
