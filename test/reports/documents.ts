import type { FailureClass } from '../../src/domain/failure-class.js';
import type { AttemptRow, DocumentRow, UnansweredRow } from '../../src/reports/rows.js';

/** An attempt of one second, rejected by a rule, unless told otherwise. */
export function attempt(
  changes: Partial<AttemptRow> & { readonly failureClass?: FailureClass | null } = {},
): AttemptRow {
  const { startedAt = 0, durationMs = 1_000, busyMs = durationMs } = changes;
  return {
    accepted: false,
    failureClass: changes.accepted === true ? null : 'constraint',
    rules: [],
    startedAt,
    endedAt: startedAt + durationMs,
    durationMs,
    busyMs,
    onWire: [[startedAt, startedAt + busyMs]],
    calls: 1,
    failedCalls: 0,
    tokens: 100,
    cost: { amount: '0.01', currency: 'EUR' },
    maxTokens: 1_500,
    inputTokens: 60,
    outputTokens: 40,
    ...changes,
  };
}

/** A last attempt of which nothing came back. */
export function unanswered(changes: Partial<UnansweredRow> = {}): UnansweredRow {
  const { startedAt = 0, busyMs = 500 } = changes;
  return {
    onWire: busyMs === 0 ? [] : [[startedAt, startedAt + busyMs]],
    ...{ startedAt, busyMs, onWireSince: null, calls: 1, failedCalls: 0, tokens: 700 },
    cost: { amount: '0.07', currency: 'EUR' },
    ...changes,
  };
}

export function documentOf(attempts: readonly AttemptRow[], changes: Partial<DocumentRow> = {}): DocumentRow {
  const startedAt = changes.startedAt ?? attempts[0]?.startedAt ?? 0;
  return {
    specId: 'claim',
    startedAt,
    endedAt: attempts.at(-1)?.endedAt ?? startedAt,
    deadlineAt: startedAt + 60_000,
    attemptCap: 3,
    reason: null,
    route: null,
    attempts,
    unanswered: null,
    ...changes,
  };
}

/**
 * A document whose attempts take these ms each, one after the other; the n-th costs n times 100 tokens. The last one is
 * accepted if `verified`. Open: it has not ended.
 */
export function timed(
  startedAt: number,
  durations: readonly number[],
  kind: 'verified' | 'exhausted' | 'open',
  changes: Partial<DocumentRow> = {},
): DocumentRow {
  let at = startedAt;
  const attempts = durations.map((durationMs, index) => {
    const begun = at;
    at += durationMs;
    const accepted = kind === 'verified' && index === durations.length - 1;
    return attempt({ accepted, startedAt: begun, durationMs, tokens: 100 * (index + 1) });
  });
  const reason = kind === 'exhausted' ? 'attempt_cap' : null;
  return documentOf(attempts, { startedAt, endedAt: kind === 'open' ? null : at, reason, ...changes });
}

export const times = <Row>(count: number, make: (index: number) => Row): Row[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** 100 documents: 80 at once, 10 on the second, 2 on the third attempt; 5 exhausted after three, 3 open after two. */
export const hundred: readonly DocumentRow[] = [
  ...times(80, () => timed(0, [1_000], 'verified')),
  ...times(10, () => timed(0, [1_000, 2_000], 'verified')),
  ...times(2, () => timed(0, [1_000, 2_000, 3_000], 'verified')),
  ...times(5, () => timed(0, [1_000, 2_000, 3_000], 'exhausted')),
  ...times(3, () => timed(0, [1_000, 2_000], 'open')),
];
