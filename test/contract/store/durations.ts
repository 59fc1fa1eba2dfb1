import { describe, expect, it } from 'vitest';
import { accepted, openRun, type StoreUnderTest } from './fixtures.js';

export function durationCases(store: StoreUnderTest): void {
  describe('how long attempts lately took', () => {
    /** Runs of one spec, started a millisecond apart, whose first attempts took 10, 20, 30 ... ms. */
    async function runsOf(specId: string, count: number, startedAt: number): Promise<void> {
      for (let index = 0; index < count; index += 1) {
        const ref = await openRun(store(), { specId, at: startedAt + index });
        const commit = accepted(ref);
        await store().attempts.commit({
          ...commit,
          report: { ...commit.report, durationMs: (index + 1) * 10 },
        });
      }
    }

    it('is the 90th percentile per attempt index', async () => {
      await runsOf('timed', 20, 5_000_000);
      expect(await store().attempts.recentP90Ms('timed', 5_000_000)).toEqual([180]);
    });

    it('is unknown below ten samples, for another spec, and before the window', async () => {
      await runsOf('rare', 9, 5_000_000);
      expect(await store().attempts.recentP90Ms('rare', 5_000_000)).toEqual([null]);
      expect(await store().attempts.recentP90Ms('never-run', 0)).toEqual([]);
      expect(await store().attempts.recentP90Ms('rare', 5_000_100)).toEqual([]);
    });

    it('leaves out what lies beyond the newest two hundred runs', async () => {
      await runsOf('busy', 220, 5_000_000);
      // 210 .. 2,200 ms remain: the 180th of two hundred.
      expect(await store().attempts.recentP90Ms('busy', 5_000_000)).toEqual([2_000]);
    });
  });
}
