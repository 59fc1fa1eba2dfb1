import { Context } from '@temporalio/activity';
import type { AttemptReport } from '../src/domain/attempt-report.js';
import { nextRetry } from '../src/domain/backoff.js';
import type { Spending } from '../src/domain/usage.js';
import type { CallTally, Committed } from '../src/ports/attempt-store.js';
import {
  CallFault,
  type Extractor,
  type ExtractorReply,
  type ExtractorRequest,
} from '../src/ports/extractor.js';
import type { AttemptInput, AttemptOutput, LaneActivities } from './contract.js';
import type { ActivityDependencies } from './dependencies.js';
import { errorFrames } from './error-frames.js';
import { asFailure, finalFailure, retryableFailure } from './fault-failure.js';
import { withHeartbeat } from './heartbeat.js';
import { judgeReply } from './judge-reply.js';
import { openDocument } from './open-document.js';
import { buildRequest, feedbackText } from './request.js';
import { sampleOf } from './sample.js';
import { callTimeLeftMs } from './time-left.js';
import { untilStored } from './until-stored.js';

/** How long a worker waits for a spec version that another worker of a rolling deploy may already have. */
const specPauseMs = 1_000;

/**
 * One attempt: the stored report if there is one, else one call and everything that belongs to it. Resolves whatever
 * the model said; throws only for faults, always as an ApplicationFailure of ours.
 */
export function createAttempt(deps: ActivityDependencies): LaneActivities['attempt'] {
  return async (input) => {
    const context = Context.current();
    try {
      return await withHeartbeat(context, () => attempt(deps, input, context));
    } catch (error) {
      // A cancellation (worker shutdown, passed deadline) is Temporal's own business.
      if (context.cancellationSignal.aborted) throw error;
      const failure = asFailure(error, context.info.attempt);
      if (failure.type === 'internal_error')
        context.log.error('attempt failed', { cause: errorFrames(error) });
      throw failure;
    }
  };
}

async function attempt(
  deps: ActivityDependencies,
  input: AttemptInput,
  context: Context,
): Promise<AttemptOutput> {
  const { store } = deps;
  const { ref, decision } = input;
  const stored = await store.attempts.stored(ref, decision.attempt);
  if (stored !== null) return outputOf(stored);

  const spec = deps.catalogue.find({ ...ref, id: ref.specId });
  if (spec === null) throw retryableFailure('spec_unavailable', specPauseMs);
  const document = await openDocument(deps, ref);
  if (document.kind === 'unreadable') throw finalFailure('unreadable_document');

  const feedback = await feedbackText(store, ref, decision.feedback);
  const request = buildRequest(spec, decision, document, feedback);
  const answered = await call(deps, input, context, request);
  const previous =
    decision.attempt === 1 ? null : await store.attempts.previousCandidate(ref, decision.attempt);
  const judged = judgeReply(spec, answered.reply, { text: document.text, previous });
  const sample = judged.result.kind === 'accepted' ? sampleOf(spec, ref, judged.candidate) : null;

  const committed = await untilStored(async () => {
    const tally = await endCall(deps, answered);
    const report: AttemptReport = {
      attempt: decision.attempt,
      lane: decision.lane,
      model: decision.model,
      maxTokens: decision.maxTokens,
      promptVersion: ref.promptVersion,
      requestId: answered.reply.requestId,
      result: judged.result,
      normalisations: judged.normalisations,
      usage: answered.reply.usage,
      tokens: tally.spending.tokens,
      cost: tally.spending.cost,
      durationMs: answered.endedAt - answered.startedAt,
      calls: tally.calls,
    };
    const { result: _result, normalisations: _normalisations, ...texts } = judged;
    return await store.attempts.commit({ ref, report, ...texts, feedback, sample, at: deps.now() });
  });
  return outputOf(committed);
}

interface Answered {
  readonly callId: string;
  readonly reply: ExtractorReply;
  readonly startedAt: number;
  readonly endedAt: number;
}

/** One request on the wire. Its row is written before it leaves, so that a crash cannot hide money. */
async function call(
  deps: ActivityDependencies,
  { ref, decision, transport }: AttemptInput,
  context: Context,
  request: ExtractorRequest,
): Promise<Answered> {
  const { store, extractor } = deps;
  const { activityId } = context.info;
  const timeoutMs = callTimeLeftMs(context.info, deps.now());
  if (timeoutMs < 1) throw finalFailure('deadline');
  const estimate = estimateOf(extractor, request);
  const { attempt, lane, model } = decision;
  const startedAt = deps.now();
  const callId = await store.attempts.beginCall({
    ref,
    attempt,
    lane,
    model,
    activityId,
    estimate,
    at: startedAt,
  });
  try {
    const reply = await extractor.call(request, { signal: context.cancellationSignal, timeoutMs });
    return { callId, reply, startedAt, endedAt: deps.now() };
  } catch (fault) {
    // Anything else leaves the row open: its estimate counts as money until somebody knows better.
    if (!(fault instanceof CallFault)) throw fault;
    const { faultClass, status, requestId } = fault;
    const spending = mayHaveCost(fault) ? estimate : { tokens: 0, cost: extractor.zeroCost, known: true };
    const tally = await store.attempts.endCall({
      callId,
      state: 'failed',
      faultClass,
      status,
      requestId,
      usage: 'unknown',
      spending,
      at: deps.now(),
    });
    if (fault.kind === 'permanent') throw finalFailure('provider_rejected', tally.spending);
    const retry = nextRetry(transport, {
      failedCalls: tally.failedInActivity,
      retryAfterMs: fault.retryAfterMs,
      random: deps.random(),
      leftMs: callTimeLeftMs(context.info, deps.now()),
      estimateMs: decision.estimateMs,
    });
    if (retry.kind === 'give_up') throw finalFailure('provider_unavailable', tally.spending);
    throw retryableFailure('call_failed', retry.delayMs, tally.spending);
  }
}

function endCall(deps: ActivityDependencies, { callId, reply, endedAt }: Answered): Promise<CallTally> {
  const { requestId, usage, spending } = reply;
  return deps.store.attempts.endCall({
    callId,
    state: 'answered',
    faultClass: null,
    status: 200,
    requestId,
    usage,
    spending,
    at: endedAt,
  });
}

function outputOf({ report, withdrewReview }: Committed): AttemptOutput {
  return { report, withdrewReview };
}

/** A model this adapter does not know is refused before anything goes on the wire. */
function estimateOf(extractor: Extractor, request: ExtractorRequest): Spending {
  try {
    return extractor.estimate(request);
  } catch (fault) {
    throw fault instanceof CallFault ? finalFailure('provider_rejected') : fault;
  }
}

/** An answer that broke off, or that never came, may have been produced and billed; a refused request was not. */
function mayHaveCost({ status, faultClass }: CallFault): boolean {
  return status === 200 || faultClass === 'stalled';
}
