import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { batchCap } from '../../src/domain/batch-burn.js';
import { allowedRepairs } from '../../src/domain/repair-budget.js';
import { Agenda } from '../../src/simulator/agenda.js';
import { randomArrivals } from '../../src/simulator/arrivals.js';
import { createDice, documentId, exponential, logNormal, pick } from '../../src/simulator/dice.js';
import { RepairTraffic } from '../../src/simulator/repair-traffic.js';
import { Server } from '../../src/simulator/server.js';

const draw = (count: number, next: () => number) => Array.from({ length: count }, next);
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

describe('given dice', () => {
  it('when seed and stream are the same, then so is every throw; another of either throws otherwise', () => {
    const throws = (seed: number, stream: number) => {
      const dice = createDice(seed, stream);
      return draw(20, () => dice.next());
    };
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 0, max: 2 ** 41 }), (seed, stream) => {
        expect(throws(seed, stream)).toEqual(throws(seed, stream));
        expect(throws(seed, stream)).not.toEqual(throws(seed + 1, stream));
        expect(throws(seed, stream)).not.toEqual(throws(seed, stream + 1));
      }),
    );
  });

  it('when neighbouring streams are thrown once, then the throws are as even as one stream', () => {
    const firsts = Array.from({ length: 20_000 }, (_, stream) => createDice(1, stream).next());
    // Four standard errors of the mean and of the share below a tenth.
    expect(Math.abs(mean(firsts) - 0.5)).toBeLessThan(4 * Math.sqrt(1 / 12 / 20_000));
    const low = firsts.filter((value) => value < 0.1).length / 20_000;
    expect(Math.abs(low - 0.1)).toBeLessThan(4 * Math.sqrt(0.09 / 20_000));
  });

  it('when durations are drawn, then they have the mean and the median that were asked for', () => {
    const dice = createDice(3, 0);
    const waits = draw(40_000, () => exponential(dice, 500));
    expect(Math.abs(mean(waits) - 500)).toBeLessThan((4 * 500) / Math.sqrt(40_000));
    const long = draw(40_000, () => logNormal(dice, 2_000, 0.4));
    const above = long.filter((value) => value > 2_000).length / 40_000;
    expect(Math.abs(above - 0.5)).toBeLessThan(0.01);
    const aboveOne = long.filter((value) => value > 2_000 * Math.exp(0.4)).length / 40_000;
    expect(Math.abs(aboveOne - 0.1587)).toBeLessThan(0.008);
  });

  it('when one of several is picked, then by weight, and never one without any', () => {
    const dice = createDice(4, 0);
    const entries = [
      { name: 'a', weight: 1 },
      { name: 'never', weight: 0 },
      { name: 'b', weight: 3 },
    ];
    const picked = draw(8_000, () => (pick(dice, entries).name === 'a' ? 1 : 0));
    expect(Math.abs(mean(picked) - 0.25)).toBeLessThan(0.02);
    expect(pick({ next: () => 1 }, [...entries, { name: 'never', weight: 0 }]).name).toBe('b');
    expect(() => pick(dice, [{ weight: 0 }])).toThrow('There is nothing to pick from.');
  });

  it('when a hundred thousand documents are named, then hardly two alike, all in 12 hexadecimal digits', () => {
    const ids = new Set(Array.from({ length: 100_000 }, (_, index) => documentId(7, index)));
    // Of 2^48 names, two alike among so many are a chance of one in 56,000.
    expect(ids.size).toBe(100_000);
    for (const id of [...ids].slice(0, 100)) expect(id).toMatch(/^[0-9a-f]{12}$/);
    expect(documentId(7, 1)).not.toBe(documentId(8, 1));
  });
});

describe('given an agenda', () => {
  it('when entries are added in any order, then they come by time, and at one instant in the order of writing', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(20)), (times) => {
        const agenda = new Agenda<number>();
        for (const [index, at] of times.entries()) agenda.add(at, index);
        const expected = [...times.entries()].sort(([i, a], [j, b]) => a - b || i - j);
        for (const [index, at] of expected) {
          expect(agenda.nextAt).toBe(at);
          expect(agenda.take()).toBe(index);
        }
        expect(agenda.nextAt).toBe(Number.POSITIVE_INFINITY);
        expect(agenda.take()).toBeUndefined();
      }),
    );
  });
});

