import { describe, expect, it } from 'vitest';
import { eraseDocument } from '../../src/application/erase.js';
import { readExhaustedCase } from '../../src/application/exhausted-case.js';
import { explainCase, explainExtraction } from '../../src/application/explain-route.js';
import { submitExtraction } from '../../src/application/submit-extraction.js';
import type { Route } from '../../src/domain/route.js';
import { createCatalogue } from '../../src/spec/catalogue.js';
import type { Spec } from '../../src/spec/spec.js';
import { type Bench, createBench, exhaustAll, textSubmission, verifyAll } from '../support/fakes/bench.js';
import { receiptSpec } from '../support/fakes/receipt-spec.js';

const facts = {
  ...{ reason: 'no_progress', failureClass: null, repliesRead: 1, amount: null, templateRecognised: false },
  ...{ hasCandidate: false, tenant: 'acme', tags: [], pages: null },
};

describe('a case as people write it down', () => {
  it('is what it says, and nothing else is there', () => {
    expect(readExhaustedCase({ reason: 'no_progress' }, 'acme')).toEqual({ facts, tried: [], spec: null });
    const whole = {
      ...{ reason: 'deadline', failureClass: 'schema', repliesRead: 0, hasCandidate: true, pages: 3 },
      ...{
        amount: { amount: '12.50', currency: 'EUR' },
        templateRecognised: true,
        tenant: 'bolt',
        tags: ['a'],
      },
    };
    expect(readExhaustedCase({ ...whole, tried: ['fallback'], spec: 'claim' }, 'acme')).toEqual({
      ...{ facts: whole, tried: ['fallback'], spec: 'claim' },
    });
  });

  it.each([
    [{}, /^A case needs a "reason": one of cancelled, /],
    [{ reason: 'tired' }, /^"reason" must be one of /],
    [{ reason: 'refusal', why: 1 }, /^A case has no "why"; it has reason, failureClass, /],
    [{ reason: 'refusal', constructor: 1 }, /^A case has no "constructor"/],
    [{ reason: 'refusal', failureClass: 'bad' }, /^"failureClass" must be one of .*, or null\.$/],
    [{ reason: 'refusal', repliesRead: -1 }, /^"repliesRead" must be a whole number/],
    [{ reason: 'refusal', pages: '2' }, /^"pages" must be/],
    [{ reason: 'refusal', hasCandidate: 1 }, /^"hasCandidate" must be true or false/],
    [{ reason: 'refusal', tags: 'urgent' }, /^"tags" must be a list, each a text/],
    [{ reason: 'refusal', tried: ['nowhere'] }, /^"tried" must be a list, each one of fallback/],
    [{ reason: 'refusal', amount: { amount: 12.5, currency: 'EUR' } }, /^"amount" must be an amount/],
    [{ reason: 'refusal', amount: 'much' }, /^"amount" must be an amount/],
    [{ reason: 'refusal', amount: { amount: '1', currency: 'EUR', unit: 1 } }, /^"amount" must be an amount/],
  ])('is refused as %j', (written, message) => {
    expect(() => readExhaustedCase(written, 'acme')).toThrow(message);
  });
});

const routes: readonly Route[] = [
  { to: 'fallback', when: { tags: ['form'] } },
  { to: 'human_review', when: { hasCandidate: true } },
];

/** Without templates nothing would lead to a fallback, so no definition says so. */
function withRoutes(table: readonly Route[]): Spec {
  const spec = receiptSpec();
  return { ...spec, policy: { ...spec.policy, routes: table } };
}

async function exhausted(
  tags: readonly string[] = [],
  prepare = (bench: Bench) => exhaustAll(bench, 'human_review'),
) {
  const bench = createBench(createCatalogue([withRoutes(routes)]));
  prepare(bench);
  const { extraction } = await submitExtraction(bench.app, textSubmission('a', { tags }));
  const explain = (spec: string | null = null) =>
    explainExtraction(bench.app, extraction.key.slice(0, 12), spec);
  return { bench, extraction, explain };
}

describe('where a case goes', () => {
  it('is said under the current table of a spec', () => {
    const { app } = createBench(createCatalogue([withRoutes(routes)]));
    const { facts, tried } = readExhaustedCase({ reason: 'no_progress', hasCandidate: true }, 'acme');
    expect(explainCase(app, 'receipt', { facts, tried })).toMatchObject({
      ...{ table: 'of receipt, as it is now', went: null },
      explanations: [
        { route: 'human_review', decidedBy: 'line', lines: [{ unmet: ['tags'] }, { taken: true }] },
      ],
    });
    expect(() => explainCase(app, 'nil', { facts, tried })).toThrow('There is no spec "nil"');
  });

  it('is said of an extraction under the table it was started with, by facts gathered anew', async () => {
    const { bench, explain } = await exhausted();
    // The spec's table changed since.
    const changed = createCatalogue([withRoutes([{ to: 'best_effort' }])]);
    Object.assign(bench.app, { catalogue: changed });
    expect(await explain()).toMatchObject({
      ...{ table: 'that it was started with', went: 'human_review', tried: [] },
      facts: {
        reason: 'no_progress',
        failureClass: 'constraint',
        hasCandidate: true,
        repliesRead: 2,
        pages: 1,
      },
      explanations: [{ route: 'human_review' }],
    });
    expect(await explain('receipt')).toMatchObject({ explanations: [{ route: 'best_effort' }] });
  });

  it('is said twice when a fallback passed the document on', async () => {
    const { explain } = await exhausted(['form']);
    const { explanations } = await explain();
    expect(explanations.map(({ route }) => route)).toEqual(['fallback', 'human_review']);
    expect(explanations[1]?.lines[0]).toMatchObject({ tried: true, taken: false });
  });

  it('is not said of what runs, verified, or was erased', async () => {
    const running = await exhausted([], () => undefined);
    await expect(running.explain()).rejects.toMatchObject({
      code: 'invalid_request',
      message: /still running/,
    });
    const verified = await exhausted([], verifyAll);
    await expect(verified.explain()).rejects.toMatchObject({ message: /is verified/ });
    const { bench, extraction, explain } = await exhausted();
    await eraseDocument(bench.app, extraction);
    await expect(explain()).rejects.toMatchObject({ code: 'gone' });
  });

  it('is said of a document whose bytes are not kept, with what is known', async () => {
    const { bench, explain } = await exhausted();
    bench.store.documentRows.clear();
    expect(await explain()).toMatchObject({
      facts: { pages: null },
      explanations: [{ route: 'human_review' }],
    });
  });
});
