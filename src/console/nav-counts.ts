import type { Application } from '../application/application.js';

/** Numbers beside the words of the bar; null: not known at the moment. */
export interface NavCounts {
  readonly reviews: number | null;
  readonly letters: number | null;
}

const keptMs = 4_000;

/** Counts for the bar, each tenant's apart. They stand on every page, so they are counted every few seconds at most. */
export function createNavCounts(): (app: Application) => Promise<NavCounts> {
  const known = new Map<string | null, { readonly at: number; readonly counts: Promise<NavCounts> }>();
  return (app) => {
    const tenant = app.tenant ?? null;
    const now = app.now();
    const last = known.get(tenant);
    if (last !== undefined && now - last.at < keptMs) return last.counts;
    // A store that is away is told by the page itself; the bar only leaves its numbers out.
    const counts = look(app).catch(() => ({ reviews: null, letters: null }));
    known.set(tenant, { at: now, counts });
    return counts;
  };
}

async function look({ store, now }: Application): Promise<NavCounts> {
  const [{ open }, groups] = await Promise.all([
    store.reviews.tally({}, now(), now()),
    store.deadLetters.groups({}),
  ]);
  return { reviews: open, letters: groups.reduce((sum, { count }) => sum + count, 0) };
}
