import type { FailureClass } from '../domain/failure-class.js';
import type { Money } from '../domain/money.js';
import type { Reason } from '../domain/reason.js';
import type { RouteName } from '../domain/route.js';

/** A call that was seen to end. */
export type OnWire = readonly [from: number, to: number];

/** One attempt that brought a reply, in the order in which they were made. Money and tokens are those of all its calls. */
export interface AttemptRow {
  readonly accepted: boolean;
  /** Null when it was accepted. */
  readonly failureClass: FailureClass | null;
  /** Ids of the rules that its candidate broke. */
  readonly rules: readonly string[];
  /** When its first call began, and when its report was stored. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** How long its last call took: what the estimate foretells. */
  readonly durationMs: number;
  /** How long its calls took together, without the pauses between them: what a slot is held for. */
  readonly busyMs: number;
  readonly onWire: readonly OnWire[];
  readonly calls: number;
  readonly failedCalls: number;
  readonly tokens: number;
  readonly cost: Money;
  readonly maxTokens: number;
  /** As the provider counted them in its last call; null when it did not. */
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
}

/** A last attempt whose calls brought no reply: the deadline came first, or the provider never answered. */
export interface UnansweredRow {
  readonly startedAt: number;
  /** Of those calls that were seen to end. */
  readonly busyMs: number;
  readonly onWire: readonly OnWire[];
  /** When its last call began, if nobody saw that one end: it was on the wire when the run ended, or is still. */
  readonly onWireSince: number | null;
  readonly calls: number;
  readonly failedCalls: number;
  readonly tokens: number;
  readonly cost: Money;
}

/** One run of a document. `endedAt` null: it is still open. */
export interface DocumentRow {
  readonly specId: string;
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly deadlineAt: number;
  /** The attempt cap it began under. */
  readonly attemptCap: number;
  /** Null for a verified run and for one that is open. */
  readonly reason: Reason | null;
  readonly route: RouteName | null;
  readonly attempts: readonly AttemptRow[];
  readonly unanswered: UnansweredRow | null;
}

/** Verified records that a person looked at, and how many of them were wrong. */
export interface AuditTally {
  readonly decided: number;
  readonly defects: number;
}

/** Verdicts by spec, and by the attempt that verified the record, from 1 at index 0. What is missing was not checked. */
export type AuditsBySpec = ReadonlyMap<string, readonly AuditTally[]>;

/** The attempt number that verified a document; null when none has. */
export function verifiedBy({ attempts }: DocumentRow): number | null {
  const at = attempts.findIndex(({ accepted }) => accepted);
  return at < 0 ? null : at + 1;
}

/** Attempt `attempt` of a document, answered or not; null when it was not made. */
export function madeAttempt(
  { attempts, unanswered }: DocumentRow,
  attempt: number,
): AttemptRow | UnansweredRow | null {
  return attempts[attempt - 1] ?? (attempt === attempts.length + 1 ? unanswered : null);
}

/** How long calls of this attempt held a slot, as seen at `now`: one that was cut off, until its run's deadline at most. */
export function busyMsOf(
  made: AttemptRow | UnansweredRow,
  { endedAt, deadlineAt }: DocumentRow,
  now: number,
): number {
  const since = 'onWireSince' in made ? made.onWireSince : null;
  if (since === null) return made.busyMs;
  return made.busyMs + Math.max(0, Math.min(endedAt ?? now, deadlineAt) - since);
}

/** Attempts made, answered or not. */
export function attemptsMade({ attempts, unanswered }: DocumentRow): number {
  return attempts.length + (unanswered === null ? 0 : 1);
}
