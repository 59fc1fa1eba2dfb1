import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { combine, runsOf, sum } from '../../src/domain/batch-tally.js';
import type { BatchTally, RedriveOrder, RedriveStep, RedriveStepped } from '../../src/domain/redrive.js';
import {
  afterStep,
  beginRedrive,
  cancelRedrive,
  nextStep,
  type RedriveWindow,
  reportOf,
  restOf,
} from '../../src/domain/redrive-window.js';

const order: RedriveOrder = {
  id: 'monday',
  selection: { promptVersion: 'v7' },
  promptVersion: 'v8',
  most: null,
  inFlight: 4,
  perSecond: null,
  beganAt: 1,
  parked: 100,
};

const none: BatchTally = { open: 0, verified: 0, unverified: {} };

function stepped(changes: Partial<RedriveStepped> = {}): RedriveStepped {
  return {
    cursor: 'here',
    isExhausted: false,
    batch: none,
    attached: [],
    newlyAttached: 0,
    attachedEnded: { verified: 0, unverified: {} },
    alreadyVerified: 0,
    taken: 0,
    refused: 0,
    ...changes,
  };
}

/** After its first look, which found nothing of its own from before. */
const looked = (changes: Partial<RedriveOrder> = {}): RedriveWindow =>
  afterStep(beginRedrive({ ...order, ...changes }), stepped({ cursor: null }));

describe('a tally', () => {
  it('counts all runs of a batch, and adds and takes away by reason', () => {
    expect(runsOf({ open: 1, verified: 2, unverified: { refusal: 3, deadline: 4 } })).toBe(10);
    expect(sum({})).toBe(0);
    expect(combine({ refusal: 3 }, { refusal: 1, deadline: 2 })).toEqual({ refusal: 4, deadline: 2 });
    expect(combine({ refusal: 3, deadline: 2 }, { refusal: 1, deadline: 2 }, -1)).toEqual({ refusal: 2 });
  });
});

describe('given a redrive', () => {
  it('when it begins, then it first looks what there is of it already', () => {
    const window = beginRedrive(order);
    expect(nextStep(window)).toMatchObject({ most: 0, cursor: null, accounted: 0 });
    expect(reportOf(window)).toMatchObject({ state: 'running', selected: 0 });
  });

  it('when an earlier one of its id left runs behind, then only what is new counts, and those under way are followed', () => {
    const before = { open: 2, verified: 5, unverified: { refusal: 3 } };
    const window = afterStep(beginRedrive(order), stepped({ batch: before }));
    expect(reportOf(window)).toMatchObject({
      started: 0,
      attached: 2,
      recovered: 0,
      returned: 0,
      underWay: 2,
    });
    const after = { open: 1, verified: 6, unverified: { refusal: 3, deadline: 1 } };
    expect(reportOf(afterStep(window, stepped({ batch: after })))).toMatchObject({
      ...{ started: 1, attached: 2, recovered: 1, returned: 1, returnedBy: { deadline: 1 }, underWay: 1 },
    });
  });

  it('when there is room, then it goes on at once, fifty at a time at most', () => {
    const window = looked({ inFlight: 1_000 });
    expect(nextStep(window)).toMatchObject({ most: 50 });
    expect(restOf(window)).toBe(0);
  });

  it('when a rate is set, then no piece starts more than it and a second lies between them', () => {
    const window = looked({ perSecond: 3 });
    expect(nextStep(window)).toMatchObject({ most: 3 });
    const next = afterStep(window, stepped({ batch: { ...none, open: 3 } }));
    expect(restOf(next)).toBe(1_000);
  });

  it('when at most some are asked for, then what was refused or taken does not count as run', () => {
    const window = afterStep(
      looked({ most: 5 }),
      stepped({
        batch: { ...none, open: 1 },
        newlyAttached: 1,
        attached: [{ key: 'a', run: 2 }],
        refused: 7,
        taken: 2,
      }),
    );
    expect(nextStep(window)).toMatchObject({ most: 3, accounted: 1, attached: [{ key: 'a', run: 2 }] });
    const full = afterStep(
      window,
      stepped({ batch: { ...none, open: 4 }, attached: [{ key: 'a', run: 2 }] }),
    );
    expect(nextStep(full)).toMatchObject({ most: 0 });
    const over = afterStep(
      full,
      stepped({
        batch: { ...none, verified: 4 },
        attachedEnded: { verified: 0, unverified: { refusal: 1 } },
      }),
    );
    expect(nextStep(over)).toBeNull();
    expect(reportOf(over)).toMatchObject({
      ...{
        state: 'finished',
        selected: 14,
        started: 4,
        attached: 1,
        recovered: 4,
        returned: 1,
        refused: 7,
        taken: 2,
      },
    });
  });

  it('when the window is full, then it rests, longer the longer nothing happens', () => {
    let window = afterStep(looked(), stepped({ batch: { ...none, open: 4 } }));
    const rests: number[] = [];
    for (let look = 0; look < 7; look += 1) {
      rests.push(restOf(window));
      window = afterStep(window, stepped({ batch: { ...none, open: 4 } }));
    }
    expect(rests).toEqual([1_000, 2_000, 3_000, 4_000, 5_000, 5_000, 5_000]);
    window = afterStep(window, stepped({ batch: { ...none, open: 3, verified: 1 } }));
    expect(restOf(window)).toBe(0);
  });

  it('when there is room but nothing comes of it, then it does not ask without rest', () => {
    let window = looked();
    for (let look = 0; look < 5; look += 1) window = afterStep(window, stepped());
    expect(restOf(window)).toBeGreaterThan(0);
  });

  it('when the selection is exhausted, then it only looks until its runs have ended', () => {
    const window = afterStep(looked(), stepped({ isExhausted: true, batch: { ...none, open: 2 } }));
    expect(nextStep(window)).toMatchObject({ most: 0 });
    expect(restOf(window)).toBe(1_000);
    expect(reportOf(window).state).toBe('running');
    const over = afterStep(window, stepped({ batch: { ...none, verified: 2 } }));
    expect(nextStep(over)).toBeNull();
    expect(reportOf(over).state).toBe('finished');
  });

  it('when it is cancelled, then nothing more is done and what is under way is named', () => {
    const window = cancelRedrive(afterStep(looked(), stepped({ batch: { ...none, open: 2 } })));
    expect(nextStep(window)).toBeNull();
    expect(reportOf(window)).toMatchObject({ state: 'cancelled', underWay: 2 });
  });
});

