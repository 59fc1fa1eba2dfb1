import type { TrailEntry } from '../ports/trail-store.js';
import type { Application } from './application.js';
import { ApplicationError } from './application-error.js';

/** Somebody's wish to change something, before it is known what came of it. */
export type Change = Omit<TrailEntry, 'id' | 'at'>;

/** What was changed, and whose it is, once that is known; `refused`: nothing was. */
export type Changed = Pick<TrailEntry, 'subject' | 'tenant'> | 'refused';

/**
 * Carries out a change and writes down who made it. The entry comes before the change, so that none goes without, and is
 * taken back when the change is refused. One that failed half way keeps its entry: something may have happened.
 * `changed` reads from the result what was changed; undefined: what `change` says.
 */
export async function keepTrail<T>(
  { store, now }: Pick<Application, 'store' | 'now'>,
  change: Change,
  work: () => Promise<T>,
  changed: (result: T) => Changed | undefined = () => undefined,
): Promise<T> {
  const entry = await store.trail.add({ ...change, at: now() });
  const result = await work().catch(async (error: unknown) => {
    if (isRefusal(error)) await store.trail.drop(entry);
    throw error;
  });
  const known = changed(result);
  if (known === 'refused') await store.trail.drop(entry);
  else if (known !== undefined) await store.trail.settle(entry, known);
  return result;
}

/** Whether an error says that nothing was changed. */
export function isRefusal(error: unknown): boolean {
  return error instanceof ApplicationError && error.code !== 'unavailable';
}
