import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { claimPolicy } from '../../specs/claim/policy.js';
import { claimPrompt } from '../../specs/claim/prompt.js';
import { claimFields } from '../../specs/claim/record.js';
import { claimRules } from '../../specs/claim/rules.js';
import { fitScenario, readReport } from '../../src/application/reports.js';
import type { Reason } from '../../src/domain/reason.js';
import type { Measures } from '../../src/reports/report.js';
import type { DocumentKind, Scenario } from '../../src/simulator/scenario.js';
import { type Simulation, simulate } from '../../src/simulator/simulate.js';
import { defineSpec } from '../../src/spec/index.js';
import { type House, openHouse } from '../support/house.js';
import { claimText } from '../support/papers.js';

/**
 * One scenario of 300 documents, run on the simulator and for real: a real Temporal server, Postgres, workers, and the
 * model stand-in over sockets, whose documents fare by the same odds. The world is written from what
 * the stand-in does, not fitted to a run; the second run's documents have other hashes than those it was checked with.
 */
const documents = 300;
const inFlight = 20;
const lines = 12;
const odds = { misread: 0.3, relapse: 0.4, stubborn: 0.15, emptyReply: 0.04 };
const repairBudget = { share: 0.3, floor: 10, windowMs: 300_000 };
const slots = { first: 14, repair: 4 };

const spec = defineSpec({
  ...{
    id: 'agreement',
    title: 'Claim',
    schemaVersion: '1',
    prompt: claimPrompt,
    fields: claimFields,
    constraints: claimRules,
  },
  // Wide bounds of time: a busy machine must not end documents that the simulated one would not.
  policy: {
    ...claimPolicy,
    attemptCap: 3,
    deadlineMs: 180_000,
    repairLaneWaitMs: 60_000,
    routes: [{ to: 'dead_letter' }],
  },
  repairBudget,
  amount: (record) => ({ amount: record.total_claimed, currency: record.currency }),
});

/** What the odds of the stand-in make of a document, as kinds of a simulated world. */
function kindsOf({ misread, relapse, stubborn, emptyReply }: typeof odds): readonly DocumentKind[] {
  const amounts = lines + 1;
  // A relapse swaps digits of one of the amounts; if it is the same one again, so is the answer.
  const again = relapse / amounts;
  const same = stubborn + (1 - stubborn) * again;
  const read = 1 - emptyReply;
  const kind = (name: string, weight: number, changes: Partial<DocumentKind>): DocumentKind => ({
    ...{ name, weight, pass: [1], outputTokens: 300, inputTokens: 1_500, medianMs: [150], spread: 0.3 },
    ...{ fails: [{ failureClass: 'constraint', weight: 1 }], answers: ['new'], templateShare: 0 },
    ...changes,
  });
  return [
    kind('read well', read * (1 - misread), {}),
    // What misread amounts add up to is not told, so a relapse is mended as the first misreading was.
    kind('misread', read * misread * (1 - same), { pass: [0, (1 - relapse) / (1 - again), 1 - relapse] }),
    // A misread item wants a total that is printed nowhere: proved twice. A misread total is merely said again.
    kind('same item', (read * misread * same * lines) / amounts, { pass: [0], answers: ['contradicting'] }),
    kind('same total', (read * misread * same) / amounts, { pass: [0], answers: ['same'] }),
    kind('silent', emptyReply, { pass: [0], fails: [{ failureClass: 'empty', weight: 1 }] }),
  ];
}

const world: Scenario = {
  ...{ says: 'the documents of this test', documents, arrivals: { kind: 'window', inFlight }, stopAt: null },
  ...{ kinds: kindsOf(odds), planted: [], policy: spec.policy, slots: { kind: 'lanes', ...slots } },
  ...{ repairBudget, incidents: [], batchTokens: null, lineMs: 1_000 },
};

/** What both are compared by. */
interface Fate {
  readonly passed: readonly number[];
  readonly made: readonly number[];
  readonly calls: number;
  readonly repairShare: number;
  readonly reasons: Partial<Record<Reason, number>>;
}

function fateOfSimulated({ yield: curve, calls, repairShare, reasons }: Simulation): Fate {
  return {
    passed: curve.map(({ passed }) => passed),
    made: curve.map(({ reached }) => reached),
    calls: calls.primaries + calls.repairs + calls.failed,
    repairShare,
    reasons: Object.fromEntries(reasons.map((each) => [each.name, each.documents])),
  };
}

