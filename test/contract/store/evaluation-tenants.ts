import { describe, expect, it } from 'vitest';
import type { StoreUnderTest } from './fixtures.js';
import { accepted, askPerson, landing, openRun } from './fixtures.js';

export function evaluationTenantCases(store: StoreUnderTest): void {
  describe('what is asked of all tenants', () => {
    const specId = 'measured';
    const page = { limit: 50 };
    /** A verified run, a parked one and one that waits for a person. */
    const threeRuns = async (tenant: string) => {
      await store().attempts.commit(accepted(await openRun(store(), { tenant, specId })));
      await store().extractions.land(landing(await openRun(store(), { tenant, specId })));
      await askPerson(store(), { tenant, specId });
    };
    const seen = async (filter: { tenant?: string; withEvaluations?: true }) => {
      const of = { specId, ...filter };
      const [runs, records, letters, reviews] = [
        await store().extractions.list(of, page),
        await store().records.list(of, page),
        await store().deadLetters.list(of, page),
        await store().reviews.list(of, page),
      ];
      const tenants = [runs, records, letters, reviews].map(({ items }) =>
        items.map(({ tenant }) => tenant).sort(),
      );
      const groups = await store().deadLetters.groups(of);
      const { open } = await store().reviews.tally(of, 1, 0);
      const { runs: reported } = await store().reports.extent(of);
      return { tenants, parked: groups.map(({ count }) => count), open, reported };
    };

    it('has nothing of an evaluation, which is asked for by its tenant', async () => {
      for (const tenant of ['eval-20260301-1', 'evaluator', 'eval-20260301-2']) await threeRuns(tenant);
      const three = (tenant: string) => [[tenant, tenant, tenant], [tenant], [tenant], [tenant]];
      expect(await seen({})).toEqual({ tenants: three('evaluator'), parked: [1], open: 1, reported: 3 });
      expect(await seen({ tenant: 'eval-20260301-2' })).toEqual({
        ...{ tenants: three('eval-20260301-2'), parked: [1], open: 1, reported: 3 },
      });
      const all = { specId, withEvaluations: true } as const;
      expect((await store().extractions.list(all, page)).items).toHaveLength(9);
      expect((await store().reviews.list(all, page)).items).toHaveLength(3);
    });

    it('has no group of letters that are all of evaluations, and hands out none of their reviews', async () => {
      const only = 'measured-only';
      const tenant = 'eval-20260301-3';
      await store().extractions.land(landing(await openRun(store(), { tenant, specId: only })));
      await askPerson(store(), { tenant, specId: only });
      expect(await store().deadLetters.groups({ specId: only })).toEqual([]);
      expect(await store().reviews.claimNext({ specId: only }, 'ada', 1_000, 1)).toEqual({ kind: 'none' });
      expect(await store().reviews.claimNext({ specId: only, tenant }, 'ada', 1_000, 1)).toMatchObject({
        kind: 'claimed',
      });
    });
  });
}
