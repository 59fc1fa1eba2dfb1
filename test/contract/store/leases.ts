import { describe, expect, it } from 'vitest';
import type { StoreUnderTest } from './fixtures.js';
import { askPerson, decide } from './fixtures.js';

export function leaseCases(store: StoreUnderTest): void {
  describe('a lease', () => {
    it('goes to one of twenty who ask at once', async () => {
      const ref = await askPerson(store());
      const claims = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          store().reviews.claim(ref.subject, `person-${index}`, 60_000, 10),
        ),
      );
      expect(claims.filter(({ kind }) => kind === 'claimed')).toHaveLength(1);
      const holder = (await store().reviews.find(ref.subject))?.holder;
      expect(claims.filter(({ kind }) => kind === 'held')).toEqual(
        Array.from({ length: 19 }, () => ({ kind: 'held', holder, leaseExpiresAt: 60_010 })),
      );
    });

    it('is extended by its holder, free once it has run out, and given back by its holder only', async () => {
      const ref = await askPerson(store());
      await store().reviews.claim(ref.subject, 'kim', 1_000, 0);
      const extended = await store().reviews.claim(ref.subject, 'kim', 1_000, 500);
      expect(extended).toMatchObject({ kind: 'claimed', task: { holder: 'kim', leaseExpiresAt: 1_500 } });
      expect(await store().reviews.claim(ref.subject, 'lee', 1_000, 1_499)).toMatchObject({ kind: 'held' });
      expect(await store().reviews.claim(ref.subject, 'lee', 1_000, 1_500)).toMatchObject({
        kind: 'claimed',
      });
      expect(await store().reviews.release(ref.subject, 'kim')).toBe(false);
      expect(await store().reviews.release(ref.subject, 'lee')).toBe(true);
      expect(await store().reviews.claim(ref.subject, 'kim', 1_000, 1_501)).toMatchObject({
        kind: 'claimed',
      });
    });

    it('is not given on a settled or unknown task', async () => {
      const ref = await askPerson(store());
      await decide(store(), ref.subject, 'reject');
      expect(await store().reviews.claim(ref.subject, 'kim', 1_000, 0)).toEqual({ kind: 'not_open' });
      expect(await store().reviews.claim('unknown', 'kim', 1_000, 0)).toEqual({ kind: 'not_open' });
      expect(await store().reviews.release(ref.subject, 'kim')).toBe(false);
    });
  });
}
