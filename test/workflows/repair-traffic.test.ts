import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { switchRepairs } from '../../src/application/repairs.js';
import { createCatalogue } from '../../src/spec/catalogue.js';
import type { Spec } from '../../src/spec/spec.js';
import { claimText } from '../support/papers.js';
import { claimSpec } from './claim-specs.js';
import { type Ended, openScene, type Scene } from './scene.js';

/** The window is far longer than the test, so that everything here happens inside one. */
const budget = { share: 0.1, floor: 3, windowMs: 600_000 };
const bad = claimSpec('claim-deployed', { repairBudget: budget });
const fixed = claimSpec('claim-deployed', {
  repairBudget: budget,
  prompt: { version: '2', text: 'Read the claim form carefully.' },
});
/** The same loop without a budget, as a retry around a call would run. */
const uncapped = claimSpec('claim-uncapped', { policy: { attemptCap: 5 } });

/** So many that hardly any answer repeats an earlier one, which would end a loop by itself. */
const amounts = Array.from({ length: 40 }, (_, row) => `${100 + row}.50`);
/** Another amount is misread in every answer: each reply fails, and none is the same as the one before. */
const failing = { behaviour: { misread: 1, relapse: 1 } };
/** Misread at first, mended when told so. */
const mendable = { behaviour: { misread: 1 } };

let scene: Scene;
beforeAll(async () => {
  scene = await openScene({ specs: [fixed, bad, uncapped] });
});
afterAll(() => scene.close());

/** Documents that meet replies which all fail, and the requests that reached the model because of them. */
async function deploy(spec: Spec, documents: number) {
  // The worker knows both prompts; whoever submits still has the bad one.
  const app = { ...scene.house.app, catalogue: createCatalogue([spec]) };
  const texts = Array.from({ length: documents }, () => claimText({ amounts }));
  const ends = await Promise.all(texts.map((text) => scene.run({ spec, text, turns: [failing], app })));
  return { ends, requests: texts.reduce((sum, text) => sum + scene.models.calls(text).length, 0) };
}

const reasonsOf = (ends: readonly Ended[]) => new Set(ends.map(({ extraction }) => extraction.reason));

describe('a deploy whose every reply fails', () => {
  it('adds a tenth to the traffic at most, where a loop without a budget multiplies it', async () => {
    const documents = 30;
    const capped = await deploy(bad, documents);
    const loose = await deploy(uncapped, 6);
    const multiple = loose.requests / 6;
    process.stdout.write(
      `every reply fails: ${capped.requests} requests for ${documents} documents under the budget, ` +
        `${multiple} for each without one\n`,
    );
    const allowed = Math.max(budget.floor, Math.floor(budget.share * documents));
    expect(capped.requests).toBeLessThanOrEqual(documents + allowed);
    // A loop that notices that it goes in circles ends early, by chance of what is misread; the rest runs to its cap of five.
    expect(multiple).toBeGreaterThan(2);
    // Some were repaired within the budget and failed all the same; the rest was not asked again.
    expect(reasonsOf(capped.ends)).toContain('repair_budget');
    for (const { extraction } of capped.ends) {
      if (extraction.reason === 'repair_budget') expect(extraction.route).toBe('dead_letter');
    }
    const traffic = await scene.house.app.store.traffic.repairTraffic(bad.id, 0);
    expect(traffic.primaries).toBe(documents);
    expect(capped.requests).toBe(documents + traffic.granted);

    // No repair is left in this window, and none is needed: first attempts never ask.
    const first = await scene.run({ spec: fixed, text: claimText({}) });
    expect(first.extraction).toMatchObject({ outcome: 'verified', attempts: 1, promptVersion: '2' });
  });
});

describe('repairs that an operator paused', () => {
  it('are not made, while first attempts verify, and are made again once they are resumed', async () => {
    const { app } = scene.house;
    const flip = (paused: boolean) =>
      switchRepairs(app, { specId: uncapped.id, paused, actor: 'ada', reason: 'a bad prompt' });
    const [standing] = await flip(true);
    expect(standing?.paused).toMatchObject({ scope: 'spec', actor: 'ada', reason: 'a bad prompt' });
    const [clean, halted] = await Promise.all([
      scene.run({ spec: uncapped, text: claimText({}) }),
      scene.run({ spec: uncapped, text: claimText({}), turns: [mendable] }),
    ]);
    expect(clean.extraction).toMatchObject({ outcome: 'verified', attempts: 1 });
    expect(halted.extraction).toMatchObject({ reason: 'repair_budget', attempts: 1, route: 'dead_letter' });
    const [resumed] = await flip(false);
    expect(resumed).toMatchObject({ deniedByPause: 1, paused: null });
    const mended = await scene.run({ spec: uncapped, text: claimText({}), turns: [mendable] });
    expect(mended.extraction).toMatchObject({ outcome: 'verified', attempts: 2 });
  });
});
