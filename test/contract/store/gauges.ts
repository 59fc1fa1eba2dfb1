import { describe, expect, it } from 'vitest';
import {
  claim,
  landing,
  newCall,
  newExtraction,
  openRun,
  type StoreUnderTest,
  toReview,
} from './fixtures.js';

export function gaugeCases(store: StoreUnderTest): void {
  describe('what waits in the store', () => {
    it('is counted, with how old the oldest is', async () => {
      const before = await store().gauges.read(10_000_000);
      const oldest = await openRun(store(), { at: 5 });
      await store().extractions.land(landing(await openRun(store())));
      const asked = await openRun(store());
      await store().extractions.land({ ...toReview(asked), at: -7, reviewDueAt: 8 });
      await claim(store(), asked.subject);

      const after = await store().gauges.read(10_000_000);
      expect(after.openExtractions - before.openExtractions).toBe(1);
      expect(after.overdueExtractions - before.overdueExtractions).toBe(1);
      expect(after.oldestOpenStartedAt).toBe(5);
      expect(after.parkedDeadLetters - before.parkedDeadLetters).toBe(1);
      expect(after.openReviews - before.openReviews).toBe(1);
      expect(after.overdueReviews - before.overdueReviews).toBe(1);
      expect(after.oldestReviewCreatedAt).toBe(-7);
      await store().extractions.land(landing(oldest));
      expect((await store().gauges.read(10_000_000)).oldestOpenStartedAt).not.toBe(5);
    });

    it('is nothing in an instant before everything', async () => {
      expect(await store().gauges.read(-1)).toMatchObject({ overdueExtractions: 0, overdueReviews: 0 });
    });
  });

  describe('the repair traffic of a spec', () => {
    it('is what its budget counts: primary calls and granted permits within the window', async () => {
      const budget = { share: 0, floor: 1, windowMs: 60_000 };
      const at = 50_000_000;
      const ref = await openRun(store(), newExtraction({ specId: 'gauged' }));
      await store().attempts.beginCall(newCall(ref, { at }));
      const ask = { ref, budget, at };
      expect(await store().traffic.takePermit({ ...ask, attempt: 2 })).toBe(true);
      expect(await store().traffic.takePermit({ ...ask, attempt: 3 })).toBe(false);
      const specs = [
        { specId: 'gauged', budget },
        { specId: 'never-run', budget },
      ];
      expect(await store().gauges.repairTraffic(specs, at + 1)).toEqual([
        { specId: 'gauged', primaries: 1, repairs: 1 },
        { specId: 'never-run', primaries: 0, repairs: 0 },
      ]);
      expect(await store().gauges.repairTraffic(specs.slice(0, 1), at + 120_000)).toEqual([
        { specId: 'gauged', primaries: 0, repairs: 0 },
      ]);
    });
  });
}
