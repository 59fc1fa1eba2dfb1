import { describe, expect, it } from 'vitest';
import { BadCursor, type Page, type PageRequest } from '../../../src/ports/page.js';
import type { StoreUnderTest } from './fixtures.js';
import { accepted, landing, openRun, toReview } from './fixtures.js';

export function pageCases(store: StoreUnderTest): void {
  /** A list of the store, and what adds one more item at its front or its end, at the same sort value as others. */
  interface ListCase {
    readonly name: string;
    add(tenant: string, at: number): Promise<string>;
    page(tenant: string, request: PageRequest): Promise<Page<{ readonly key: string }>>;
  }

  const lists: readonly ListCase[] = [
    {
      name: 'extractions',
      add: async (tenant, at) => (await openRun(store(), { tenant, at })).key,
      page: (tenant, request) => store().extractions.list({ tenant }, request),
    },
    {
      name: 'records',
      async add(tenant, at) {
        const ref = await openRun(store(), { tenant });
        await store().attempts.commit(accepted(ref, { at }));
        return ref.key;
      },
      page: (tenant, request) => store().records.list({ tenant }, request),
    },
    {
      name: 'dead letters',
      async add(tenant, at) {
        const ref = await openRun(store(), { tenant });
        await store().extractions.land(landing(ref, { at }));
        return ref.key;
      },
      page: (tenant, request) => store().deadLetters.list({ tenant }, request),
    },
    {
      name: 'reviews',
      async add(tenant, at) {
        const ref = await openRun(store(), { tenant });
        const amount = at % 2 === 0 ? { amount: '12345678901234567890.125', currency: 'USD' } : null;
        await store().extractions.land(toReview(ref, { at, amount, bestAttempt: null }));
        return ref.key;
      },
      page: (tenant, request) => store().reviews.list({ tenant }, request),
    },
  ];

  describe.each(lists)('pages of $name', ({ name, add, page }) => {
    it('show every item once, in one order, also when more arrive between two pages', async () => {
      const tenant = `pages of ${name}`;
      // Equal instants on purpose: only the tie-breaker tells them apart.
      const instants = [100, 100, 100, 101, 101, 102, 103, 103, 104];
      const before = new Set<string>();
      for (const at of instants) before.add(await add(tenant, at));
      const whole = (await page(tenant, { limit: 100 })).items.map(({ key }) => key);
      expect(new Set(whole)).toEqual(before);

      const seen: string[] = [];
      let cursor: string | undefined;
      for (let number = 1; number <= 20; number += 1) {
        const { items, nextCursor } = await page(tenant, {
          limit: 2,
          ...(cursor === undefined ? {} : { cursor }),
        });
        expect(items.length).toBeLessThanOrEqual(2);
        seen.push(...items.map(({ key }) => key));
        await add(tenant, 99 + number);
        if (nextCursor === null) break;
        expect(nextCursor).toMatch(/^[\w-]+$/);
        cursor = nextCursor;
        // New ones at the far end would keep this going for ever.
        if (whole.every((key) => seen.includes(key))) break;
      }
      expect(new Set(seen).size).toBe(seen.length);
      expect(seen.filter((key) => before.has(key))).toEqual(whole);
    });

    it('end without a cursor, also when the last one is full', async () => {
      const tenant = `full pages of ${name}`;
      for (const at of [1, 2, 3, 4]) await add(tenant, at);
      const first = await page(tenant, { limit: 2 });
      const second = await page(tenant, { limit: 2, cursor: first.nextCursor ?? '' });
      expect(second.items).toHaveLength(2);
      expect(second.nextCursor).toBeNull();
      expect(await page('nobody', { limit: 2 })).toEqual({ items: [], nextCursor: null });
    });

    it.each([
      '',
      'x',
      '!!',
      'null',
      '[]',
      '{"at":1}',
      '[1.5,"x",1]',
      '["1e5","a","b"]',
      '["abc",1,"x"]',
      '[1]',
    ])('refuse a cursor of %j', async (content) => {
      const cursor = Buffer.from(content).toString('base64url');
      for (const given of [content, cursor])
        await expect(page('acme', { limit: 2, cursor: given })).rejects.toThrow(BadCursor);
    });
  });
}
