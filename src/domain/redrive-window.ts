import { combine, runsOf, sum } from './batch-tally.js';
import type {
  BatchTally,
  RedriveOrder,
  RedriveReport,
  RedriveStep,
  RedriveStepped,
  RunId,
} from './redrive.js';

/** Where a redrive stands: plain data, carried over when its workflow continues as a new one. */
export interface RedriveWindow {
  readonly order: RedriveOrder;
  readonly cursor: string | null;
  readonly isExhausted: boolean;
  readonly isCancelled: boolean;
  /** The batch as the first look found it: a redrive asked for again has runs from before. Null until that look. */
  readonly before: BatchTally | null;
  readonly batch: BatchTally;
  readonly attached: readonly RunId[];
  readonly attachedInAll: number;
  readonly attachedEnded: Pick<BatchTally, 'verified' | 'unverified'>;
  readonly alreadyVerified: number;
  readonly taken: number;
  readonly refused: number;
  /** Looks in a row that found nothing new. */
  readonly idleLooks: number;
}

/** Starts in one piece: more would hold a slot of the store lane for long. */
const startsPerStep = 50;
const restMs = 1_000;
/** A piece that could have started something and did not is tried again at once, but not for ever. */
const restlessLooks = 3;
const longestRestMs = 5_000;

const nothing: BatchTally = { open: 0, verified: 0, unverified: {} };

export function beginRedrive(order: RedriveOrder): RedriveWindow {
  return {
    order,
    cursor: null,
    isExhausted: false,
    isCancelled: false,
    before: null,
    batch: nothing,
    attached: [],
    attachedInAll: 0,
    attachedEnded: { verified: 0, unverified: {} },
    alreadyVerified: 0,
    taken: 0,
    refused: 0,
    idleLooks: 0,
  };
}

/** What to do next; null when the redrive is over. The first piece only looks, so that what is counted later is its own. */
export function nextStep(window: RedriveWindow): RedriveStep | null {
  const { order, cursor, batch, attached, isCancelled } = window;
  const step = (most: number): RedriveStep => ({ order, cursor, most, accounted: runsOf(batch), attached });
  if (isCancelled) return null;
  if (window.before === null) return step(0);
  if (!isSelecting(window)) return underWay(window) === 0 ? null : step(0);
  return step(Math.min(startsPerStep, order.perSecond ?? startsPerStep, left(window)));
}

export function afterStep(window: RedriveWindow, stepped: RedriveStepped): RedriveWindow {
  const { cursor, batch, attached, attachedEnded, newlyAttached } = stepped;
  const next: RedriveWindow = {
    ...window,
    cursor,
    batch,
    attached,
    isExhausted: window.isExhausted || stepped.isExhausted,
    before: window.before ?? batch,
    attachedInAll: window.attachedInAll + newlyAttached,
    attachedEnded: {
      verified: window.attachedEnded.verified + attachedEnded.verified,
      unverified: combine(window.attachedEnded.unverified, attachedEnded.unverified),
    },
    alreadyVerified: window.alreadyVerified + stepped.alreadyVerified,
    taken: window.taken + stepped.taken,
    refused: window.refused + stepped.refused,
  };
  return { ...next, idleLooks: happened(next) === happened(window) ? window.idleLooks + 1 : 0 };
}

/** No further letter is run. What is under way goes on by itself. */
export function cancelRedrive(window: RedriveWindow): RedriveWindow {
  return { ...window, isCancelled: true };
}

/** How long to rest before the next piece, in ms: not at all while places are free, longer the longer nothing happens. */
export function restOf(window: RedriveWindow): number {
  const { order, idleLooks } = window;
  const hasRoom = isSelecting(window) && underWay(window) < order.inFlight;
  if (hasRoom && order.perSecond === null && idleLooks <= restlessLooks) return 0;
  return Math.min(longestRestMs, restMs * (idleLooks + 1));
}

export function reportOf(window: RedriveWindow): RedriveReport {
  const { order, batch, attachedEnded, attachedInAll, alreadyVerified, taken, refused } = window;
  const before = window.before ?? nothing;
  const started = runsOf(batch) - runsOf(before);
  // What an earlier run of this redrive left under way is followed, too.
  const attached = attachedInAll + before.open;
  const returnedBy = combine(combine(batch.unverified, before.unverified, -1), attachedEnded.unverified);
  const isOver = window.before !== null && nextStep(window) === null;
  return {
    id: order.id,
    state: window.isCancelled ? 'cancelled' : isOver ? 'finished' : 'running',
    parked: order.parked,
    selected: started + attached + alreadyVerified + taken + refused,
    started,
    attached,
    recovered: batch.verified - before.verified + attachedEnded.verified,
    returned: sum(returnedBy),
    returnedBy,
    alreadyVerified,
    taken,
    refused,
    underWay: underWay(window),
  };
}

function isSelecting(window: RedriveWindow): boolean {
  return !window.isExhausted && left(window) > 0;
}

function left(window: RedriveWindow): number {
  const { most } = window.order;
  return most === null ? Number.MAX_SAFE_INTEGER : most - ran(window);
}

/** Runs of the selection, started or found under way. */
function ran({ batch, before, attachedInAll }: RedriveWindow): number {
  return runsOf(batch) - runsOf(before ?? nothing) + attachedInAll;
}

function underWay({ batch, attached }: RedriveWindow): number {
  return batch.open + attached.length;
}

/** Grows with everything that happens. */
function happened(window: RedriveWindow): number {
  const { batch, attachedEnded, alreadyVerified, taken, refused } = window;
  const ended = runsOf(batch) - batch.open + attachedEnded.verified + sum(attachedEnded.unverified);
  return ran(window) + ended + alreadyVerified + taken + refused;
}
