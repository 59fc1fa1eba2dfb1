import type { Observer } from '../ports/observer.js';
import type { PageRequest } from '../ports/page.js';
import { inLanes } from './in-lanes.js';
import { type OnFault, unlessDown } from './unless-down.js';

/** One page of one part of the reconciler's round. */
export interface ReconcileLook {
  readonly cursor: string | null;
  /** Only what is older than this instant. */
  readonly before: number;
  /** False: only count what is astray. */
  readonly mends: boolean;
  readonly onFault: OnFault;
  /** Told of runs that end by this. */
  readonly observer: Pick<Observer, 'runEnded'>;
}

/** Looks at every item of a page, and counts the words they came to. */
export async function fatesOf<Item, Fate extends string>(
  { onFault }: ReconcileLook,
  items: readonly Item[],
  fateOf: (item: Item) => Promise<Fate>,
): Promise<(fate: Fate | 'failed') => number> {
  const fates = await inLanes(items, askedAtOnce, (item) =>
    unlessDown<Fate | 'failed'>(() => fateOf(item), 'failed', onFault),
  );
  return (asked) => fates.filter((fate) => fate === asked).length;
}

/** Every item of a page costs a question to the engine. */
const pageLimit = 100;
const askedAtOnce = 10;

export function pageOf({ cursor }: ReconcileLook): PageRequest {
  return cursor === null ? { limit: pageLimit } : { limit: pageLimit, cursor };
}