/** A store with letters in it: what a piece finds there is drawn. */
interface World {
  letters: ('runs' | 'attached' | 'verified' | 'taken' | 'refused')[];
  open: number;
  attached: number;
  verified: number;
  unverified: number;
}

/** Carries out one piece as the use case does. */
function carryOut(world: World, step: RedriveStep, ending: number): RedriveStepped {
  const endings = Math.min(world.open, ending % 3);
  world.open -= endings;
  world.verified += endings;
  const attachedEndings = Math.min(world.attached, ending % 2);
  world.attached -= attachedEndings;
  const counts = { newlyAttached: 0, alreadyVerified: 0, taken: 0, refused: 0 };
  let places = Math.min(step.most, step.order.inFlight - world.open - world.attached);
  while (places > 0 && world.letters.length > 0) {
    const letter = world.letters.shift();
    if (letter === 'runs') world.open += 1;
    if (letter === 'attached') {
      world.attached += 1;
      counts.newlyAttached += 1;
    }
    if (letter === 'verified') counts.alreadyVerified += 1;
    if (letter === 'taken') counts.taken += 1;
    if (letter === 'refused') counts.refused += 1;
    if (letter === 'runs' || letter === 'attached') places -= 1;
  }
  return stepped({
    ...counts,
    isExhausted: step.most > 0 && places > 0,
    batch: { open: world.open, verified: world.verified, unverified: {} },
    attached: Array.from({ length: world.attached }, (_, run) => ({ key: 'k', run })),
    attachedEnded: { verified: 0, unverified: attachedEndings === 0 ? {} : { refusal: attachedEndings } },
  });
}

describe('every redrive', () => {
  it('ends, keeps to its bounds and accounts for every letter', () => {
    const kinds = fc.constantFrom('runs', 'attached', 'verified', 'taken', 'refused' as const);
    fc.assert(
      fc.property(
        fc.array(kinds, { maxLength: 60 }),
        fc.record({
          inFlight: fc.integer({ min: 1, max: 8 }),
          perSecond: fc.option(fc.integer({ min: 1, max: 5 })),
          most: fc.option(fc.integer({ min: 1, max: 30 })),
        }),
        fc.array(fc.nat(6), { minLength: 1, maxLength: 20 }),
        (letters, bounds, endings) => {
          const world: World = { letters: [...letters], open: 0, attached: 0, verified: 0, unverified: 0 };
          let window = beginRedrive({ ...order, ...bounds });
          let steps = 0;
          for (let step = nextStep(window); step !== null; step = nextStep(window)) {
            steps += 1;
            if (steps > 2_000) throw new Error('it does not end');
            const before = runsOf(window.batch);
            // From time to time nothing ends, but never for ever.
            window = afterStep(
              window,
              carryOut(world, step, steps % 7 === 0 ? 5 : (endings[steps % endings.length] ?? 0)),
            );
            const report = reportOf(window);
            expect(report.underWay).toBeLessThanOrEqual(bounds.inFlight);
            expect(runsOf(window.batch) - before).toBeLessThanOrEqual(bounds.perSecond ?? 50);
            expect(report.started + report.attached).toBe(
              report.recovered + report.returned + report.underWay,
            );
          }
          const report = reportOf(window);
          expect(report).toMatchObject({ state: 'finished', underWay: 0 });
          expect(report.started + report.attached).toBeLessThanOrEqual(bounds.most ?? 60);
          if (bounds.most === null) expect(report.selected).toBe(letters.length);
          expect(report.selected).toBe(letters.length - world.letters.length);
        },
      ),
    );
  });
});
