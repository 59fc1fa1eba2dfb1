import { isEvaluationTenant } from '../../../src/domain/evaluation-tenant.js';
import { BadCursor, type Page, type PageRequest } from '../../../src/ports/page.js';

/** Cuts one page out of a whole list; the cursor is the place of the next item. */
export function pageOf<T>(items: readonly T[], { limit, cursor }: PageRequest): Page<T> {
  const start = cursor === undefined ? 0 : Number(cursor);
  if (!Number.isSafeInteger(start) || start < 0) throw new BadCursor();
  const end = start + limit;
  return { items: items.slice(start, end), nextCursor: end < items.length ? String(end) : null };
}

/** The only item whose id begins with `given`, as the store's `find` methods answer; null when none or several do. */
export function byPrefix<T>(items: readonly T[], given: string, idOf: (item: T) => string): T | null {
  const exact = items.find((item) => idOf(item) === given);
  if (exact !== undefined) return exact;
  const found = given.length < 8 ? [] : items.filter((item) => idOf(item).startsWith(given));
  return found.length === 1 ? (found[0] ?? null) : null;
}

/** A method that these tests do not need. Calling it is a test's mistake, so it says so instead of answering. */
export function unused(name: string): () => Promise<never> {
  return () => Promise.reject(new Error(`The memory store has no ${name}.`));
}

/** Of the tenant that is named; of none named, anybody's but an evaluation's, unless those are asked for. */
export function isOfTenant(
  tenant: string,
  filter: { readonly tenant?: string; readonly withEvaluations?: true },
): boolean {
  if (filter.tenant !== undefined) return tenant === filter.tenant;
  return filter.withEvaluations === true || !isEvaluationTenant(tenant);
}
