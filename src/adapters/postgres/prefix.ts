import { type RawBuilder, sql } from 'kysely';

/** Below this a prefix says too little to stand for one thing. */
const shortestPrefix = 8;

/**
 * How a statement ends that asks for `theOne`: the first two rows whose `column`, which compares by bytes, begins with
 * `given`. `then` orders rows that share a name, of which `distinct on` takes the first.
 */
export function beginningWith(column: string, given: string, then: RawBuilder<unknown> = sql``) {
  const name = sql.ref(column);
  return sql`${name} >= ${given} and ${name} < ${`${given}\u{10FFFF}`} order by ${name}${then} limit 2`;
}

/** Of the rows that `beginningWith` found: the exact one, else the only one, else none. */
export function theOne<Row>(rows: readonly Row[], given: string, name: (row: Row) => string): Row | null {
  const exact = rows.find((row) => name(row) === given);
  if (exact !== undefined) return exact;
  return rows.length === 1 && given.length >= shortestPrefix ? (rows[0] ?? null) : null;
}
