import { Context } from '@temporalio/activity';
import type { AttemptReport } from '../src/domain/attempt-report.js';
import type { Fault } from '../src/domain/fault.js';
import type { CallTally, Committed } from '../src/ports/attempt-store.js';
import { untraced } from '../src/ports/tracing.js';
import { type Answered, assertCallable, callModel } from './call-model.js';
import type { AttemptInput, AttemptOutput, LaneActivities } from './contract.js';
import type { ActivityDependencies } from './dependencies.js';
import { errorFrames } from './error-frames.js';
import { asFailure, finalFailure, retryableFailure } from './fault-failure.js';
import { withHeartbeat } from './heartbeat.js';
import { judgeReply } from './judge-reply.js';
import { openDocument } from './open-document.js';
import { buildRequest, feedbackText } from './request.js';
import { sampleOf } from './sample.js';
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
    const { ref, decision } = input;
    const { tracing = untraced, observer } = deps;
    const facts = { extraction: ref.key, run: ref.run, spec: ref.specId, lane: decision.lane };
    const giveBack = observer?.slotTaken(decision.lane);
    try {
      return await tracing.span('attempt', { ...facts, attempt: decision.attempt }, () =>
        withHeartbeat(context, () => attempt(deps, input, context)),
      );
    } catch (error) {
      // A cancellation (worker shutdown, passed deadline) is Temporal's own business.
      if (context.cancellationSignal.aborted) throw error;
      const failure = asFailure(error, context.info.attempt);
      if (failure.type === 'internal_error')
        context.log.error('attempt failed', { cause: errorFrames(error) });
      observer?.attemptFailed({ ref, ...decision }, failure.type as Fault | 'call_failed' | 'call_suspended');
      throw failure;
    } finally {
      giveBack?.();
    }
  };
}

async function attempt(
  deps: ActivityDependencies,
  input: AttemptInput,
  context: Context,
): Promise<AttemptOutput> {
  const { store, tracing = untraced, observer } = deps;
  const { ref, decision } = input;
  const beganAt = deps.now();
  const stored = await store.attempts.stored(ref, decision.attempt);
  if (stored !== null) return outputOf(stored);

  const spec = deps.catalogue.find({ ...ref, id: ref.specId });
  if (spec === null) throw retryableFailure('spec_unavailable', specPauseMs);
  // Before the document is looked into: while calls are suspended that would be work for nothing.
  await assertCallable(deps, input, context);
  const document = await openDocument(deps, ref);
  if (document.kind === 'unreadable') throw finalFailure('unreadable_document');

  const feedback = await feedbackText(store, ref, decision.feedback);
  const request = buildRequest(spec, decision, document, feedback);
  const answered = await callModel(deps, input, context, request);
  const previous =
    decision.attempt === 1 ? null : await store.attempts.previousCandidate(ref, decision.attempt);
  const judged = tracing.span('judge', {}, (add) => {
    const verdict = judgeReply(spec, answered.reply, { text: document.text, previous });
    add({ result: verdict.result.kind === 'accepted' ? 'accepted' : verdict.result.failureClass });
    return verdict;
  });
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
    const at = deps.now();
    const done = await store.attempts.commit({ ref, report, ...texts, feedback, sample, at });
    // One that was committed before, by an execution that could not say so, is not news.
    if (done.report !== report) return done;
    const { mode } = answered.reply;
    observer?.attemptEnded({ ref, mode, report, durationMs: at - beganAt });
    if (done.verifiedAfterMs !== undefined) {
      const ended = { outcome: 'verified', reason: null, route: null, attempts: report.attempt } as const;
      observer?.runEnded({ ref, ...ended, durationMs: done.verifiedAfterMs });
    }
    return done;
  });
  return outputOf(committed);
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
