import { describe, expect, it } from 'vitest';
import type { DocumentKind, Scenario } from '../../src/simulator/scenario.js';
import { scenarios } from '../../src/simulator/scenarios.js';
import { simulate } from '../../src/simulator/simulate.js';
import { areSame, given, type HandWorkedNumbers, number, numbersIn } from '../support/hand-worked.js';

/** Documents that leave nothing to chance: each attempt lasts exactly so many seconds. */
const kind = (
  name: string,
  seconds: readonly number[],
  changes: Partial<DocumentKind> = {},
): DocumentKind => ({
  ...{ name, weight: 1, pass: [1], outputTokens: 50, inputTokens: 100, spread: 0, templateShare: 0 },
  ...{ medianMs: seconds.map((s) => s * 1_000), answers: ['new'] },
  fails: [{ failureClass: 'constraint', weight: 1 }],
  ...changes,
});
const at = (seconds: number, name: string) => ({ at: seconds * 1_000, kind: name });

/** Two first slots, one for repairs; nine documents; the provider is away for a minute; looked at after three. */
const world: Scenario = {
  ...scenarios.outage,
  ...{ documents: 0, stopAt: 180_000, lineMs: 60_000, slots: { kind: 'lanes', first: 2, repair: 1 } },
  kinds: [
    kind('easy', [1]),
    kind('second', [1, 2], { pass: [0, 1] }),
    kind('refused', [1], { pass: [0], fails: [{ failureClass: 'refusal', weight: 1 }] }),
    kind('stubborn', [1], { pass: [0] }),
    kind('endless', [100]),
    kind('slow', [20]),
  ],
  planted: [
    ...[at(0, 'easy'), at(0, 'second'), at(0, 'easy'), at(0.5, 'refused'), at(0.5, 'stubborn')],
    ...[at(10, 'endless'), at(100, 'easy'), at(170, 'slow'), at(170, 'slow')],
  ],
  incidents: [{ kind: 'outage', from: 90_000, to: 150_000 }],
  repairBudget: { share: 0.5, floor: 1, windowMs: 300_000 },
  policy: {
    ...scenarios.outage.policy,
    transport: { maximumCalls: 1, backoffTotalMs: 0 },
    estimateMs: [1_000],
  },
};

/**
 * In seconds: the first two have the first slots from 0 to 1, the third and the refused one from 1 to 2, the stubborn one
 * from 2 to 3. The second's repair runs from 1 to 3, the stubborn one's from 3 to 4; its next one is denied, since two
 * are half of the five first calls by then. The endless one is cut off at 70. The one at 100 fails within 0.2. Two are open.
 */
const numbers: HandWorkedNumbers = {
  seed: given(1),
  endedAt: given(180_000),
  documents: number([9], [7]),
  notArrived: given(0),
  verified: number([3], [9 - 4]),
  unverified: number([4], [9 - 3]),
  open: number([2], [9 - 3]),
  'openDocuments[].sinceMs': number([10_000, 10_000], [0, 0]),
  // Attempts that brought a reply, and what those cost: their first is on the wire.
  'openDocuments[].attempts': number([0, 0], [1, 1]),
  'openDocuments[].tokens': number([0, 0], [150, 150]),
  'latency.ended': number([7], [3]),
  'latency.open': number([2], [0]),
  // 0.2, 1, 1.5, 2, 3, 3.5 and 60 ended, two have lasted 10: of nine the fifth. Of those that ended it would be the fourth.
  'latency.p50Ms': number([3_000], [2_000]),
  // Of the verified ones alone it would be 3 s.
  'latency.p95Ms': number([60_000], [3_000]),
  'latency.p99Ms': number([60_000], [3_000]),
  'yield[].attempt': given(1, 2),
  // With the one that was cut off, and the one whose call failed. Replies came to five.
  'yield[].reached': number([7, 2], [5, 2]),
  'yield[].passed': number([2, 1], [2, 3]),
  // One each; those that are open have not reached their deadline.
  'reasons[].documents': number([1, 1, 1, 1], [3, 1, 1, 1]),
  // By attempt: the stubborn one was rejected twice.
  'classes[].attempts': number([3, 1], [2, 1]),
  // What a used up budget and a provider that was away say nothing about is no document for a person.
  'routes[].documents': number([3, 1], [2, 2]),
  'calls.primaries': number([8], [9]),
  'calls.repairs': number([2], [3]),
  'calls.failed': number([1], [1 + 1]),
  // Of first attempts, the one whose call failed included: a provider that is away makes no more of them repairs.
  repairShare: number([2 / 9], [2 / 8]),
  permitsDenied: number([1], [0]),
  // Seven replies of 150, and 1,600 for the one that was cut off; verified documents alone cost 600.
  tokens: number([7 * 150 + 1_600], [600]),
  cap: given(3),
  'slots[].slots': given(2, 1),
  // 5 x 1 + 60 + 0.2 + 2 x 10 s of two slots, and 2 + 1 of one, in 180 s; the open ones hold theirs.
  'slots[].utilisation': number([85.2 / 360, 3 / 180], [65.2 / 360, 3 / 180]),
  // 1, 0.5 and 1.5 s; six waited for nothing.
  'slots[].meanWaitMs': number([3_000 / 9, 0], [3_000 / 3, 0]),
  'slots[].p99WaitMs': number([1_500, 0], [1_000, 0]),
  'slots[].mostQueued': number([3, 0], [0, 0]),
  'timeline[].from': given(0, 60_000, 120_000),
  'timeline[].arrived': number([6, 1, 2], [6, 1, 0]),
  // When the call was made, not when its document came or ended.
  'timeline[].primaries': number([6, 0, 2], [6, 1, 2]),
  'timeline[].repairs': number([2, 0, 0], [3, 0, 0]),
  'timeline[].failedCalls': number([0, 1, 0], [0, 0, 0]),
  'timeline[].permitsDenied': number([1, 0, 0], [0, 0, 0]),
  'timeline[].verified': number([3, 0, 0], [5, 0, 0]),
  // By arrival: the one that was cut off at 70 s belongs to the first minute.
  'timeline[].latency.ended': number([6, 1, 0], [5, 2, 0]),
  'timeline[].latency.open': number([0, 0, 2], [1, 0, 2]),
  'timeline[].latency.p50Ms': number([2_000, 200, null], [2_000, 200, 0]),
  'timeline[].latency.p95Ms': number([60_000, 200, null], [3_500, 200, null]),
  'timeline[].latency.p99Ms': number([60_000, 200, null], [3_500, 200, null]),
  // As each minute begins; over the first minute it was 55 s of two slots.
  'timeline[].busy.first': number([0, 1, 0], [55 / 60, 1, 0]),
  'timeline[].busy.repair': number([0, 0, 0], [3 / 60, 0, 0]),
  'timeline[].busy.documents': number([0, 1, 0], [6, 1, 2]),
};

describe('given a world of nine documents that was worked out by hand', () => {
  const found = numbersIn(simulate(world, 1), numbers);

  it('when a simulation holds a number, then it was worked out: a new one needs its line', () => {
    expect([...found.keys()].sort()).toEqual(Object.keys(numbers).sort());
  });

  it.each(Object.entries(numbers))(
    'when %s is read, then it is what hand calculation says',
    (path, { is, not }) => {
      const values = found.get(path) ?? [];
      expect(areSame(values, is), `${JSON.stringify(values)} against ${JSON.stringify(is)}`).toBe(true);
      // What a tempting definition says is another number.
      if (not !== null) expect(areSame(not, is)).toBe(false);
    },
  );
});
