import type { NormalisationCount } from '../../domain/attempt-report.js';
import type { FailureClass } from '../../domain/failure-class.js';
import type { Lane } from '../../domain/lane.js';
import type { Money } from '../../domain/money.js';
import type { Usage } from '../../domain/usage.js';
import type { Attempt, Call, StoredJson } from '../../ports/attempt-store.js';
import type { Store } from '../../ports/store.js';
import type { Problem } from '../../verification/problem.js';
import type { Contradiction } from '../../verification/verdict.js';
import { instant, instantOrNull } from './instant.js';

/** One request on the wire. Where `known` is false, tokens and cost are the upper estimate. */
export interface CallView {
  readonly model: string;
  readonly provider: string | null;
  readonly state: 'open' | 'answered' | 'failed';
  readonly faultClass: string | null;
  readonly status: number | null;
  readonly requestId: string | null;
  readonly tokens: number;
  readonly cost: Money;
  readonly known: boolean;
  readonly startedAt: string;
  readonly endedAt: string | null;
}

/** One propose-and-verify round. `unanswered`: its calls failed or are under way, and no reply was read. */
export interface AttemptView {
  readonly attempt: number;
  readonly result: 'accepted' | 'rejected' | 'unanswered';
  readonly lane: Lane | null;
  /** The model that answered, and the server it answered from. */
  readonly model: string | null;
  readonly provider: string | null;
  readonly failureClass: FailureClass | null;
  readonly problems: readonly Problem[];
  readonly contradiction: Contradiction | null;
  readonly ungrounded: readonly string[];
  /** The token ceiling of the call: what it was sent as `max_tokens`. */
  readonly maxTokens: number | null;
  readonly promptVersion: string | null;
  readonly normalisations: readonly NormalisationCount[];
  readonly usage: Usage | 'unknown';
  readonly tokens: number;
  readonly cost: Money | null;
  /** The last call alone, without backoff. */
  readonly durationMs: number | null;
  readonly calls: readonly CallView[];
  /** The whole candidate; null when none was read. Unverified unless `result` is `accepted`. */
  readonly candidate: StoredJson;
  /** What the call was told about the failure before it. */
  readonly feedback: string | null;
  readonly at: string | null;
}

/** Every attempt of a run in order, those without a reply included. */
export async function readAttempts(store: Store, key: string, run: number): Promise<readonly AttemptView[]> {
  const [attempts, calls] = await Promise.all([
    store.attempts.list(key, run),
    store.attempts.calls(key, run),
  ]);
  const numbers = new Set([
    ...attempts.map(({ report }) => report.attempt),
    ...calls.map(({ attempt }) => attempt),
  ]);
  return [...numbers]
    .sort((left, right) => left - right)
    .map((number) => {
      const own = calls.filter(({ attempt }) => attempt === number);
      const attempt = attempts.find(({ report }) => report.attempt === number);
      return attempt === undefined ? unanswered(number, own) : answered(attempt, own);
    });
}

function answered(attempt: Attempt, calls: readonly Call[]): AttemptView {
  const { report } = attempt;
  const { result } = report;
  return {
    attempt: report.attempt,
    result: result.kind,
    lane: report.lane,
    model: report.model,
    provider: calls.findLast(({ state }) => state === 'answered')?.provider ?? null,
    failureClass: result.kind === 'rejected' ? result.failureClass : null,
    problems: attempt.problems,
    contradiction: attempt.contradiction,
    ungrounded: attempt.ungrounded,
    maxTokens: report.maxTokens,
    promptVersion: report.promptVersion,
    normalisations: report.normalisations,
    usage: report.usage,
    tokens: report.tokens,
    cost: report.cost,
    durationMs: report.durationMs,
    calls: calls.map(viewCall),
    candidate: attempt.candidate,
    feedback: attempt.feedback,
    at: instant(attempt.at),
  };
}

function unanswered(attempt: number, calls: readonly Call[]): AttemptView {
  return {
    attempt,
    result: 'unanswered',
    lane: null,
    model: null,
    provider: null,
    failureClass: null,
    problems: [],
    contradiction: null,
    ungrounded: [],
    maxTokens: null,
    promptVersion: null,
    normalisations: [],
    usage: 'unknown',
    tokens: calls.reduce((sum, call) => sum + call.tokens, 0),
    cost: null,
    durationMs: null,
    calls: calls.map(viewCall),
    candidate: null,
    feedback: null,
    at: null,
  };
}

function viewCall(call: Call): CallView {
  return {
    model: call.model,
    provider: call.provider,
    state: call.state,
    faultClass: call.faultClass,
    status: call.status,
    requestId: call.requestId,
    tokens: call.tokens,
    cost: call.cost,
    known: call.known,
    startedAt: instant(call.startedAt),
    endedAt: instantOrNull(call.endedAt),
  };
}
