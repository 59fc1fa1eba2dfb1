import type { Context } from '@temporalio/activity';
import { nextProbe, nextRetry } from '../src/domain/backoff.js';
import type { RunRef } from '../src/domain/extraction-input.js';
import type { Money } from '../src/domain/money.js';
import { addCost } from '../src/domain/spent.js';
import type { Spending } from '../src/domain/usage.js';
import { CallsSuspended } from '../src/ports/breaker.js';
import {
  CallFault,
  type Extractor,
  type ExtractorReply,
  type ExtractorRequest,
} from '../src/ports/extractor.js';
import type { CallSeen } from '../src/ports/observer.js';
import { untraced } from '../src/ports/tracing.js';
import type { AttemptInput } from './contract.js';
import type { ActivityDependencies } from './dependencies.js';
import { finalFailure, retryableFailure } from './fault-failure.js';
import { callTimeLeftMs } from './time-left.js';

export interface Answered {
  readonly callId: string;
  readonly reply: ExtractorReply;
  readonly startedAt: number;
  readonly endedAt: number;
}

/**
 * One request on the wire, or none while the breaker is open. Throws our failures only for faults: what to do next is in
 * them.
 */
export async function callModel(
  deps: ActivityDependencies,
  input: AttemptInput,
  context: Context,
  request: ExtractorRequest,
): Promise<Answered> {
  const timeoutMs = callTimeLeftMs(context.info, deps.now());
  if (timeoutMs < 1) throw finalFailure('deadline');
  const estimate = estimateOf(deps.extractor, request);
  let callId: string | null = null;
  try {
    return await deps.breaker.guard(input.decision.model, async () => {
      const startedAt = deps.now();
      callId = await beginCall(deps, input, context.info.activityId, estimate, startedAt);
      const { cancellationSignal: signal } = context;
      const { tracing = untraced } = deps;
      const { model } = input.decision;
      const seeEnd = (result: string, reply: Seen) => {
        const durationMs = deps.now() - startedAt;
        deps.observer?.callEnded({ ref: input.ref, ...input.decision, ...reply, result, durationMs });
      };
      try {
        const call = () => deps.extractor.call(request, { signal, timeoutMs });
        const reply = await tracing.span('call', { model }, call);
        seeEnd('answered', reply);
        return { callId, reply, startedAt, endedAt: deps.now() };
      } catch (fault) {
        if (fault instanceof CallFault) {
          const spending = spendingOf(fault, deps.extractor, estimate);
          seeEnd(fault.faultClass, { mode: request.mode, usage: 'unknown', spending });
        }
        throw fault;
      }
    });
  } catch (fault) {
    if (fault instanceof CallsSuspended) throw await suspended(deps, input, context, fault.nextProbeAt);
    // Anything else leaves the row open: its estimate counts as money until somebody knows better.
    if (!(fault instanceof CallFault) || callId === null) throw fault;
    throw await failed(deps, input, context, fault, callId, estimate);
  }
}

/** Throws what `callModel` would, when the breaker would let no call through. */
export async function assertCallable(
  deps: ActivityDependencies,
  input: AttemptInput,
  context: Context,
): Promise<void> {
  const until = deps.breaker.suspendedUntil(input.decision.model);
  if (until !== null) throw await suspended(deps, input, context, until);
}

/** Written before the request leaves, so that a crash cannot hide money. */
async function beginCall(
  { store, extractor }: ActivityDependencies,
  { ref, decision: { attempt, lane, model } }: AttemptInput,
  activityId: string,
  estimate: Spending,
  at: number,
): Promise<string> {
  const { provider } = extractor;
  return await store.attempts.beginCall({ ref, attempt, lane, model, provider, activityId, estimate, at });
}

async function failed(
  deps: ActivityDependencies,
  { decision, transport }: AttemptInput,
  { info }: Context,
  fault: CallFault,
  callId: string,
  estimate: Spending,
): Promise<Error> {
  const { store, extractor } = deps;
  const { faultClass, status, requestId } = fault;
  const spending = spendingOf(fault, extractor, estimate);
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
  if (fault.kind === 'permanent') return finalFailure('provider_rejected', tally.spending);
  const retry = nextRetry(transport, {
    failedCalls: tally.failedInActivity,
    retryAfterMs: fault.retryAfterMs,
    random: deps.random(),
    leftMs: callTimeLeftMs(info, deps.now()),
    estimateMs: decision.estimateMs,
  });
  if (retry.kind === 'give_up') return finalFailure('provider_unavailable', tally.spending);
  return retryableFailure('call_failed', retry.delayMs, tally.spending);
}

/** No call was made, so no row is written: others found out already. Its slot is free until the next probe is due. */
async function suspended(
  deps: ActivityDependencies,
  { ref, decision, transport }: AttemptInput,
  { info }: Context,
  nextProbeAt: number,
): Promise<Error> {
  const now = deps.now();
  const retry = nextProbe(transport, {
    probeInMs: nextProbeAt - now,
    startsLeft: (info.retryPolicy?.maximumAttempts ?? Number.POSITIVE_INFINITY) - info.attempt,
    random: deps.random(),
    leftMs: callTimeLeftMs(info, now),
    estimateMs: decision.estimateMs,
  });
  const spending = await spentBefore(deps, ref, decision.attempt);
  if (retry.kind === 'give_up') return finalFailure('provider_unavailable', spending);
  return retryableFailure('call_suspended', retry.delayMs, spending);
}

/** What the calls of this attempt cost so far. */
async function spentBefore(
  { store, extractor }: ActivityDependencies,
  { key, run }: RunRef,
  attempt: number,
): Promise<Spending> {
  const calls = (await store.attempts.calls(key, run)).filter((call) => call.attempt === attempt);
  const [cost = extractor.zeroCost] = calls.reduce<readonly Money[]>(
    (sum, call) => addCost(sum, call.cost),
    [],
  );
  return {
    tokens: calls.reduce((sum, { tokens }) => sum + tokens, 0),
    cost,
    known: calls.every(({ known }) => known),
  };
}

/** A model this adapter does not know is refused before anything goes on the wire. */
function estimateOf(extractor: Extractor, request: ExtractorRequest): Spending {
  try {
    return extractor.estimate(request);
  } catch (fault) {
    throw fault instanceof CallFault ? finalFailure('provider_rejected') : fault;
  }
}

/** What of a call its observer is told besides where and how it ended. */
type Seen = Pick<CallSeen, 'mode' | 'usage' | 'spending'>;

function spendingOf(fault: CallFault, { zeroCost }: Extractor, estimate: Spending): Spending {
  return mayHaveCost(fault) ? estimate : { tokens: 0, cost: zeroCost, known: true };
}

/** An answer that broke off, or that never came, may have been produced and billed; a refused request was not. */
function mayHaveCost({ status, faultClass }: CallFault): boolean {
  return status === 200 || faultClass === 'stalled';
}
