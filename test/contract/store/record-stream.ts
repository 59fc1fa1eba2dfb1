import { describe, expect, it } from 'vitest';
import type { RecordFilter, StoredRecord } from '../../../src/ports/record-store.js';
import type { StoreUnderTest } from './fixtures.js';
import { accepted, openRun, recordOf, sameDocument } from './fixtures.js';

export function recordStreamCases(store: StoreUnderTest): void {
  const streamed = async (filter: RecordFilter) => {
    const all: StoredRecord[] = [];
    for await (const part of store().records.stream(filter)) all.push(...part);
    return all;
  };

  describe('records as a stream', () => {
    it('are those of the list, in its order, whatever is asked for', async () => {
      const tenant = 'streamed';
      for (let n = 1; n <= 3; n += 1) {
        const ref = await openRun(store(), { tenant });
        await store().attempts.commit(accepted(ref, { at: n }));
      }
      const unverified = await openRun(store(), { tenant, specId: 'invoice' });
      await store().records.put(recordOf(unverified, { at: 4 }));
      const filters: RecordFilter[] = [
        {},
        { since: 2 },
        { specId: 'invoice' },
        { statuses: ['fallback'] },
        { statuses: ['fallback', 'verified'], since: 3 },
        { subject: unverified.subject },
      ];
      for (const filter of filters) {
        const { items } = await store().records.list({ tenant, ...filter }, { limit: 50 });
        expect(await streamed({ tenant, ...filter })).toEqual(items);
      }
      expect((await streamed({ tenant, since: 2 })).map(({ at }) => at)).toEqual([3, 2]);
      expect(await streamed({ tenant: 'nobody' })).toEqual([]);
    });

    it('are as they were when it began, and a reader may stop', async () => {
      const tenant = 'snapshot';
      // More than come in one part.
      const before = await Promise.all(
        Array.from({ length: 501 }, async (_, n) => {
          const ref = await openRun(store(), { tenant });
          await store().attempts.commit(accepted(ref, { at: n + 1 }));
          return ref;
        }),
      );
      const [oldest] = before;
      if (oldest === undefined) throw new Error('There is none.');
      const seen: StoredRecord[] = [];
      let parts = 0;
      for await (const part of store().records.stream({ tenant })) {
        parts += 1;
        seen.push(...part);
        if (parts > 1) continue;
        // Supersedes one that has not been read yet.
        const next = await openRun(store(), sameDocument(oldest, { promptVersion: 'v8' }));
        await store().attempts.commit(accepted(next, { at: 9_000 }));
      }
      expect(parts).toBeGreaterThan(1);
      expect(new Set(seen.map(({ subject }) => subject)).size).toBe(501);
      expect(seen.find(({ subject }) => subject === oldest.subject)?.promptVersion).toBe('v7');
      for await (const part of store().records.stream({ tenant })) {
        expect(part[0]?.promptVersion).toBe('v8');
        break;
      }
    });
  });
}
