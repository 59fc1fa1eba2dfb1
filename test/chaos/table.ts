import type { Audited } from './audit.js';

/** One fault and what it did. */
export interface Told {
  readonly fault: string;
  readonly documents: number;
  readonly audited: Audited;
}

/** What every fault did, as a table of counts with one line a fault. */
export function tableOf(told: readonly Told[]): string {
  const width = Math.max(...told.map(({ fault }) => fault.length));
  const line = (fault: string, ...cells: readonly (string | number)[]) =>
    `${fault.padEnd(width)}  ${cells.map((cell) => String(cell).padStart(10)).join('')}`;
  return [
    line('fault', 'documents', 'lost', 'duplicated', 'stuck', 'verified', 'unverified', 'cancelled', 'open'),
    ...told.map(({ fault, documents, audited: { lost, duplicated, stuck, balance } }) => {
      const unverified = Object.values(balance.routes).reduce((sum, count) => sum + count, 0);
      const { verified, cancelled, open } = balance;
      return line(
        fault,
        documents,
        lost.length,
        duplicated.length,
        stuck.length,
        verified,
        unverified,
        cancelled,
        open,
      );
    }),
  ].join('\n');
}
