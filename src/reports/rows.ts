import type { Money } from '../domain/money.js';

/** One attempt of a document, in the order in which they were made. */
export interface AttemptRow {
  readonly accepted: boolean;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly tokens: number;
  readonly cost: Money;
}

/** One run of a document. `endedAt` null: it is still open. */
export interface DocumentRow {
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly attempts: readonly AttemptRow[];
}

/** Verified records that a person looked at, and how many of them were wrong. */
export interface AuditTally {
  readonly decided: number;
  readonly defects: number;
}

/** The attempt number that verified a document; null when none has. */
export function verifiedBy({ attempts }: DocumentRow): number | null {
  const at = attempts.findIndex(({ accepted }) => accepted);
  return at < 0 ? null : at + 1;
}
