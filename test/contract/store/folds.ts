import { describe, expect, it } from 'vitest';
import type { RunRef } from '../../../src/domain/extraction-input.js';
import { type FoldSelection, foldedMs, summedMs } from '../../../src/ports/fold-store.js';
import type { Store } from '../../../src/ports/store.js';
import type { StoreUnderTest } from './fixtures.js';
import { accepted, landing, newCall, newExtraction, openRun, redrive, rejected } from './fixtures.js';

/** An hour of this suite's own, and instants of it. */
const hour = 400_000 * foldedMs;
const at = hour + 60_000;

export function foldCases(store: StoreUnderTest): void {
  const of = (given: Omit<FoldSelection, 'version'>): FoldSelection => ({ ...given, version: 1 });

  /** A run that began then and has ended. */
  async function ended(tenant: string, startedAt = at, given = {}): Promise<RunRef> {
    const ref = await openRun(store(), { tenant, at: startedAt, ...given });
    await store().attempts.commit(rejected(ref, { at: startedAt + 1_000 }));
    await store().extractions.land(landing(ref, { at: startedAt + 2_000 }));
    return ref;
  }

  /** Folds to the number of runs. */
  async function keep(selection: FoldSelection, hours: readonly number[]): Promise<void> {
    await store().folds.keep(selection, hours, async (parts) => {
      const counts = new Map<number, number>();
      for await (const runs of parts) {
        for (const { startedAt } of runs) {
          const began = Math.floor(startedAt / foldedMs) * foldedMs;
          counts.set(began, (counts.get(began) ?? 0) + 1);
        }
      }
      return new Map([...counts].map(([began, count]) => [began, `${count} folded`]));
    });
  }

  /** What is read: texts of folds, and the beginnings of runs, since the hour. */
  async function read(selection: FoldSelection, since = hour): Promise<(string | number)[]> {
    const found: (string | number)[] = [];
    for await (const part of store().folds.read(selection, since)) {
      if ('fold' in part) found.push(part.fold);
      else found.push(...part.runs.map(({ startedAt }) => (startedAt - hour) / 60_000).sort());
    }
    return found;
  }

  const missing = (selection: FoldSelection, since = hour, until = hour + 9 * foldedMs) =>
    store().folds.missing(selection, { since, until });

  describe('folds of hours', () => {
    it('are missing for whole hours of which no run is open, once there is any run', async () => {
      const tenant = 'fold missing';
      await ended(tenant);
      await ended(tenant, at + 3 * foldedMs);
      await ended(tenant, at + 5 * foldedMs);
      await openRun(store(), { tenant, at: at + 5 * foldedMs });
      const asked = async (...given: Parameters<typeof missing>) =>
        (await missing(...given)).map((each) => (each - hour) / foldedMs);
      expect(await asked(of({ tenant }))).toEqual([0, 1, 2, 3, 4, 6, 7, 8]);
      expect(await asked(of({ tenant }), hour + 1)).toEqual([1, 2, 3, 4, 6, 7, 8]);
      expect(await asked(of({ tenant }), hour, hour + foldedMs - 1)).toEqual([]);
      expect(await asked(of({ tenant }), hour + foldedMs, hour + 3 * foldedMs)).toEqual([]);
      await keep(of({ tenant }), [hour]);
      expect(await asked(of({ tenant }))).toEqual([1, 2, 3, 4, 6, 7, 8]);
      expect(await asked({ tenant, version: 2 })).toEqual([0, 1, 2, 3, 4, 6, 7, 8]);
      expect(await asked(of({ tenant: 'nobody' }))).toEqual([]);
    });

    it('are read instead of the runs of their hour, and those of all other hours as they are', async () => {
      const tenant = 'fold read';
      await ended(tenant);
      await ended(tenant, at + 60_000);
      await ended(tenant, at + foldedMs);
      await ended(tenant, at + 2 * foldedMs);
      await ended(tenant, at + 4 * foldedMs);
      expect(await read(of({ tenant }))).toEqual([1, 121, 2, 241, 61]);
      await keep(of({ tenant }), [hour, hour + 2 * foldedMs]);
      expect(await read(of({ tenant }))).toEqual(['2 folded', '1 folded', 61, 241]);
      // Of an hour that is cut, its runs are read.
      expect(await read(of({ tenant }), at + 1)).toEqual(['1 folded', 2, 61, 241]);
      expect(await read({ tenant, version: 2 })).toEqual([1, 121, 2, 241, 61]);
    });

    it('are of the runs that were selected, each tenant for itself, and of no evaluation unless it is named', async () => {
      const began = hour + 20 * foldedMs;
      const own = { tenant: 'fold "a", b' };
      await ended(own.tenant, began);
      await ended(own.tenant, began, { specId: 'invoice' });
      await ended(own.tenant, began, { promptVersion: 'v8' });
      await ended('fold other', began);
      await ended('eval-fold', began);
      const selections: [Omit<FoldSelection, 'version'>, string][] = [
        [own, '3 folded'],
        [{ ...own, specId: 'claim' }, '2 folded'],
        [{ ...own, promptVersion: 'v8' }, '1 folded'],
        [{ tenant: 'eval-fold' }, '1 folded'],
        [{}, '4 folded'],
      ];
      for (const [selection] of selections) await keep(of(selection), [began]);
      for (const [selection, fold] of selections) expect(await read(of(selection), began)).toEqual([fold]);
    });

    const changes: Readonly<Record<string, (ref: RunRef, store: Store) => Promise<unknown>>> = {
      'a reply comes late': (ref, { attempts }) => attempts.commit(accepted(ref, {}, 2)),
      'a call begins': (ref, { attempts }) => attempts.beginCall(newCall(ref, { attempt: 2 })),
      'its document is erased': ({ tenant, documentHash }, { retention }) =>
        retention.erase(tenant, documentHash, at),
      'a run is begun as if then': ({ tenant }, { extractions }) =>
        extractions.open(newExtraction({ tenant, at: at + 7 }), false),
    };
    it.each(Object.entries(changes))('are forgotten when %s', async (name, change) => {
      const tenant = `fold ${name}`;
      const ref = await ended(tenant);
      await ended(tenant, at + foldedMs);
      await keep(of({ tenant }), [hour, hour + foldedMs]);
      await keep(of({ tenant, specId: 'claim' }), [hour]);
      expect(await read(of({ tenant }))).toEqual(['1 folded', '1 folded']);
      await change(ref, store());
      expect(await read(of({ tenant }))).toEqual(['1 folded', expect.any(Number), ...(await rest(name))]);
      expect(await read(of({ tenant, specId: 'claim' }))).not.toContain('1 folded');
    });
    const rest = async (name: string) => (name === 'a run is begun as if then' ? [expect.any(Number)] : []);

    it('are forgotten when a call of theirs ends that outlived its run', async () => {
      const tenant = 'fold outlived';
      const ref = await openRun(store(), { tenant, at });
      const callId = await store().attempts.beginCall(newCall(ref, { at: at + 10 }));
      await store().extractions.land(landing(ref, { at: at + 2_000 }));
      await keep(of({ tenant }), [hour]);
      expect(await read(of({ tenant }))).toEqual(['1 folded']);
      await store().attempts.endCall({
        ...{ callId, state: 'answered', faultClass: null, status: null, requestId: null, usage: 'unknown' },
        spending: { tokens: 500, cost: { amount: '0.0005', currency: 'USD' }, known: true },
        at: at + 9_000,
      });
      expect(await read(of({ tenant }))).toEqual([1]);
    });

    it('stay when a redrive begins in another hour', async () => {
      const tenant = 'fold redriven';
      const first = newExtraction({ tenant, at });
      const ref = await redrive(store(), first);
      await store().extractions.land(landing(ref, { at: at + 2_000 }));
      await keep(of({ tenant }), [hour]);
      await redrive(store(), { ...first, at: at + foldedMs });
      expect(await read(of({ tenant }))).toEqual(['1 folded', 61]);
    });

    it('are not kept of what is changed while they are made', async () => {
      const tenant = 'fold meanwhile';
      const ref = await ended(tenant);
      let change: Promise<unknown> = Promise.resolve();
      await store().folds.keep(of({ tenant }), [hour], async (parts) => {
        for await (const runs of parts) expect(runs).toHaveLength(1);
        // It waits until this fold is kept, and then forgets it.
        change = store().attempts.commit(accepted(ref, {}, 2));
        return new Map([[hour, 'too old']]);
      });
      await change;
      expect(await read(of({ tenant }))).toEqual([1]);
    });

    it('go when they are old', async () => {
      const tenant = 'fold old';
      await ended(tenant, at - 900 * foldedMs);
      await ended(tenant);
      await keep(of({ tenant }), [hour - 900 * foldedMs, hour]);
      await store().folds.forget(hour - foldedMs);
      expect(await read(of({ tenant }), hour - 900 * foldedMs)).toEqual(['1 folded', -900 * 60 + 1]);
    });
  });

  describe('folds of days', () => {
    /** A day of this suite's own, in which all hours but those named are folded. */
    const day = Math.ceil(hour / summedMs) * summedMs;
    const hours = (but: readonly number[] = []) =>
      Array.from({ length: 24 }, (_, index) => day + index * foldedMs).filter(
        (_, index) => !but.includes(index),
      );
    async function keepHours(selection: FoldSelection, but: readonly number[] = []): Promise<void> {
      await store().folds.keep(selection, hours(but), async (parts) => {
        const counts = new Map(hours(but).map((began) => [began, 0]));
        for await (const runs of parts)
          for (const { startedAt } of runs) {
            const began = Math.floor(startedAt / foldedMs) * foldedMs;
            counts.set(began, (counts.get(began) ?? 0) + 1);
          }
        return new Map([...counts].map(([began, count]) => [began, `${count}`]));
      });
    }
    const keepDays = (selection: FoldSelection, since = day, until = day + 2 * summedMs) =>
      store().folds.keepDays(selection, { since, until }, (folds) => `day ${folds.join('')}`);
    const folded = `day 11${'0'.repeat(21)}1`;

    async function threeRuns(tenant: string): Promise<RunRef> {
      const ref = await ended(tenant, day);
      await ended(tenant, day + 2 * foldedMs - 1);
      await ended(tenant, day + summedMs - 1);
      return ref;
    }

    it('are of all hours in order, and read instead of them, unless the day is cut', async () => {
      const selection = of({ tenant: 'day read' });
      await threeRuns('day read');
      await ended('day read', day + summedMs);
      await keepHours(selection);
      await keepDays(selection, day + 1);
      await keepDays(selection, day, day + summedMs - 1);
      expect(await read(selection, day)).toHaveLength(25);
      await keepDays(selection);
      const next = (day + summedMs - hour) / 60_000;
      expect(await read(selection, day)).toEqual([folded, next]);
      expect(await read(selection, day - 5)).toEqual([folded, next]);
      expect((await read(selection, day + 1)).slice(0, 3)).toEqual(['1', '0', '0']);
      expect(await read({ ...selection, version: 2 }, day)).toHaveLength(4);
    });

    it('are not kept while an hour of theirs is missing', async () => {
      const selection = of({ tenant: 'day missing' });
      await threeRuns('day missing');
      await keepHours(selection, [23]);
      await keepDays(selection);
      expect(await read(selection, day)).toHaveLength(24);
    });

    it('are forgotten when something of an hour of theirs changes, and go when they are old', async () => {
      const [changed, old] = [of({ tenant: 'day changed' }), of({ tenant: 'day old' })];
      const ref = await threeRuns('day changed');
      await threeRuns('day old');
      for (const selection of [changed, old]) {
        await keepHours(selection);
        await keepDays(selection);
        expect(await read(selection, day)).toEqual([folded]);
      }
      await store().attempts.commit(accepted(ref, {}, 2));
      expect(await read(changed, day)).toHaveLength(24);
      await keepHours(changed, [1, 2]);
      await keepDays(changed);
      expect(await read(changed, day)).toEqual([folded]);
      await store().folds.forget(day + 1);
      expect(await read(old, day)).toEqual([...folded.slice('day 1'.length), (day - hour) / 60_000]);
    });
  });
}
