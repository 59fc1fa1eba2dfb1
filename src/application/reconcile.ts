import {
  addMended,
  type Mended,
  nothingMended,
  type ReconcileAsk,
  type Reconciled,
  reconcileParts,
} from '../domain/reconciliation.js';
import type { Observer } from '../ports/observer.js';
import type { Application } from './application.js';
import { reconcileBatches } from './reconcile-batches.js';
import type { ReconcileLook } from './reconcile-look.js';
import { endReviews, reconcileReviews } from './reconcile-reviews.js';
import { finishLandings, reconcileRuns } from './reconcile-runs.js';
import type { OnFault } from './unless-down.js';

/** Whatever is younger may still be on its way from the store to the engine. */
const graceMs = 15_000;

export interface ReconcileOptions {
  /** False: only count what is astray. Default true. */
  readonly mends?: boolean;
  readonly graceMs?: number;
  /** Told of what could not be mended for a reason nobody foresaw; the rest is mended all the same. */
  readonly onFault?: OnFault;
  /** Told of runs that end by this. */
  readonly observer?: Pick<Observer, 'runEnded'> | undefined;
}

/**
 * Compares one page of what the store holds open with what the engine carries, and puts right what is astray. Safe at any
 * time and by several at once: every change is a compare-and-set in the store, or a start that finds itself done.
 */
export async function reconcile(
  app: Application,
  { part, cursor }: ReconcileAsk,
  options: ReconcileOptions = {},
): Promise<Reconciled> {
  const look = {
    cursor,
    before: app.now() - (options.graceMs ?? graceMs),
    mends: options.mends ?? true,
    onFault: options.onFault ?? (() => undefined),
    observer: options.observer ?? { runEnded: () => undefined },
  };
  switch (part) {
    case 'runs':
      return reconcileRuns(app, look);
    case 'landings':
      return finishLandings(app, look);
    case 'reviews':
      return reconcileReviews(app, look);
    case 'clocks':
      return endReviews(app, look);
    case 'letters':
      return settleLetters(app, look);
    case 'batches':
      return reconcileBatches(app, look);
  }
}

/** All of it, page by page. */
export async function reconcileAll(app: Application, options: ReconcileOptions = {}): Promise<Mended> {
  let mended = nothingMended;
  for (const part of reconcileParts) {
    let cursor: string | null = null;
    do {
      const page: Reconciled = await reconcile(app, { part, cursor }, options);
      mended = addMended(mended, page.mended);
      cursor = page.cursor;
    } while (cursor !== null);
  }
  return mended;
}

async function settleLetters(app: Application, { before, mends }: ReconcileLook): Promise<Reconciled> {
  if (!mends) return { mended: nothingMended, cursor: null };
  const { parked, recovered, more } = await app.store.deadLetters.settle(before);
  const mended = { ...nothingMended, parkedLetters: parked, recoveredLetters: recovered };
  return { mended, cursor: more ? 'more' : null };
}
