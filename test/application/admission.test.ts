import { expect, it } from 'vitest';
import { submitExtraction } from '../../src/application/submit-extraction.js';
import { limitTenant } from '../../src/application/tenants.js';
import { createBench, textSubmission } from '../support/fakes/bench.js';

const limited = (limits: { mostOpen: number | null; perSecond: number | null }) => {
  const bench = createBench();
  return { bench, app: { ...bench.app, limits } };
};

it('when a tenant has as many open as it may have, then nothing more is stored, and it is told when to come again', async () => {
  const { bench, app } = limited({ mostOpen: 1, perSecond: null });
  await submitExtraction(app, textSubmission('a'));
  await expect(submitExtraction(app, textSubmission('b'))).rejects.toMatchObject({
    code: 'too_many',
    retryAfterMs: 5_000,
    message: 'Tenant "acme" has 1 extractions open, the most it may have; try again when some have ended.',
  });
  expect(bench.store.documentRows.size).toBe(1);
  // What runs already takes no further room, and another tenant has room of its own.
  expect((await submitExtraction(app, textSubmission('a'))).kind).toBe('attached');
  expect((await submitExtraction(app, textSubmission('b', { tenant: 'bolt' }))).kind).toBe('started');
});

it('when a tenant hands in too fast, then it is told how long to wait, and nothing is stored', async () => {
  const { bench, app } = limited({ mostOpen: null, perSecond: 2 });
  bench.store.tenants.waitsMs.push(1_200);
  await expect(submitExtraction(app, textSubmission('a'))).rejects.toMatchObject({
    code: 'too_many',
    retryAfterMs: 1_200,
    message: 'Tenant "acme" hands in more than its 2 documents a second; try again in 2 s.',
  });
  expect(bench.store.documentRows.size).toBe(0);
  expect((await submitExtraction(app, textSubmission('a'))).kind).toBe('started');
});

it("when a tenant has limits of its own, then those of the configuration don't hold for it", async () => {
  const { bench, app } = limited({ mostOpen: 1, perSecond: null });
  await limitTenant(app, 'acme', { mostOpen: 2, perSecond: null });
  await submitExtraction(app, textSubmission('a'));
  await submitExtraction(app, textSubmission('b'));
  await expect(submitExtraction(app, textSubmission('c'))).rejects.toThrow('has 2 extractions open');
  expect(bench.store.rows).toHaveLength(2);
});

it('when work comes from inside, then no limit holds', async () => {
  const bench = createBench();
  await limitTenant(bench.app, 'acme', { mostOpen: 1, perSecond: null });
  await submitExtraction(bench.app, textSubmission('a'));
  expect((await submitExtraction(bench.app, textSubmission('b'))).kind).toBe('started');
});
