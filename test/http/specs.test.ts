import { describe, expect, it } from 'vitest';
import specs from '../../specs/index.js';
import { EvaluationPage } from '../../src/http/schemas/evaluation.js';
import { SpecSheet, Specs } from '../../src/http/schemas/spec.js';
import { createCatalogue } from '../../src/spec/catalogue.js';
import { createBench } from '../support/fakes/bench.js';
import { conforms, createApi, problemIn } from './api.js';

const open = () => createApi({ app: createBench(createCatalogue(specs)).app });

describe('GET /v1/specs', () => {
  it('lists every version with its bounds and its rules in words', async () => {
    const { items } = conforms(Specs, await open().get('/v1/specs'));
    expect(items.map(({ id }) => id)).toEqual(specs.map(({ id }) => id));
    const claim = items.find(({ id }) => id === 'claim');
    expect(claim).toMatchObject({ current: true, schemaVersion: '1', attemptCap: 3, deadlineMs: 60_000 });
    expect(claim?.rules.find(({ id }) => id === 'total-equals-sum')?.says).toMatch(/\w/);
  });

  it('shows one with the schema of its records', async () => {
    const sheet = conforms(SpecSheet, await open().get('/v1/specs/claim'));
    expect(sheet.recordSchema).toMatchObject({
      type: 'object',
      properties: { total_claimed: expect.anything(), line_items: { type: 'array' } },
    });
  });

  it('when there is none of this name, then it says which there are', async () => {
    const { detail } = problemIn(await open().get('/v1/specs/recipe'), 404, 'not-found');
    expect(detail).toMatch(/^There is no spec "recipe"; known: claim, /);
  });
});

describe('GET /v1/specs/{spec}/evaluations', () => {
  it('lists what they came to, newest first; of a spec without any the list is empty, of none there is none', async () => {
    const bench = createBench(createCatalogue(specs));
    const api = createApi({ app: bench.app });
    const kept = {
      ...{ specId: 'claim', schemaVersion: '1', promptVersion: '1', tenant: 'eval-1', truthSet: 'aa' },
      ...{ providers: ['stand-in'], models: ['m'], beganAt: 0, endedAt: 1_000, documents: 2, right: 1 },
      ...{ unjudged: 0, calls: 3, tokens: 900, cost: [{ amount: '0.1', currency: 'USD' }] },
      curve: [{ attempts: 1, verified: 2 }],
      wrong: [{ extractionId: 'ab', differs: ['/total_claimed'] }],
      fields: [{ pointer: '/total_claimed', right: 1, of: 2 }],
      landed: [{ reason: 'refusal' as const, route: null, documents: 1 }],
      classes: [{ failureClass: 'refusal' as const, documents: 1 }],
    };
    await bench.store.evaluations.add({ ...kept, id: 'first' });
    await bench.store.evaluations.add({ ...kept, id: 'second' });
    const { items } = conforms(EvaluationPage, await api.get('/v1/specs/claim/evaluations'));
    expect(items.map(({ id }) => id)).toEqual(['second', 'first']);
    expect(items[0]).toMatchObject({
      spec: 'claim',
      endedAt: '1970-01-01T00:00:01.000Z',
      fields: kept.fields,
    });
    expect(conforms(EvaluationPage, await api.get('/v1/specs/invoice/evaluations')).items).toEqual([]);
    problemIn(await api.get('/v1/specs/recipe/evaluations'), 404, 'not-found');
  });
});
