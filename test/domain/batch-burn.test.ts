import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BatchCount, BatchOrder } from '../../src/domain/batch.js';
import { admitted } from '../../src/domain/batch-burn.js';
import { admission, afterStep, beginBatch, endOf, nextStep } from '../../src/domain/batch-window.js';

const room = {
  ...{ budgetTokens: 100_000, tokens: 0, cap: 3, places: 20, underWay: 0, beyond: 0 },
  ...{ attemptTokens: 3_000, usualTokens: 1_000 },
};

describe('given the room that a budget leaves', () => {
  it('when it is wide, then only the places bound what begins', () => {
    expect(admitted({ ...room, budgetTokens: 10_000_000 })).toEqual({ documents: 20, cap: 3 });
    expect(admitted({ ...room, places: 0 })).toEqual({ documents: 0, cap: 3 });
  });

  it('when it is narrow, then each document reserves its first attempt and its dearest repairs', () => {
    // 100,000 / (1,000 + 2 x 3,000) = 14.3.
    expect(admitted(room)).toEqual({ documents: 14, cap: 3 });
    // Under a cap of 1 there is no repair to reserve.
    expect(admitted({ ...room, cap: 1 })).toEqual({ documents: 20, cap: 1 });
    // What is under way has reserved as well: 100,000 - 5 x 1,000 - 10 x 3,000 = 65,000.
    expect(admitted({ ...room, underWay: 5, beyond: 10, places: 15 })).toEqual({ documents: 9, cap: 3 });
  });

  it('when the rest does not hold a document with all its repairs, then one begins under a lower cap', () => {
    expect(admitted({ ...room, tokens: 96_000 })).toEqual({ documents: 1, cap: 2 });
    expect(admitted({ ...room, tokens: 98_000 })).toEqual({ documents: 1, cap: 1 });
    expect(admitted({ ...room, tokens: 98_000, underWay: 1 })).toEqual({ documents: 0, cap: 3 });
  });

  it('when it is spent, then none begins', () => {
    expect(admitted({ ...room, tokens: 100_000 })).toEqual({ documents: 0, cap: 3 });
  });
});

/** A run under way: the attempts it needs in all, what each costs, and those it has made. */
interface Run {
  readonly needs: readonly number[];
  cap: number;
  made: number;
}

interface World {
  readonly documents: readonly (readonly number[])[];
  readonly order: BatchOrder;
  /** How many attempts happen, over all runs under way, between two looks. */
  readonly pace: readonly number[];
}

/** Any documents, any budget and any pace at which attempts happen between two looks. */
const worlds: fc.Arbitrary<World> = fc
  .record({
    documents: fc.array(fc.array(fc.constantFrom(1, 500, 2_000, 2_000), { minLength: 1, maxLength: 4 }), {
      minLength: 1,
      maxLength: 60,
    }),
    inFlight: fc.integer({ min: 1, max: 20 }),
    cap: fc.integer({ min: 1, max: 4 }),
    budgetTokens: fc.option(fc.integer({ min: 1, max: 120_000 })),
    pace: fc.array(fc.integer({ min: 0, max: 80 }), { minLength: 1, maxLength: 12 }),
  })
  .map(({ documents, pace, ...rest }) => ({
    documents,
    pace,
    order: {
      ...{ id: 'b', tenant: 't', specId: 's', attemptTokens: 2_000, deadlineAt: null },
      ...rest,
      documents: documents.length,
    },
  }));

interface Ended {
  readonly ended: number;
  readonly gone: number;
  readonly tokens: number;
  /** Budget plus the dearest attempt of each document that was under way when it was exceeded. */
  readonly most: number;
  readonly caps: readonly number[];
  readonly mostUnderWay: number;
}

