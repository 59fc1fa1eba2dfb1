import { describe, expect, it } from 'vitest';
import specs from '../../specs/index.js';
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
