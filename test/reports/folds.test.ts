import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldOf, foldText } from '../../src/application/fold-text.js';
import { Samples, Series } from '../../src/planner/samples.js';
import { foldVersion, OverviewMeasuring } from '../../src/reports/overview-measures.js';
import type { AttemptRow, DocumentRow } from '../../src/reports/rows.js';
import { addPacked, packed } from '../../src/reports/sums.js';
import { attempt, documentOf, unanswered } from './documents.js';
import { runs } from './numbers/runs.js';

const now = 10_000_000;
const facts = {
  audits: new Map([['claim', [{ decided: 20, defects: 1 }]]]),
  budgetOf: (specId: string) => (specId === 'claim' ? { share: 0.4, floor: 1, windowMs: 60_000 } : null),
  latencyLineMs: 300_000,
};

function measuringOf(documents: readonly DocumentRow[]): OverviewMeasuring {
  const measuring = new OverviewMeasuring(now);
  for (const document of documents) measuring.add(document);
  return measuring;
}

const ms = (max: number) => fc.integer({ min: 0, max });
const cost = fc.record({
  amount: fc.constantFrom('0', '0.1', '12.345', '0.000123'),
  currency: fc.constantFrom('EUR', 'USD'),
});
const spent = { calls: ms(3), failedCalls: ms(2), tokens: ms(9_000), cost };
const attempts = fc
  .array(
    fc.record({
      ...spent,
      accepted: fc.boolean(),
      failureClass: fc.constantFrom('schema' as const, 'constraint' as const, 'truncated' as const),
      tookMs: ms(90_000),
      onWire: fc.array(fc.tuple(ms(9_000), ms(9_000)), { maxLength: 2 }),
    }),
    { maxLength: 4 },
  )
  .map((each) => (startedAt: number): AttemptRow[] => {
    let at = startedAt;
    return each.map(({ accepted, tookMs, onWire, failureClass, ...rest }, index) => {
      const begun = at;
      at += tookMs;
      const isLast = accepted && index === each.length - 1;
      const calls = onWire.map(([from, length]) => [begun + from, begun + from + length] as const);
      return attempt({
        accepted: isLast,
        failureClass,
        startedAt: begun,
        endedAt: at,
        onWire: calls,
        ...rest,
      });
    });
  });

const document: fc.Arbitrary<DocumentRow> = fc
  .record({
    attempts,
    startedAt: ms(9_000_000),
    specId: fc.constantFrom('claim', 'letter', '__proto__', '0'),
    attemptCap: fc.integer({ min: 1, max: 9 }),
    deadlineMs: fc.constantFrom(60_000, 90_000),
    reason: fc.constantFrom('attempt_cap' as const, 'repair_budget' as const, 'deadline' as const),
    route: fc.constantFrom(null, 'human_review' as const, 'dead_letter' as const),
    lost: fc.option(fc.record({ ...spent, onWireSince: fc.option(ms(5_000)) })),
    isOpen: fc.boolean(),
  })
  .map(({ attempts, startedAt, reason, route, lost, isOpen, deadlineMs, ...rest }) => {
    const made = attempts(startedAt);
    const end = made.at(-1)?.endedAt ?? startedAt;
    const isVerified = made.some(({ accepted }) => accepted);
    const cutOff =
      lost === null || isVerified
        ? null
        : unanswered({
            ...lost,
            startedAt: end,
            onWireSince: lost.onWireSince === null ? null : end + lost.onWireSince,
          });
    return documentOf(made, {
      ...{ startedAt, deadlineAt: startedAt + deadlineMs, unanswered: cutOff, ...rest },
      endedAt: isOpen && !isVerified ? null : end + (cutOff === null ? 0 : 6_000),
      ...(isVerified || isOpen ? { reason: null, route: null } : { reason, route }),
    });
  });

describe('given documents in several folds', () => {
  it('when those are added, then every number is that of all documents, however they were parted', () => {
    const parted = fc.array(
      fc.record({ documents: fc.array(document, { maxLength: 12 }), isFolded: fc.boolean() }),
    );
    fc.assert(
      fc.property(parted, (parts) => {
        const added = new OverviewMeasuring(now);
        const all: DocumentRow[] = [];
        for (const { documents, isFolded } of parts) {
          // What is open is never folded.
          const kept = isFolded ? documents.filter(({ endedAt }) => endedAt !== null) : documents;
          all.push(...kept);
          if (isFolded) added.addFold(foldOf(foldText(measuringOf(kept).fold())));
          else for (const each of kept) added.add(each);
        }
        const whole = measuringOf(all);
        expect(added.report(facts)).toEqual(whole.report(facts));
        expect(added.spanMs()).toBe(whole.spanMs());
      }),
      { numRuns: 50 },
    );
  });

  it('when a fold is added to nothing or nothing to it, then it is the same', () => {
    fc.assert(
      fc.property(fc.array(document, { maxLength: 9 }), (documents) => {
        const ended = documents.filter(({ endedAt }) => endedAt !== null);
        const fold = measuringOf(ended).fold();
        const added = new OverviewMeasuring(now);
        added.addFold(fold);
        added.addFold(new OverviewMeasuring(now).fold());
        expect(added.fold()).toEqual(fold);
      }),
    );
  });
});

