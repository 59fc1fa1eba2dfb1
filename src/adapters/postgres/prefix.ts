/** Below this a prefix says too little to stand for one thing. */
const shortestPrefix = 8;

/** Bounds of all texts that start with `prefix`, for a column that compares by bytes. */
export function prefixRange(prefix: string): { readonly from: string; readonly to: string } {
  return { from: prefix, to: `${prefix}\u{10FFFF}` };
}

/** Of at most two rows that start with `given`: the exact one, else the only one, else none. */
export function theOne<Row>(rows: readonly Row[], given: string, name: (row: Row) => string): Row | null {
  const exact = rows.find((row) => name(row) === given);
  if (exact !== undefined) return exact;
  return rows.length === 1 && given.length >= shortestPrefix ? (rows[0] ?? null) : null;
}
