import { describe, expect, it } from 'vitest';
import type { TrailEntry } from '../../../src/ports/trail-store.js';
import type { StoreUnderTest } from './fixtures.js';

const entry = (given: Partial<TrailEntry>): Omit<TrailEntry, 'id'> => ({
  keyId: '0123456789ab',
  actor: 'kim',
  action: 'cancelExtraction',
  subject: 'aa',
  tenant: 'trails',
  requestId: 'r-1',
  at: 1_000,
  ...given,
});

export function trailCases(store: StoreUnderTest): void {
  describe('the trail', () => {
    it('lists what was changed, newest first, page by page, and narrowed', async () => {
      const entries = [
        entry({ at: 1 }),
        entry({ at: 2, actor: 'lou' }),
        entry({ at: 2, subject: 'bb' }),
        entry({ at: 3 }),
      ];
      const ids: number[] = [];
      for (const one of entries) ids.push(await store().trail.add(one));
      const all = entries.map((one, index) => ({ ...one, id: ids[index] })).reverse();
      const first = await store().trail.list({ tenant: 'trails' }, { limit: 3 });
      expect(first.items).toEqual(all.slice(0, 3));
      const cursor = first.nextCursor ?? '';
      const second = await store().trail.list({ tenant: 'trails' }, { limit: 3, cursor });
      expect(second).toEqual({ items: all.slice(3), nextCursor: null });
      const narrowed = async (filter: object) =>
        (await store().trail.list({ tenant: 'trails', ...filter }, { limit: 9 })).items.map(({ id }) => id);
      expect(await narrowed({ actor: 'lou' })).toEqual([ids[1]]);
      expect(await narrowed({ subject: 'bb' })).toEqual([ids[2]]);
      expect(await narrowed({ since: 2, until: 3 })).toEqual([ids[2], ids[1]]);
      expect(await narrowed({ action: 'eraseDocument' })).toEqual([]);
    });

    it('is told what was changed afterwards, and forgets what was refused', async () => {
      const tenant = 'trails-2';
      const [made, refused] = [
        await store().trail.add(entry({ tenant, subject: '' })),
        await store().trail.add(entry({ tenant })),
      ];
      await store().trail.settle(made, { subject: 'cc', tenant });
      await store().trail.drop(refused);
      expect((await store().trail.list({ tenant }, { limit: 9 })).items).toEqual([
        { ...entry({ tenant, subject: 'cc' }), id: made },
      ]);
    });
  });
}