describe('given the runs that were worked out by hand', () => {
  const ended = runs.filter(({ endedAt }) => endedAt !== null);

  it('when those that ended are folded, then the fold is as version 3 wrote it: else foldVersion must be one more', () => {
    expect(foldVersion).toBe(3);
    expect(foldText(measuringOf(ended).fold())).toMatchInlineSnapshot(`
      "{"caps":{"attempts":{"$map":[[3,13],[5,1]]},"deadlines":{"$map":[[60000,12],[90000,1],[2500,1]]}},"tally":{"counts":{"runs":14,"verified":8,"unverified":6,"open":0,"attempts":19,"unanswered":1,"calls":20,"failedCalls":1},"reasons":{"$map":[["attempt_cap",1],["refusal",1],["deadline",3],["repair_budget",1]]},"routes":{"$map":[["human_review",2],["dead_letter",4]]},"classes":{"$map":[["constraint",6],["schema",1],["refusal",1],["truncated",2]]}},"yield":{"documents":14,"passed":{"$map":[["claim",[5,1,1]],["letter",[1]]]},"ends":[{"$samples":[0,13,2,1000]},{"$samples":[32,3,2,3000]},{"$samples":[40,2,2,7000]}],"unanswered":[null,1],"lasts":[{"documents":1,"ended":{"$samples":[48,1,1,60000]},"openSince":{"$samples":[56,0,1,0]}},{"documents":10,"ended":{"$samples":[56,10,4,1000]},"openSince":{"$samples":[96,0,1,0]}},{"documents":1,"ended":{"$samples":[96,1,1,4000]},"openSince":{"$samples":[104,0,1,0]}},{"documents":2,"ended":{"$samples":[104,2,2,7000]},"openSince":{"$samples":[112,0,1,0]}}]},"latency":{"startedAt":{"$samples":[112,14,4,1772445600000]},"tookMs":{"$samples":[168,14,4,1000]},"openSince":{"$samples":[224,0,1,0]}},"cost":{"verified":8,"failedFirst":[4,1,2],"recovered":{"$map":[["claim",[null,1,1]]]},"repairs":6,"tokens":3600,"repairTokens":2300,"cost":{"$map":[["EUR","0.36"]]},"repairCost":{"$map":[["EUR","0.23"]]}},"peaks":{"first":{"beginnings":{"$samples":[224,13,4,1772445600000]},"ends":{"$samples":[280,13,4,1772445601000]}},"repair":{"beginnings":{"$samples":[336,7,4,1772445603000]},"ends":{"$samples":[368,7,4,1772445604000]}}},"repairs":{"$map":[["claim",{"primaries":{"$samples":[400,12,4,1772445600000]},"repairs":{"$samples":[448,6,4,1772445603000]},"refused":1}],["letter",{"primaries":{"$samples":[472,1,1,1772445900000]},"repairs":{"$samples":[480,0,1,0]},"refused":0}]]}}
      AAAAAAAAAAAAAAAAAAAAAAAAAAAAAPQB6AMAAAAAAAAAAAAA6AMAAAAA6AMAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA9AEAAOgDAACoWwEAAAAAAAAAAAAAAOgDAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA0AcAANAHAACgDwAA4JMEAOCTBADgkwQA4JMEAOCTBADgkwQAAAAAAAAAAAAAAAAAAAAAAAAAAAC4CwAAcBcAAPQBAABYGwAAqFsBAAAAAAB45gAAAAAAAOgDAAAAAAAAAAAAAAAAAAAAAAAAAAAAANAHAADQBwAAoA8AAOCTBADgkwQA4JMEAOCTBADgkwQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA0AcAANAHAACUEQAA4JMEAOCTBADgkwQA4JMEAMiXBAAAAAAAAAAAAAAAAADQBwAA0AcAABCMBAAQjAQA4JMEAAAAAAAAAAAA6AMAANAHAACIEwAA+I8EAICjBADQ4wUAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA0AcAANAHAACgDwAA4JMEAOCTBADgkwQA4JMEAAAAAAAAAAAA0AcAABCMBAAQjAQA4JMEAAAAAAAAAAAA"
    `);
  });

  it('when half of them are folded, then a lost fold would be seen: the numbers are others', () => {
    const half = new OverviewMeasuring(now);
    half.addFold(measuringOf(ended.slice(0, 7)).fold());
    expect(half.report(facts).tally).toMatchObject({ runs: 7 });
    half.addFold(measuringOf(ended.slice(7)).fold());
    expect(half.report(facts)).toEqual(measuringOf(ended).report(facts));
  });
});

describe('given samples that need one, two, four or eight bytes each', () => {
  it.each([
    ['one', [7, 262, 7]],
    ['two', [1_700_000_000_256, 1_700_000_000_000]],
    ['four', [-(2 ** 31), 2 ** 31 - 1, 0]],
    ['eight, being far apart', [0, 2 ** 32, 5]],
    ['eight, being no whole numbers', [0.1, 3, -7.25]],
    ['none', []],
  ])('when those of %s are packed and added, then they are the same in the same order', (_, values) => {
    const samplesOf = (all: readonly number[]) => {
      const samples = new Series();
      samples.append(all);
      return samples;
    };
    const sums = { before: new Samples(), samples: samplesOf([1]) };
    addPacked(sums, packed({ before: samplesOf([1.5]), samples: samplesOf(values) }));
    expect([...sums.samples.all()]).toEqual([1, ...values]);
    expect(sums.samples.mean).toBeCloseTo(
      [1, ...values].reduce((one, other) => one + other) / (values.length + 1),
    );
  });
});