function fateOfReal({ yield: curve, tally, repairs }: Measures): Fate {
  return {
    passed: curve.map(({ passed }) => passed),
    made: curve.map(({ reached }) => reached),
    calls: tally.calls,
    repairShare: repairs[0]?.share ?? Number.NaN,
    reasons: Object.fromEntries(tally.reasons.map(({ reason, runs }) => [reason, runs])),
  };
}

const simulated = Array.from({ length: 300 }, (_, seed) => fateOfSimulated(simulate(world, seed)));

/** Mean of all seeds, give or take four standard deviations: what one run of 300 documents may come to. */
function expectWithin(real: number, what: (fate: Fate) => number): void {
  const values = simulated.map(what);
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const deviation = Math.sqrt(
    values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1),
  );
  expect(Math.abs(real - mean), `${real} against ${mean} +- ${4 * deviation}`).toBeLessThanOrEqual(
    4 * deviation,
  );
}

describe('given 300 documents, simulated and real', () => {
  let house: House;
  let real: Fate;

  beforeAll(async () => {
    house = await openHouse({
      specs: [spec],
      standin: { behaviour: { ...odds, latencyMs: 20, msPerToken: 0 } },
    });
    let next = 0;
    const work = async () => {
      while (next < documents) {
        next += 1;
        const text = claimText({ number: `AGREE-${next}`, amounts: amountsOf(next) });
        const document = {
          kind: 'bytes' as const,
          mediaType: 'text/plain',
          bytes: new TextEncoder().encode(text),
        };
        await house.extract({ specId: spec.id, document });
      }
    };
    await Promise.all(Array.from({ length: inFlight }, work));
    real = fateOfReal((await readReport(house.app, { specId: spec.id })).measures);
  });
  afterAll(() => house?.close());

  it('as many documents pass at each attempt, and as many make it', () => {
    expect(real.made).toHaveLength(3);
    for (const attempt of [0, 1, 2]) {
      expectWithin(real.passed[attempt] ?? 0, ({ passed }) => passed[attempt] ?? 0);
      expectWithin(real.made[attempt] ?? 0, ({ made }) => made[attempt] ?? 0);
    }
  });

  it('as many calls are made, and repairs are the same share of primary calls', () => {
    expectWithin(real.calls, ({ calls }) => calls);
    expectWithin(real.repairShare, ({ repairShare }) => repairShare);
    expect(real.repairShare).toBeLessThanOrEqual(repairBudget.share + 0.01);
  });

  it.each(['attempt_cap', 'contradiction', 'empty_reply', 'repair_budget'] as const)(
    'as many stop for %s',
    (reason) => {
      expect(real.reasons[reason]).toBeGreaterThan(0);
      expectWithin(real.reasons[reason] ?? 0, ({ reasons }) => reasons[reason] ?? 0);
    },
  );

  it('the intervals are narrow enough to notice odds that are far off', () => {
    const off = simulate({ ...world, kinds: kindsOf({ ...odds, misread: 0.5 }) }, 1);
    expect(() => expectWithin(off.yield[0]?.passed ?? 0, ({ passed }) => passed[0] ?? 0)).toThrow();
  });

  it('a world fitted from the real runs yields what they yielded', async () => {
    const fitted = await fitScenario(house.app, { specId: spec.id }, { kind: 'lanes', ...slots });
    const again = fateOfSimulated(simulate({ ...fitted, repairBudget: null, policy: spec.policy }, 1));
    const share = (real.passed[0] ?? 0) / documents;
    const bound = 4 * Math.sqrt((share * (1 - share)) / documents);
    expect(Math.abs((again.passed[0] ?? 0) / documents - share)).toBeLessThan(bound);
  });
});

/** Amounts whose neighbouring digits all differ, so that swapping two makes another amount, one that stands nowhere. */
function amountsOf(document: number): readonly string[] {
  return Array.from({ length: lines }, (_, index) => {
    const units = 1_234 + ((document * 37 + index * 811) % 5_000);
    return `${units}.${13 + ((index * 7) % 80)}`;
  });
}