describe('given random arrivals', () => {
  it('when phases alternate, then documents come at their rates, in order, and none in a quiet phase', () => {
    const arrivals = randomArrivals(5, [
      { durationMs: 10_000, perSecond: 20 },
      { durationMs: 10_000, perSecond: 0 },
      { durationMs: 20_000, perSecond: 5 },
    ]);
    const instants = draw(30_000, () => arrivals.next().value);
    expect(instants).toEqual([...instants].sort((a, b) => a - b));
    const phases = [0, 0, 0];
    for (const at of instants) {
      const within = at % 40_000;
      const phase = within < 10_000 ? 0 : within < 20_000 ? 1 : 2;
      phases[phase] = (phases[phase] ?? 0) + 1;
    }
    expect(phases[1]).toBe(0);
    // 200 to 100 a round: two thirds, within four standard errors.
    expect(Math.abs((phases[0] ?? 0) / 30_000 - 2 / 3)).toBeLessThan(0.011);
  });
});

describe('given a server with two slots', () => {
  it('when three come, then the third waits for the first slot that is given back', () => {
    const server = new Server<{ ticket: number }>(2);
    expect([server.enter(0), server.enter(0), server.enter(0)]).toEqual([true, true, false]);
    const third = { ticket: 1 };
    server.wait(third, 0);
    expect(server.release(600)).toBe(third);
    expect(server.release(1_000)).toBeNull();
    expect(server.busy).toBe(1);
    expect(server.utilisation(2_000)).toBeCloseTo((2 * 1_000 + 1_000) / 4_000, 12);
    expect([...server.waits.sorted()]).toEqual([0, 0, 600]);
    expect(server.mostQueued).toBe(1);
  });

  it('when one gave up waiting, then its place is skipped', () => {
    const server = new Server<{ ticket: number }>(1);
    server.enter(0);
    const [gone, stays] = [{ ticket: 1 }, { ticket: 1 }];
    server.wait(gone, 1);
    server.wait(stays, 2);
    gone.ticket += 1;
    server.leave();
    expect(server.release(10)).toBe(stays);
    expect(server.waits.mean).toBe(4);
  });

  it('when thousands pass through its queue, then they come out in the order in which they came', () => {
    const server = new Server<{ ticket: number; place: number }>(1);
    server.enter(0);
    for (let place = 0; place < 5_000; place += 1) server.wait({ ticket: 0, place }, place);
    const out = draw(5_000, () => server.release(9_000)?.place ?? -1);
    expect(out).toEqual(Array.from({ length: 5_000 }, (_, place) => place));
  });
});

describe('given a repair budget over time', () => {
  it('when permits are taken in any order of calls, then a window never holds more than is allowed', () => {
    const budget = { share: 0.3, floor: 2, windowMs: 100 };
    const calls = fc.array(fc.record({ gap: fc.nat(30), isRepair: fc.boolean() }), { maxLength: 200 });
    fc.assert(
      fc.property(calls, (list) => {
        const traffic = new RepairTraffic(budget);
        const primaries: number[] = [];
        const granted: number[] = [];
        let now = 0;
        for (const { gap, isRepair } of list) {
          now += gap;
          const inWindow = (times: number[]) => times.filter((at) => at > now - 100).length;
          if (isRepair) {
            const fits = inWindow(granted) < allowedRepairs(budget, inWindow(primaries));
            expect(traffic.permit(now)).toBe(fits);
            if (fits) granted.push(now);
          } else {
            traffic.primary(now);
            primaries.push(now);
          }
        }
      }),
    );
  });

  it('when there is none, then every repair is permitted', () => {
    const traffic = new RepairTraffic(null);
    traffic.primary(0);
    expect(traffic.permit(0)).toBe(true);
  });
});

describe('given the burn of a batch', () => {
  const burn = { budgetTokens: 10_000, documents: 1_000, completed: 100, tokens: 900, cap: 3 };
  const since = { completedSince: 100, tokensSince: 900 };

  it('when the projection stays within the budget, then the cap stays; above, it is one lower', () => {
    expect(batchCap({ ...burn, ...since })).toBe(3);
    // 900 + 900 x 11 = 10,800.
    expect(batchCap({ ...burn, completedSince: 100, tokensSince: 1_100 })).toBe(2);
  });

  it('when few ended under this cap, then it is not judged yet', () => {
    expect(batchCap({ ...burn, completedSince: 99, tokensSince: 99_000 })).toBe(3);
  });

  it('when the budget is spent, then nothing further begins; a cap of 1 is never lowered', () => {
    expect(batchCap({ ...burn, ...since, tokens: 10_000 })).toBe(0);
    expect(batchCap({ ...burn, cap: 1, completedSince: 100, tokensSince: 90_000 })).toBe(1);
  });
});