/** Runs a batch by its own decisions; each run makes its attempts until it has what it needs or its cap stops it. */
function play({ documents, order, pace }: World): Ended {
  const waiting = [...documents];
  const underWay: Run[] = [];
  const completed: { tokens: number; attempts: number }[] = [];
  let gone = 0;
  let most = Number.POSITIVE_INFINITY;
  let mostUnderWay = 0;
  /** Under way when the last one began: what has ended since may have cost more than is usual. */
  let sinceLastBegan = 0;
  const caps: number[] = [];
  const spentBy = ({ needs, made }: Run) => needs.slice(0, made).reduce((sum, tokens) => sum + tokens, 0);
  const spent = () =>
    completed.reduce((sum, { tokens }) => sum + tokens, 0) +
    underWay.reduce((sum, run) => sum + spentBy(run), 0);
  const settle = () => {
    for (const run of [...underWay]) {
      if (run.made < run.needs.length && run.made < run.cap) continue;
      underWay.splice(underWay.indexOf(run), 1);
      completed.push({ tokens: spentBy(run), attempts: run.made });
    }
  };
  const count = (cap: number): BatchCount => ({
    ...{ waiting: waiting.length, underWay: underWay.length, ownUnderWay: underWay.length },
    ...{ verified: completed.length, unverified: { batch_budget: gone }, refused: 0 },
    parts: { own: completed.length + underWay.length + gone, followed: 0, known: 0, repeated: 0, refused: 0 },
    completed: completed.length + gone,
    completedTokens: completed.reduce((sum, { tokens }) => sum + tokens, 0),
    completedAttempts: completed.reduce((sum, { attempts }) => sum + attempts, 0),
    tokens: spent(),
    beyond: underWay.reduce((sum, run) => sum + Math.max(0, cap - 1 - run.made), 0),
    largestAttemptTokens: Math.max(0, ...completed.map(({ tokens, attempts }) => tokens / attempts)),
  });
  let window = beginBatch(order);
  for (let look = 0; look < 10_000; look += 1) {
    const step = nextStep(window);
    if (step === null) {
      return { ended: completed.length + gone, gone, tokens: spent(), most, caps, mostUnderWay };
    }
    caps.push(step.cap);
    settle();
    if (step.tells) for (const run of underWay) run.cap = Math.min(run.cap, Math.max(1, step.cap));
    settle();
    let now = count(step.cap);
    for (let begun = admission(step, now); begun.documents > 0; begun = admission(step, now)) {
      for (const needs of waiting.splice(0, begun.documents)) {
        if (begun.cap === 0) gone += 1;
        else underWay.push({ needs, cap: begun.cap, made: 0 });
      }
      if (begun.cap > 0) sinceLastBegan = underWay.length;
      now = count(step.cap);
    }
    mostUnderWay = Math.max(mostUnderWay, underWay.length);
    window = afterStep(window, step, { count: now, ended: endOf(step, now) });
    const attempts = (pace[look % pace.length] ?? 0) + (look % pace.length === 0 ? 1 : 0);
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const able = underWay.filter((run) => run.made < run.needs.length && run.made < run.cap);
      const next = able[(attempt * 7) % Math.max(1, able.length)];
      if (next === undefined) break;
      const before = spent();
      next.made += 1;
      const { budgetTokens } = order;
      if (budgetTokens !== null && before < budgetTokens && spent() >= budgetTokens) {
        most = budgetTokens + sinceLastBegan * order.attemptTokens;
      }
    }
  }
  throw new Error('The batch does not end.');
}

describe('given any batch, at any pace', () => {
  it('when it runs, then every document ends exactly once, and the window is kept', () => {
    fc.assert(
      fc.property(worlds, (world) => {
        const { ended, mostUnderWay } = play(world);
        expect(ended).toBe(world.documents.length);
        expect(mostUnderWay).toBeLessThanOrEqual(world.order.inFlight);
      }),
    );
  });

  it('when it has a budget, then that is exceeded by one attempt for each document under way when the last one began', () => {
    fc.assert(
      fc.property(worlds, (world) => {
        const { tokens, most } = play(world);
        expect(tokens).toBeLessThanOrEqual(most);
      }),
      { numRuns: 2_000 },
    );
  });

  it('when documents went without a call, then the budget was spent, and only then', () => {
    fc.assert(
      fc.property(worlds, (world) => {
        const { gone, tokens } = play(world);
        const { budgetTokens } = world.order;
        if (gone > 0) expect(tokens).toBeGreaterThanOrEqual(budgetTokens ?? Number.POSITIVE_INFINITY);
        if (budgetTokens === null) expect(gone).toBe(0);
      }),
    );
  });

  it('when the cap changes, then it is lowered, never raised', () => {
    fc.assert(
      fc.property(worlds, (world) => {
        const { caps } = play(world);
        expect(caps).toEqual([...caps].sort((left, right) => right - left));
      }),
    );
  });
});
