import type { ConsoleDeps } from './environment.js';

/** Numbers beside the words of the bar; null: not known at the moment. */
export interface NavCounts {
  readonly reviews: number | null;
  readonly letters: number | null;
}

const keptMs = 4_000;

/** Counts for the bar, each tenant's apart. They stand on every page, so they are counted every few seconds at most. */
export function createNavCounts({
  app,
}: Pick<ConsoleDeps, 'app'>): (tenant: string | null) => Promise<NavCounts> {
  const known = new Map<string | null, { readonly at: number; readonly counts: Promise<NavCounts> }>();
  const look = async (tenant: string | null): Promise<NavCounts> => {
    const filter = tenant === null ? {} : { tenant };
    const [reviews, letters] = await Promise.all([
      app.store.reviews.tally(filter, app.now(), app.now()).then(({ open }) => open),
      app.store.deadLetters
        .groups(filter)
        .then((groups) => groups.reduce((sum, { count }) => sum + count, 0)),
    ]);
    return { reviews, letters };
  };
  return (tenant) => {
    const now = app.now();
    const last = known.get(tenant);
    if (last !== undefined && now - last.at < keptMs) return last.counts;
    // A store that is away is told by the page itself; the bar only leaves its numbers out.
    const counts = look(tenant).catch(() => ({ reviews: null, letters: null }));
    known.set(tenant, { at: now, counts });
    return counts;
  };
}
