import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RunRef } from '../../../src/domain/extraction-input.js';
import { allowedRepairs, type RepairBudget } from '../../../src/domain/repair-budget.js';
import type { StoreUnderTest } from './fixtures.js';
import { newCall, newExtraction, openRun } from './fixtures.js';

export function trafficCases(store: StoreUnderTest): void {
  const budget: RepairBudget = { share: 0.1, floor: 10, windowMs: 300_000 };
  const start = 1_800_000_000_000;
  const named = (specId: string): RunRef => ({ ...newExtraction({ specId }), run: 1 });
  const ask = (ref: RunRef, given: { at?: number; budget?: RepairBudget; attempt?: number } = {}) =>
    store().traffic.takePermit({ ref, attempt: 2, budget, at: start, ...given });
  const granted = (answers: readonly boolean[]) => answers.filter(Boolean).length;

  describe('repair permits', () => {
    it('are exact for fifty who ask at once', async () => {
      const answers = await Promise.all(Array.from({ length: 50 }, () => ask(named('fifty'))));
      expect(granted(answers)).toBe(10);
    });

    it('are answered alike when asked for again, granted or denied, and counted once', async () => {
      const one = { ...budget, floor: 1 };
      const first = named('again');
      const second = named('again');
      expect(await ask(first, { budget: one })).toBe(true);
      expect(await ask(second, { budget: one })).toBe(false);
      const repeats = await Promise.all(Array.from({ length: 10 }, () => ask(first, { budget: one })));
      expect(granted(repeats)).toBe(10);
      // Even when there is room again: the run was told, and has gone on.
      expect(await ask(second, { budget: one, at: start + 600_000 })).toBe(false);
      expect(await ask(first, { budget: one, attempt: 3 })).toBe(false);
    });

    it('come back as the window slides past the old ones', async () => {
      const two = { share: 0, floor: 2, windowMs: 10_000 };
      const at = (ms: number) => ask(named('sliding'), { budget: two, at: start + ms });
      expect(await at(0)).toBe(true);
      expect(await at(4_000)).toBe(true);
      expect(await at(9_999)).toBe(false);
      expect(await at(10_000)).toBe(true);
      expect(await at(13_999)).toBe(false);
      expect(await at(14_000)).toBe(true);
    });

    it('grow with the primary calls of the spec inside the window', async () => {
      const specId = 'primaries';
      const tenth = { share: 0.1, floor: 0, windowMs: 10_000 };
      for (let call = 0; call < 20; call += 1) {
        const ref = await openRun(store(), { specId });
        await store().attempts.beginCall(newCall(ref, { at: start + 500 }));
      }
      const at = (ms: number, spec = specId) => ask(named(spec), { budget: tenth, at: start + ms });
      expect(granted([await at(1_000), await at(1_000), await at(1_000)])).toBe(2);
      expect(await at(1_000, 'another-spec')).toBe(false);
      expect(await at(11_000)).toBe(false);
    });

    it('count a primary call once a run: neither its retries nor repairs are traffic', async () => {
      const all = { share: 1, floor: 0, windowMs: 10_000 };
      const ref = await openRun(store(), { specId: 'once' });
      for (let call = 0; call < 3; call += 1) await store().attempts.beginCall(newCall(ref, { at: start }));
      await store().attempts.beginCall(newCall(ref, { attempt: 2, lane: 'repair', at: start }));
      const answers = [await ask(named('once'), { budget: all }), await ask(named('once'), { budget: all })];
      expect(granted(answers)).toBe(1);
    });

    it('are none when an operator paused repairs', async () => {
      expect(await ask(named('paused'), { budget: { share: 0, floor: 0, windowMs: 300_000 } })).toBe(false);
    });

    it('never exceed the budget in any window, whatever happens in whatever order', async () => {
      const small: RepairBudget = { share: 0.3, floor: 2, windowMs: 20_000 };
      const step = fc.record({ gapMs: fc.integer({ min: 0, max: 4_000 }), primary: fc.boolean() });
      await fc.assert(
        fc.asyncProperty(
          fc.array(step, { minLength: 1, maxLength: 40 }),
          fc.uuid(),
          async (steps, specId) => {
            const calls: number[] = [];
            const permits: number[] = [];
            let at = start;
            for (const { gapMs, primary } of steps) {
              at += gapMs;
              if (primary) {
                calls.push(at);
                await store().attempts.beginCall(newCall(await openRun(store(), { specId }), { at }));
                continue;
              }
              const within = (instants: readonly number[]) =>
                instants.filter((t) => t > at - small.windowMs).length;
              const fits = within(permits) < allowedRepairs(small, within(calls));
              const answer = await ask(named(specId), { budget: small, at });
              // It may refuse what a count to the millisecond would grant, by a second's calls; never the reverse.
              if (answer) expect(fits).toBe(true);
              else expect(within(permits)).toBeGreaterThanOrEqual(small.floor);
              if (answer) permits.push(at);
            }
          },
        ),
        { numRuns: 15 },
      );
    });
  });
  describe('repairs that an operator paused', () => {
    const roomy: RepairBudget = { share: 1, floor: 10, windowMs: 10_000 };
    const flip = (specId: string | null, paused: boolean, at = start) =>
      store().traffic.switchRepairs({ specId, paused, actor: 'ada', reason: 'a bad prompt', at });
    const permit = (specId: string) => ask(named(specId), { budget: roomy });

    it('get no permit until they are resumed, of one spec or of all', async () => {
      await flip('halted', true);
      expect([await permit('halted'), await permit('other')]).toEqual([false, true]);
      await flip(null, true);
      await flip('halted', false);
      expect([await permit('halted'), await permit('other')]).toEqual([false, false]);
      await flip(null, false);
      expect([await permit('halted'), await permit('other')]).toEqual([true, true]);
      // A spec that was paused by itself stays so when all are resumed.
      await flip('halted', true);
      await flip(null, false);
      expect(await permit('halted')).toBe(false);
      await flip('halted', false);
    });

    it('are told with who paused them last, when and why', async () => {
      await flip('told', true, start + 1);
      await flip('told', false, start + 2);
      const told = (await store().traffic.switches()).filter(({ specId }) => specId === 'told');
      expect(told).toEqual([
        { specId: 'told', paused: false, actor: 'ada', reason: 'a bad prompt', at: start + 2 },
      ]);
    });

    it('are counted apart from those that the budget denied, inside the window', async () => {
      const specId = 'counted';
      const one = { share: 0, floor: 1, windowMs: 10_000 };
      const ref = await openRun(store(), { specId });
      await store().attempts.beginCall(newCall(ref, { at: start + 1_000 }));
      for (let times = 0; times < 3; times += 1) await ask(named(specId), { budget: one, at: start + 1_000 });
      await flip(specId, true);
      await ask(named(specId), { budget: one, at: start + 1_000 });
      await flip(specId, false);
      expect(await store().traffic.repairTraffic(specId, start)).toEqual({
        primaries: 1,
        granted: 1,
        deniedByBudget: 2,
        deniedByPause: 1,
      });
      expect(await store().traffic.repairTraffic(specId, start + 1_001)).toMatchObject({ granted: 0 });
    });

    it('are stopped by the pause itself: whoever asks after it was told gets none', async () => {
      const specId = 'raced';
      const endless: RepairBudget = { share: 0, floor: 1_000, windowMs: 10_000 };
      let isTold = false;
      const late: boolean[] = [];
      const asker = async () => {
        for (let times = 0; times < 8; times += 1) {
          const isLate = isTold;
          const answer = await ask(named(specId), { budget: endless });
          if (isLate) late.push(answer);
        }
      };
      const pausing = flip(specId, true).then(() => {
        isTold = true;
      });
      await Promise.all([...Array.from({ length: 6 }, asker), pausing]);
      expect(late.filter(Boolean)).toEqual([]);
      await flip(specId, false);
    });
  });
}
