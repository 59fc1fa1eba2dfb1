import type { AttemptReport, Rejected } from './attempt-report.js';
import type { Feedback } from './decision.js';
import { unverified } from './ending.js';
import { nextEstimateMs } from './estimate.js';
import type { ExtractionEvent } from './event.js';
import type { Money } from './money.js';
import { addCost } from './spent.js';
import type { ExtractionState } from './state.js';
import { nextCeiling, stopAfter, unparsedHash, wholeCandidate } from './stop.js';

/**
 * What the run knows after this event. Holds the table "after an attempt" and the events around an attempt; what is
 * checked before the next attempt, and needs the time, is `decide`'s. Once an event ended the run, nothing changes.
 */
export function evolve(state: ExtractionState, event: ExtractionEvent): ExtractionState {
  if (state.ending !== null) return state;
  switch (event.kind) {
    case 'AttemptReported':
      return afterReport(state, event.report);
    case 'AttemptFailed':
      return afterFault(state, event);
    case 'PermitGranted':
      return { ...state, permit: { attempt: event.attempt, granted: true } };
    case 'PermitDenied':
      return { ...state, permit: { attempt: event.attempt, granted: false } };
    case 'WaitEnded':
      return { ...state, resumeAt: null };
    case 'CancelRequested':
      return { ...state, cancelRequested: true };
    case 'CapLowered':
      return { ...state, cap: lowered(state.cap, event.cap) };
    case 'BatchBudgetExhausted':
      // Before the first report there is no further call at all; a run with a reply in hand just gets no repair.
      return { ...state, batchBudgetExhausted: true, cap: 1 };
  }
}

/** Never raised, never below 1. Anything that is not a smaller number leaves the cap alone. */
function lowered(cap: number, wanted: number): number {
  return wanted < cap ? Math.max(1, Math.floor(wanted)) : cap;
}

function afterReport(before: ExtractionState, report: AttemptReport): ExtractionState {
  const spent = spentWith(before, report.tokens, report.cost);
  const counted: ExtractionState = {
    ...before,
    ...spent,
    settled: spent,
    attempts: before.attempts + 1,
    slowestMs: Math.max(before.slowestMs, report.durationMs),
  };
  if (report.result.kind === 'accepted') {
    return { ...counted, ending: { kind: 'verified', attempts: counted.attempts } };
  }
  const stop = stopAfter(counted, report.result);
  const after = remember(counted, report.result);
  return stop === null ? after : { ...after, ending: unverified(after, stop.reason, stop.diagnosis) };
}

/** All that was spent, once the attempt under way took this much. What it told before is in there, so it is not added. */
function spentWith(
  { settled }: ExtractionState,
  tokens: number,
  cost: Money,
): Pick<ExtractionState, 'tokens' | 'money'> {
  return { tokens: settled.tokens + tokens, money: addCost(settled.money, cost) };
}

/** Keeps what later attempts are compared with, and what the next request looks like. */
function remember(state: ExtractionState, result: Rejected): ExtractionState {
  const candidate = wholeCandidate(result);
  const truncated = result.failureClass === 'truncated';
  const maxTokens = truncated ? (nextCeiling(state) ?? state.maxTokens) : state.maxTokens;
  return {
    ...state,
    lastClass: result.failureClass,
    lastUnparsedHash: unparsedHash(result) ?? state.lastUnparsedHash,
    candidates: candidate === null ? state.candidates : [...state.candidates, candidate],
    maxTokens,
    cutAtTokens: truncated ? state.maxTokens : maxTokens,
    // A reply that was cut off says nothing about the feedback it answered: say the same again, with more room.
    feedback: truncated ? state.feedback : feedbackOn(result, state.attempts),
  };
}

function feedbackOn(result: Rejected, attempt: number): Feedback {
  return result.failureClass === 'schema' || result.failureClass === 'constraint'
    ? { kind: 'problems', ofAttempt: attempt }
    : { kind: 'format' };
}

function afterFault(
  before: ExtractionState,
  event: Extract<ExtractionEvent, { kind: 'AttemptFailed' }>,
): ExtractionState {
  const { spending } = event;
  // Where nobody could tell, what this attempt told before is the best there is.
  const counted: ExtractionState =
    spending === null ? before : { ...before, ...spentWith(before, spending.tokens, spending.cost) };
  if (before.cancelRequested) return { ...counted, ending: unverified(counted, 'cancelled', null) };
  if (event.fault === 'provider_unavailable') {
    const pauseMs = Math.min(Math.max(1, counted.policy.outage.pauseMs), counted.patienceLeftMs);
    const resumeAt = event.at + pauseMs;
    if (pauseMs > 0 && resumeAt + nextEstimateMs(counted) <= counted.deadlineAt) {
      return { ...counted, resumeAt, patienceLeftMs: counted.patienceLeftMs - pauseMs };
    }
  }
  return { ...counted, ending: unverified(counted, event.fault, null) };
}
