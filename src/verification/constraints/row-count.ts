import type { Constraint } from '../constraint.js';
import { toDecimal, toText } from '../decimal-text.js';
import { get } from '../pointer.js';

export interface PrintedRowCount {
  readonly id?: string;
  readonly version?: number;
  /** Pointer of the list. */
  readonly items: string;
  /** Pointer of the count the document prints; `not_printed` and `blank` compare with nothing. */
  readonly count: string;
}

/** The list has as many rows as the document says it prints. Dropped rows that sum up to zero are caught by this only. */
export function printedRowCount(options: PrintedRowCount): Constraint<unknown> {
  const { id = 'line-count-as-printed', version = 1, items, count } = options;
  return {
    id,
    version,
    made: {
      by: 'printedRowCount',
      options,
      takes: ['id', 'version', 'items', 'count'],
      names: [
        { option: 'items', written: items, role: 'list' },
        { option: 'count', written: count, role: 'number' },
      ],
    },
    says: `${items} has at least one row, and as many as ${count} where the document prints a count`,
    repairable: true,
    noticesLostRows: true,
    check(record) {
      const list = get(record, items);
      const rows = Array.isArray(list) ? list.length : 0;
      const printed = toDecimal(get(record, count));
      const expected = printed === null ? null : toText(printed);
      if (rows > 0 && (expected === null || expected === String(rows))) return [];
      return [
        {
          pointer: items,
          message: 'Rows are missing or too many: every row of the document must be listed, once.',
          expected: expected === null ? 'at least 1 row' : `${expected} rows`,
          found: `${rows} rows`,
        },
      ];
    },
  };
}
