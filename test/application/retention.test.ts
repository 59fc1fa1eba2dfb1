import { describe, expect, it } from 'vitest';
import { setRetention, sweepRetention, sweepSome } from '../../src/application/retention.js';
import { addSwept, nothingSwept, type SweepPoint, type SweptSome } from '../../src/domain/retention-sweep.js';
import type { SweepAsk, SweepStep } from '../../src/ports/retention-store.js';
import { createBench, epoch } from '../support/fakes/bench.js';

const dayMs = 86_400_000;

describe('a retention', () => {
  it('is kept with the instant at which it was set', async () => {
    const { app, store } = createBench();
    await setRetention(app, { tenant: 'acme', documentDays: 30, recordDays: 30 });
    expect(await store.retention.rules()).toEqual([
      { tenant: 'acme', documentDays: 30, recordDays: 30, setAt: epoch + 1 },
    ]);
  });

  it.each([
    [{ documentDays: 0 }, /1 to 36500 days/],
    [{ documentDays: 1.5 }, /1 to 36500 days/],
    [{ documentDays: 40_000 }, /1 to 36500 days/],
    [{ recordDays: 40_000 }, /1 to 36500 days/],
    [{ documentDays: 30, recordDays: 29 }, /at least as long as the documents/],
    [{ tenant: 'two words' }, /A tenant is 1 to 64 letters/],
  ])('of %j is refused', async (changes, message) => {
    const { app, store } = createBench();
    const rule = { tenant: 'acme', documentDays: 1, recordDays: null, ...changes };
    await expect(setRetention(app, rule)).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringMatching(message),
    });
    expect(await store.retention.rules()).toEqual([]);
  });
});

describe('a sweep', () => {
  /** A store whose steps answer as scripted, and what they were asked. */
  const scripted = async (documents: SweepStep[], records: SweepStep[]) => {
    const { app, store } = createBench();
    await setRetention(app, { tenant: 'acme', documentDays: 2, recordDays: 10 });
    await setRetention(app, { tenant: 'bolt', documentDays: 3, recordDays: null });
    const asked: (readonly [what: string, ask: SweepAsk])[] = [];
    const next = (what: string, steps: SweepStep[]) => async (ask: SweepAsk) => {
      asked.push([what, ask]);
      const step = steps.shift();
      if (step === undefined) throw new Error(`No more steps for ${what}.`);
      return step;
    };
    const retention = {
      ...store.retention,
      forgetDocuments: next('documents', documents),
      forgetRecords: next('records', records),
    };
    return { app: { ...app, store: { ...store, retention } }, asked };
  };

  const through = { erased: 0, kept: 0, next: null };
  const place = { at: 7, name: 'h' };

  it('goes on where each step ended, tenant by tenant, and counts', async () => {
    const { app, asked } = await scripted(
      [{ erased: 5, kept: 1, next: place }, { erased: 2, kept: 3, next: null }, through],
      [{ erased: 4, kept: 9, next: null }],
    );
    expect(await sweepRetention(app)).toEqual([
      { tenant: 'acme', documents: 7, inUse: 4, records: 4 },
      { tenant: 'bolt', documents: 0, inUse: 0, records: 0 },
    ]);
    expect(asked.map(([what, { tenant, after }]) => [what, tenant, after])).toEqual([
      ['documents', 'acme', null],
      ['documents', 'acme', place],
      ['records', 'acme', null],
      ['documents', 'bolt', null],
    ]);
    for (const [what, { tenant, before, at }] of asked) {
      const days = tenant === 'bolt' ? 3 : what === 'records' ? 10 : 2;
      expect(at - before).toBe(days * dayMs);
    }
  });

  it('in parts comes to the same, and each part is bounded', async () => {
    const many = Array.from({ length: 45 }, (_, n) => ({ erased: 1, kept: 0, next: { at: n, name: 'h' } }));
    const { app, asked } = await scripted(
      [...many, { erased: 1, kept: 2, next: null }, { erased: 3, kept: 0, next: null }],
      [{ erased: 4, kept: 0, next: null }],
    );
    const parts: SweptSome[] = [];
    let from: SweepPoint | null = null;
    do {
      const before = asked.length;
      const part: SweptSome = await sweepSome(app, from);
      expect(asked.length - before).toBeLessThanOrEqual(20);
      parts.push(part);
      from = part.next;
    } while (from !== null);
    expect(parts.map(({ next }) => next)).toEqual([
      { tenant: 'acme', part: 'documents', after: { at: 19, name: 'h' } },
      { tenant: 'acme', part: 'documents', after: { at: 39, name: 'h' } },
      null,
    ]);
    expect(parts.map(({ swept }) => swept).reduce(addSwept)).toEqual({ documents: 49, inUse: 2, records: 4 });
    expect(asked.map(([, { after }]) => after?.at ?? null)).toEqual([
      null,
      ...many.map((_, n) => n),
      null,
      null,
    ]);
  });

  it('passes by a rule that was removed meanwhile, and starts the next one at its oldest', async () => {
    const { app, asked } = await scripted([through], []);
    await app.store.retention.unset('acme');
    expect(await sweepSome(app, { tenant: 'acme', part: 'records', after: place })).toEqual({
      ...{ swept: nothingSwept, next: null },
    });
    expect(asked.map(([what, { tenant, after }]) => [what, tenant, after])).toEqual([
      ['documents', 'bolt', null],
    ]);
    await app.store.retention.unset('bolt');
    expect(await sweepSome(app, { tenant: 'acme', part: 'records', after: place })).toMatchObject({
      next: null,
    });
  });

  it('without any rule does nothing', async () => {
    expect(await sweepRetention(createBench().app)).toEqual([]);
    expect(await sweepSome(createBench().app, null)).toEqual({ swept: nothingSwept, next: null });
  });
});
