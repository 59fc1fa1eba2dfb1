import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Turn } from '../support/model-relay.js';
import { prepareBatch } from './batch-scene.js';
import { claimSpec } from './claim-specs.js';
import { openScene, type Scene } from './scene.js';

const spec = claimSpec('claim');
const inFlight = 5;

let scene: Scene;
/** What one attempt costs here, measured on two documents. */
let attempt: number;
beforeAll(async () => {
  scene = await openScene({ specs: [spec] });
  const batch = await prepareBatch(scene, 'measured', spec, plans(2), { inFlight });
  await batch.start();
  const { tokens, verified } = await batch.ended();
  expect(verified).toBe(2);
  attempt = tokens / 4;
});
afterAll(() => scene.close());

/** Every document takes two attempts, so that a cap of one halves what it costs. */
const misread: readonly Turn[] = [{ behaviour: { misread: 1 } }, {}];
const plans = (count: number) => Array.from({ length: count }, () => misread);

describe('a batch whose projection exceeds its budget', () => {
  it('ends between 95 % of it and one attempt more for each document under way, and no document is lost', async () => {
    const documents = 100;
    // At two attempts each they would take 200. Two tenths of them are judged before
    // the cap is one, so that 120 is the least they can take.
    const budgetTokens = Math.round(105 * attempt);
    const batch = await prepareBatch(scene, 'over', spec, plans(documents), { inFlight, budgetTokens });
    await batch.start();
    const view = await batch.ended();
    expect(view).toMatchObject({ state: 'finished', documents, waiting: 0, underWay: 0, attemptCap: 0 });
    expect(view.verified + view.unverified).toBe(documents);
    expect(view.tokens).toBeGreaterThanOrEqual(0.95 * budgetTokens);
    expect(view.tokens).toBeLessThanOrEqual(budgetTokens + inFlight * attempt * 1.1);
    const runs = await batch.runs();
    expect(runs).toHaveLength(documents);
    expect(view.tokens).toBe(runs.reduce((sum, { tokens }) => sum + tokens, 0));
    // Before the projection, at a cap of one, and after the end of the budget.
    const { attempt_cap = 0, batch_budget = 0, ...others } = view.unverifiedBy;
    expect(others).toEqual({});
    expect(view.verified).toBeGreaterThan(0);
    expect(attempt_cap).toBeGreaterThan(20);
    expect(batch_budget).toBeGreaterThan(0);
    const without = runs.filter(({ reason }) => reason === 'batch_budget');
    expect(without.every(({ calls, attempts }) => calls === 0 && attempts === 0)).toBe(true);
    // They wait for a redrive, under the whole bounds.
    const letter = await scene.house.app.store.deadLetters.find(without[0]?.key ?? '');
    expect(letter).toMatchObject({ state: 'parked', policy: { attemptCap: spec.policy.attemptCap } });
  });

  it('that a lower cap keeps within it has calls for every document', async () => {
    const documents = 30;
    const budgetTokens = Math.round(54 * attempt);
    const batch = await prepareBatch(scene, 'within', spec, plans(documents), { inFlight: 3, budgetTokens });
    await batch.start();
    const view = await batch.ended();
    expect(view).toMatchObject({ state: 'finished', documents, attemptCap: 1 });
    expect(view.tokens).toBeLessThanOrEqual(budgetTokens);
    expect(view.unverifiedBy).toEqual({ attempt_cap: documents - view.verified });
  });
});
