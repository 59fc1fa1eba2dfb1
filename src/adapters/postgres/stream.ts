import { type Expression, type Kysely, sql, type Transaction } from 'kysely';
import type { Tables } from './tables.js';

/** Rows fetched at once: about a megabyte of records. */
const partRows = 500;

/** The rows of a query in parts, all as they were when the first was asked for. */
export function streamed<Row>(
  db: Kysely<Tables>,
  query: Expression<Row>,
): AsyncGenerator<readonly Row[], void> {
  return inSnapshot(db, (transaction) => streamedIn(transaction, query));
}

/**
 * What `read` finds in one snapshot. Holds one connection until the last part was read or the reader stops. Between two
 * parts a reader may take its time: whoever it writes to may be slow.
 */
export async function* inSnapshot<Part>(
  db: Kysely<Tables>,
  read: (transaction: Transaction<Tables>) => AsyncIterable<Part>,
): AsyncGenerator<Part, void> {
  const transaction = await db
    .startTransaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute();
  try {
    await sql`set local idle_in_transaction_session_timeout = '10min'`.execute(transaction);
    yield* read(transaction);
  } finally {
    // Nothing was written. Where the connection broke, the read that noticed says so.
    await transaction
      .rollback()
      .execute()
      .catch(() => undefined);
  }
}

/** The rows of a query in parts, as they are when the first is asked for: one query after the other. */
export async function* streamedIn<Row>(
  transaction: Transaction<Tables>,
  query: Expression<Row>,
): AsyncGenerator<readonly Row[], void> {
  await sql`declare streamed no scroll cursor for ${query}`.execute(transaction);
  for (;;) {
    const { rows } = await sql<Row>`fetch ${sql.lit(partRows)} from streamed`.execute(transaction);
    if (rows.length > 0) yield rows;
    if (rows.length < partRows) break;
  }
  await sql`close streamed`.execute(transaction);
}
