import type {
  BatchCancel,
  BatchCount,
  BatchOrder,
  BatchProgress,
  BatchState,
  BatchStep,
  BatchStepped,
} from './batch.js';
import { admitted, type BatchAdmission, batchCap } from './batch-burn.js';
import { sum } from './batch-tally.js';

/** Where a batch stands: plain data, carried over when its workflow continues as a new one. */
export interface BatchWindow {
  readonly order: BatchOrder;
  /** The cap in force; 0: the budget is gone. */
  readonly cap: number;
  /** Own runs that had ended when the cap was lowered last, and what they cost. Null before the first look. */
  readonly mark: { readonly completed: number; readonly tokens: number } | null;
  readonly count: BatchCount | null;
  /** Runs under way have not been told yet: the cap, or to stop. */
  readonly tells: boolean;
  readonly cancel: BatchCancel | null;
  readonly ended: BatchStepped['ended'];
  readonly restMs: number;
}

const shortestRestMs = 250;
const longestRestMs = 5_000;

export function beginBatch(order: BatchOrder): BatchWindow {
  return {
    order,
    cap: order.cap,
    mark: null,
    count: null,
    tells: false,
    cancel: null,
    ended: null,
    restMs: shortestRestMs,
  };
}

/** What to do next; null when the batch is over. */
export function nextStep({ order, cap, tells, cancel, ended }: BatchWindow): BatchStep | null {
  return ended === null ? { order, cap, tells, cancel } : null;
}

/** What is known after a step: its count, the cap that follows from it, and how long to rest. */
export function afterStep(window: BatchWindow, step: BatchStep, stepped: BatchStepped): BatchWindow {
  const { count, ended } = stepped;
  const mark = window.mark ?? { completed: count.completed, tokens: count.completedTokens };
  const next: BatchWindow = {
    ...window,
    ...{ count, ended, mark },
    // Cancelled while the step was under way: it told the cap, at most.
    tells: window.tells && !(step.tells && step.cancel === window.cancel),
    restMs: restAfter(window, count),
  };
  const cap = capAfter(window, count, mark);
  if (cap === window.cap) return next;
  const lowered = { completed: count.completed, tokens: count.completedTokens };
  return { ...next, cap, tells: true, mark: lowered };
}

/** No further document is begun. A second cancel may ask for more than the first, never for less. */
export function cancelBatch(window: BatchWindow, cancel: BatchCancel): BatchWindow {
  if (window.cancel === 'cancel_runs') return window;
  return { ...window, cancel, tells: window.tells || cancel === 'cancel_runs' };
}

/** How many documents a step may begin, and under which cap; 0 when the budget is gone. */
export function admission({ order, cap, cancel }: BatchStep, count: BatchCount): BatchAdmission {
  const places = Math.max(0, order.inFlight - count.underWay);
  if (cancel !== null) return { documents: 0, cap };
  const isGone = cap === 0 || (order.budgetTokens !== null && count.tokens >= order.budgetTokens);
  // They cost nothing: only the window holds them back.
  if (isGone) return { documents: Math.min(places, count.waiting), cap: 0 };
  if (order.budgetTokens === null) return { documents: Math.min(places, count.waiting), cap };
  const { tokens, beyond, completedAttempts, completedTokens, ownUnderWay } = count;
  const attemptTokens = Math.max(order.attemptTokens, count.largestAttemptTokens);
  return admitted({
    ...{ budgetTokens: order.budgetTokens, tokens, cap, beyond, attemptTokens },
    places: Math.min(places, count.waiting),
    underWay: ownUnderWay,
    usualTokens: completedAttempts === 0 ? attemptTokens : Math.max(1, completedTokens / completedAttempts),
  });
}

/** Whether this is the end, as of this count. */
export function endOf({ cancel }: BatchStep, count: BatchCount): BatchStepped['ended'] {
  if (count.underWay > 0) return null;
  if (count.waiting === 0) return 'finished';
  return cancel === null ? null : 'cancelled';
}

export function progressOf({ order, cap, count, cancel, ended }: BatchWindow): BatchProgress {
  const state: BatchState = ended ?? (cancel === null ? 'running' : 'stopping');
  return { id: order.id, state, documents: order.documents, cap, count };
}

/** Tokens the batch comes to if the rest costs what the documents under this cap did; null before any has ended. */
export function projectedTokens({
  waiting,
  ownUnderWay,
  completed,
  completedTokens,
}: BatchCount): number | null {
  if (completed === 0) return null;
  return Math.round(completedTokens + ((waiting + ownUnderWay) * completedTokens) / completed);
}

function capAfter(
  { order, cap }: BatchWindow,
  count: BatchCount,
  mark: NonNullable<BatchWindow['mark']>,
): number {
  const { budgetTokens } = order;
  if (budgetTokens === null) return cap;
  if (count.tokens >= budgetTokens) return 0;
  return batchCap({
    ...{ budgetTokens, cap },
    documents: count.completed + count.ownUnderWay + count.waiting,
    completed: count.completed,
    tokens: count.completedTokens,
    completedSince: count.completed - mark.completed,
    tokensSince: count.completedTokens - mark.tokens,
  });
}

/** Shorter when much of the window ended since the last look, longer when little did. */
function restAfter(window: BatchWindow, count: BatchCount): number {
  const ended = endedOf(count) - (window.count === null ? 0 : endedOf(window.count));
  const share = ended / window.order.inFlight;
  if (share >= 0.5) return Math.max(shortestRestMs, window.restMs / 2);
  return share >= 0.2 ? window.restMs : Math.min(longestRestMs, window.restMs * 2);
}

function endedOf({ verified, unverified, refused }: BatchCount): number {
  return verified + sum(unverified) + refused;
}
