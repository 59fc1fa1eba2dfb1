import { type JudgedReply, judgeReply } from '../../activities/judge-reply.js';
import { buildRequest } from '../../activities/request.js';
import type { AttemptReport } from '../../src/domain/attempt-report.js';
import { decide } from '../../src/domain/decide.js';
import type { AttemptDecision, Ending } from '../../src/domain/decision.js';
import { evolve } from '../../src/domain/evolve.js';
import { initialState } from '../../src/domain/initial-state.js';
import type { Policy } from '../../src/domain/policy.js';
import type { RequestMode } from '../../src/domain/request-mode.js';
import type { ExtractionState } from '../../src/domain/state.js';
import type { ExtractorReply, ExtractorRequest } from '../../src/ports/extractor.js';
import type { Spec } from '../../src/spec/spec.js';
import type { DocumentText } from '../../src/verification/document-text.js';
import { formatReminder, renderFeedback } from '../../src/verification/feedback.js';

/** What the model says to one request. */
export interface Line {
  readonly text: string;
  /** `end_turn` unless told. */
  readonly stopReason?: string;
  readonly mode?: RequestMode;
  readonly ms?: number;
  /** Tokens of the call; null when the provider did not say, and then this many are assumed. */
  readonly tokens?: number | null;
}

export interface Played {
  readonly ending: Ending;
  readonly state: ExtractionState;
  /** Every request in order, as it would have gone on the wire. */
  readonly requests: readonly ExtractorRequest[];
  readonly judged: readonly JudgedReply[];
}

const assumedTokens = 2_000;

/** A record, or anything else, as a model would write it down. */
export const says = (value: unknown, rest: Omit<Line, 'text'> = {}): Line => ({
  text: JSON.stringify(value),
  ...rest,
});

export function replyOf({
  text,
  stopReason = 'end_turn',
  mode = 'constrained',
  tokens,
}: Line): ExtractorReply {
  const known = tokens !== null;
  return {
    stopReason,
    mode,
    text,
    requestId: null,
    usage: known
      ? {
          inputTokens: tokens ?? 100,
          outputTokens: 0,
          cacheReadTokens: 0,
          cacheWriteTokens: 0,
          thinkingTokens: 0,
        }
      : 'unknown',
    spending: {
      tokens: tokens ?? (known ? 100 : assumedTokens),
      cost: { amount: '0', currency: 'USD' },
      known,
    },
  };
}

/** Judges one reply about a document as an attempt does. */
export function judge(
  spec: Spec,
  text: DocumentText | null,
  line: Line,
  previous: unknown = null,
): JudgedReply {
  return judgeReply(spec, replyOf(line), { text, previous });
}

/**
 * Plays a run through the product's own decisions, requests, reading and rules: a model that answers line by line (the
 * last one repeats), every permit granted, time passing only in calls.
 */
export function play(
  spec: Spec,
  text: DocumentText | null,
  lines: readonly Line[],
  bounds: Partial<Policy> = {},
): Played {
  const document = { mediaType: 'text/plain', bytes: new TextEncoder().encode(text?.pages.join('\f') ?? '') };
  const requests: ExtractorRequest[] = [];
  const judged: JudgedReply[] = [];
  let state = initialState({ ...spec.policy, ...bounds }, 0);
  let now = 0;

  const attempt = (decision: AttemptDecision): AttemptReport => {
    const line = lines[Math.min(requests.length, lines.length - 1)];
    if (line === undefined) throw new Error('The model has nothing to say.');
    const told = { none: () => null, format: () => formatReminder, problems: () => renderFeedback(last()) };
    const last = () => judged.at(-1)?.problems ?? [];
    requests.push(buildRequest(spec, decision, document, told[decision.feedback.kind]()));
    const reply = replyOf(line);
    const previous = judged.findLast(({ candidate }) => candidate !== null)?.candidate ?? null;
    const verdict = judgeReply(spec, reply, { text, previous });
    judged.push(verdict);
    const durationMs = line.ms ?? 10;
    now += durationMs;
    const { lane, model, maxTokens } = decision;
    const { usage, spending } = reply;
    const { result, normalisations } = verdict;
    const call = {
      requestId: null,
      usage,
      tokens: spending.tokens,
      cost: spending.cost,
      durationMs,
      calls: 1,
    };
    const promptVersion = spec.prompt.version;
    return {
      attempt: decision.attempt,
      lane,
      model,
      maxTokens,
      promptVersion,
      result,
      normalisations,
      ...call,
    };
  };

  for (;;) {
    const decision = decide(state, now);
    if (decision.kind === 'land') return { ending: decision.ending, state, requests, judged };
    if (decision.kind === 'wait') throw new Error('Nothing in these scripts is worth waiting for.');
    state =
      decision.kind === 'permit'
        ? evolve(state, { kind: 'PermitGranted', at: now, attempt: decision.attempt })
        : evolve(state, { kind: 'AttemptReported', at: now, report: attempt(decision) });
  }
}

/** The class of every rejected attempt, in order. */
export function classesOf({ judged }: Played): readonly string[] {
  return judged.map(({ result }) => (result.kind === 'rejected' ? result.failureClass : result.kind));
}
