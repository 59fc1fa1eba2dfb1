import { describe, expect, it } from 'vitest';
import { verificationStatuses } from '../../../src/ports/record-store.js';
import type { StoreUnderTest } from './fixtures.js';
import {
  accepted,
  decide,
  landing,
  newExtraction,
  openRun,
  recordOf,
  redrive,
  rejected,
  sameDocument,
  toReview,
} from './fixtures.js';

export function recordCases(store: StoreUnderTest): void {
  describe('records', () => {
    it('put by a fallback or as best effort keep everything, one for each key and source', async () => {
      const ref = await openRun(store());
      await store().extractions.land(landing(ref, { route: 'fallback' }));
      await store().records.put(recordOf(ref, { template: 'broker-south', at: 1 }));
      const fallback = recordOf(ref);
      const best = recordOf(ref, {
        status: 'best_effort',
        template: null,
        record: { total: '12345678901234567890.123' },
      });
      await store().records.put(fallback);
      await store().records.put(best);
      expect(await store().records.ofKey(ref.key)).toEqual([best, fallback]);
    });

    it('of an older run that arrive late do not replace a newer one', async () => {
      const given = newExtraction();
      const first = await openRun(store(), given);
      await store().extractions.land(landing(first));
      const second = await redrive(store(), given);
      await store().records.put(recordOf(second, { record: { from: 'second' } }));
      await store().records.put(recordOf(first, { record: { from: 'first' } }));
      expect(await store().records.ofKey(given.key)).toMatchObject([{ run: 2, record: { from: 'second' } }]);
    });

    it.each(['verified', 'human_verified', 'rejected'] as const)(
      'cannot be put as %s: that takes a commit or a review',
      async (status) => {
        const ref = await openRun(store());
        await expect(store().records.put(recordOf(ref, { status }))).rejects.toThrow('commit or a review');
        expect(await store().records.ofKey(ref.key)).toEqual([]);
      },
    );

    it('that are verified are never touched by one that is put', async () => {
      const ref = await openRun(store());
      await store().attempts.commit(accepted(ref));
      const before = await store().records.current(ref.subject);
      for (const status of ['needs_review', 'fallback', 'best_effort'] as const)
        await store().records.put(recordOf(ref, { status }));
      expect(await store().records.current(ref.subject)).toEqual(before);
      expect((await store().records.ofKey(ref.key)).map(({ status }) => status)).not.toContain(
        'needs_review',
      );
    });

    it('of every status exist, and each default door shows the verified ones only', async () => {
      const tenant = 'doors';
      const byStatus: Record<string, string> = {};
      for (const status of verificationStatuses) {
        const ref = await openRun(store(), { tenant });
        byStatus[status] = ref.subject;
        if (status === 'verified') await store().attempts.commit(accepted(ref));
        else if (status === 'human_verified' || status === 'rejected') {
          await store().attempts.commit(rejected(ref));
          await store().extractions.land(toReview(ref));
          await decide(store(), ref.subject, status === 'rejected' ? 'reject' : 'approve', { total: '1' });
        } else await store().records.put(recordOf(ref, { status }));
      }
      const list = async (filter: object) =>
        (await store().records.list({ tenant, ...filter }, { limit: 50 })).items;
      const everything = await list({ statuses: verificationStatuses });
      expect(everything.map(({ status }) => status).sort()).toEqual([...verificationStatuses].sort());
      expect((await list({})).map(({ status }) => status).sort()).toEqual(['human_verified', 'verified']);
      expect(await list({ specId: 'claim' })).toHaveLength(2);
      expect(await list({ specId: 'invoice' })).toEqual([]);
      for (const status of verificationStatuses) {
        const subject = byStatus[status] ?? '';
        const shown = status === 'verified' || status === 'human_verified' ? [status] : [];
        expect((await list({ subject })).map((record) => record.status)).toEqual(shown);
        expect((await store().records.current(subject))?.status).toBe(shown[0]);
        expect((await list({ subject, statuses: [status] })).map((record) => record.status)).toEqual([
          status,
        ]);
      }
    });

    it('current for a subject are the newest: a later prompt supersedes and never duplicates', async () => {
      const ref = await openRun(store(), { tenant: 'superseded', promptVersion: 'v7' });
      const next = await openRun(store(), sameDocument(ref, { promptVersion: 'v8' }));
      await store().attempts.commit(accepted(next, { at: 6_000_000 }));
      await store().attempts.commit(accepted(ref, { at: 5_000_000 }));
      const { items } = await store().records.list({ tenant: 'superseded' }, { limit: 10 });
      expect(items).toMatchObject([{ promptVersion: 'v8' }]);
      expect((await store().records.current(ref.subject))?.promptVersion).toBe('v8');
      const all = await store().records.list({ tenant: 'superseded', statuses: ['verified'] }, { limit: 10 });
      expect(all.items.map(({ promptVersion }) => promptVersion)).toEqual(['v8', 'v7']);
    });

    it('of the same subject at the same instant leave exactly one current', async () => {
      const ref = await openRun(store(), { tenant: 'ties', promptVersion: 'v7' });
      const next = await openRun(store(), sameDocument(ref, { promptVersion: 'v8' }));
      await Promise.all([store().attempts.commit(accepted(next)), store().attempts.commit(accepted(ref))]);
      expect((await store().records.list({ tenant: 'ties' }, { limit: 10 })).items).toHaveLength(1);
    });
  });
}
