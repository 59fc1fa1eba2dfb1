import type { AttemptResult } from '../../domain/attempt-report.js';
import type { FailureClass } from '../../domain/failure-class.js';
import type { Money } from '../../domain/money.js';
import type { Reason } from '../../domain/reason.js';
import type { RouteName } from '../../domain/route.js';
import type { Usage } from '../../domain/usage.js';
import type { AttemptRow, DocumentRow, OnWire, UnansweredRow } from '../../reports/rows.js';

/** As the statement builds them: arrays, since names would be most of the bytes. */
type AttemptTuple = readonly [
  attempt: number,
  kind: AttemptResult['kind'],
  failureClass: FailureClass | null,
  rules: readonly string[],
  at: number,
  durationMs: number,
  tokens: number,
  cost: Money,
  maxTokens: number,
  usage: Usage | 'unknown',
];
type CallsTuple = readonly [
  attempt: number,
  began: number,
  busyMs: number,
  calls: number,
  failed: number,
  tokens: number,
  cost: string,
  currency: string,
  onWireSince: number | null,
  onWire: readonly OnWire[],
];

export interface RunRow {
  readonly spec_id: string;
  readonly started_at: number;
  readonly closed_at: number | null;
  readonly deadline_at: number;
  readonly attempt_cap: number | null;
  readonly outcome: 'verified' | 'unverified' | null;
  readonly reason: Reason | null;
  readonly route: RouteName | null;
  readonly attempts: readonly AttemptTuple[] | null;
  readonly calls: readonly CallsTuple[] | null;
}

/** A run with its attempts. Money is counted from the rows of calls: those are written before anything is spent. */
export function toDocument(row: RunRow): DocumentRow {
  const calls = new Map(row.calls?.map((each) => [each[0], each]));
  const attempts = (row.attempts ?? []).map((attempt) => {
    const own = calls.get(attempt[0]);
    calls.delete(attempt[0]);
    return toAttempt(attempt, own, row.outcome === 'verified');
  });
  // A run makes one attempt after the other, so at most one of them, the last, has calls and no report.
  const rest = [...calls.values()].at(-1);
  return {
    specId: row.spec_id,
    startedAt: row.started_at,
    endedAt: row.closed_at,
    deadlineAt: row.deadline_at,
    attemptCap: row.attempt_cap ?? 1,
    reason: row.reason,
    route: row.route,
    attempts,
    unanswered: rest === undefined ? null : { startedAt: rest[1], onWireSince: rest[8], ...callsOf(rest) },
  };
}

function toAttempt(
  [, kind, failureClass, rules, at, durationMs, tokens, cost, maxTokens, usage]: AttemptTuple,
  calls: CallsTuple | undefined,
  isVerified: boolean,
): AttemptRow {
  // A reply that came after its run was closed verifies nothing any more.
  const accepted = kind === 'accepted' && isVerified;
  const known = usage === 'unknown' ? null : usage;
  return {
    accepted,
    failureClass,
    rules: [...new Set(rules)],
    startedAt: calls?.[1] ?? at - durationMs,
    endedAt: at,
    durationMs,
    ...(calls === undefined
      ? { busyMs: durationMs, onWire: [[at - durationMs, at]], calls: 1, failedCalls: 0, tokens, cost }
      : callsOf(calls)),
    maxTokens,
    inputTokens: known?.inputTokens ?? null,
    outputTokens: known?.outputTokens ?? null,
  };
}

function callsOf([, , busyMs, calls, failedCalls, tokens, cost, currency, , onWire]: CallsTuple): Omit<
  UnansweredRow,
  'startedAt' | 'onWireSince'
> {
  return { busyMs, onWire, calls, failedCalls, tokens, cost: { amount: cost, currency } };
}
