import type { Audited } from './audit.js';

/** One fault and what it did. */
export interface Told {
  readonly fault: string;
  readonly documents: number;
  readonly audited: Audited;
  /** From the first document handed in to the last one ended. */
  readonly seconds: number;
}

/** What every fault did, as a table of counts with one line a fault. */
export function tableOf(told: readonly Told[]): string {
  const width = Math.max(...told.map(({ fault }) => fault.length));
  const line = (fault: string, ...cells: readonly (string | number)[]) =>
    `${fault.padEnd(width)} ${cells.map((cell) => String(cell).padStart(11)).join('')}`;
  return [
    line(
      'fault',
      'documents',
      'lost',
      'duplicated',
      'stuck',
      'verified',
      'unverified',
      'cancelled',
      'open',
      'seconds',
    ),
    ...told.map(({ fault, documents, seconds, audited: { lost, duplicated, stuck, balance } }) => {
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
        seconds,
      );
    }),
  ].join('\n');
}
