import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import specs from '../../specs/index.js';
import { createCatalogue } from '../../src/spec/catalogue.js';
import { createBench, exhaustAll, verifyAll } from '../support/fakes/bench.js';
import { type Api, createApi } from './api.js';

interface Media {
  readonly schema: object;
  readonly examples?: Record<string, { readonly value: unknown }>;
}

interface Operation {
  readonly operationId: string;
  readonly requestBody?: { readonly content: Record<string, Media> };
  readonly responses: Record<string, { readonly content?: Record<string, Media> }>;
}

interface Description {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly schemas: Record<string, object> };
}

const json = 'application/json';
/** What the examples call an extraction. */
const exampleId = '3f9a1c20b7d4e58861c05be2fd0734cb3b2f9a9d7c61e0f4a8d25c139e7b6042';

const { paths, components } = (await createApi().get('/openapi.json')).body as Description;
const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    path,
    method: method.toUpperCase(),
    ...operation,
  })),
);

/** What only the person can do who has taken the review. */
const ofHolder = new Set(['holdReview', 'releaseReview', 'saveReviewDraft']);

/** A schema of the description as it is published, not the one it was made from. */
function documented(schema: object) {
  const whole = JSON.stringify({ ...schema, $defs: components.schemas });
  return z.fromJSONSchema(JSON.parse(whole.replaceAll('#/components/schemas/', '#/$defs/')));
}

function expectDocumented(operation: Operation, status: number, body: unknown): void {
  const media = operation.responses[status]?.content?.[json];
  if (media === undefined) throw new Error(`${operation.operationId} does not document ${status}.`);
  const read = documented(media.schema).safeParse(body);
  expect(read.error?.issues ?? [], operation.operationId).toEqual([]);
}

const requests = operations.flatMap((operation) =>
  Object.entries(operation.requestBody?.content[json]?.examples ?? {}).map(
    ([name, { value }]) => [`${operation.operationId} ${name}`, operation, value] as const,
  ),
);
const answers = operations.flatMap((operation) =>
  Object.entries(operation.responses).flatMap(([status, { content }]) =>
    Object.entries(content?.[json]?.examples ?? {}).map(
      ([name, { value }]) =>
        [`${operation.operationId} ${status} ${name}`, operation, Number(status), value] as const,
    ),
  ),
);

/** An API that knows the document of the first example, a run that waits for a person, and a record that was drawn. */
async function prepared(): Promise<{ api: Api; id: string; drawn: string }> {
  const bench = createBench(createCatalogue(specs));
  const api = { ...createApi({ app: bench.app }), ...bench };
  exhaustAll(api, 'human_review');
  const { body } = await api.post('/v1/extractions', {
    spec: 'claim',
    document: { text: 'Claim number: CL-1' },
  });
  verifyAll(api);
  const text = { text: 'Claim number: CL-3' };
  const verified = await api.post('/v1/extractions', { spec: 'claim', document: text });
  await api.post('/v1/audits', { size: 1 });
  api.engine.script = () => null;
  return { api, id: (body as { id: string }).id, drawn: (verified.body as { id: string }).id };
}

describe('examples of the API description', () => {
  it('are there for what most programs do', () => {
    const named = new Set([...requests, ...answers].map(([, { operationId }]) => operationId));
    for (const id of ['submitExtraction', 'readExtraction', 'listExtractions', 'submitBatch', 'decideReview'])
      expect(named).toContain(id);
    expect(named).toContain('redrive');
  });

  it.each(requests)('request %s is taken, and answered as documented', async (_, operation, value) => {
    const { api, id, drawn } = await prepared();
    const path = operation.path
      .replace('{id}', operation.operationId === 'judgeRecord' ? drawn : id)
      .replace('{tenant}', 'acme');
    if (ofHolder.has(operation.operationId)) await api.post(`/v1/reviews/${id}/claim`, { actor: 'kim' });
    const answer = await api.request(path, {
      method: operation.method,
      headers: { 'content-type': json },
      body: JSON.stringify(value).replaceAll(exampleId, id),
    });
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    expectDocumented(operation, answer.status, answer.body);
  });

  it.each(answers)('answer %s is one that its schema allows', (_, operation, status, value) => {
    expectDocumented(operation, status, value);
  });

  it('an example answer has every field of a real one', async () => {
    const { api } = await prepared();
    verifyAll(api);
    const submit = operations.find(({ operationId }) => operationId === 'submitExtraction');
    const request = { spec: 'claim', document: { text: 'Claim number: CL-9' } };
    const { body } = await api.post('/v1/extractions', request, { prefer: 'wait=1' });
    const example = submit?.responses['200']?.content?.[json]?.examples?.['verified']?.value;
    expect(Object.keys(example as object).sort()).toEqual(Object.keys(body as object).sort());
    const truth = JSON.parse(readFileSync('samples/truth/claim-bhd.json', 'utf8')) as { record: unknown };
    expect(example).toMatchObject({ outcome: { record: truth.record } });
  });

  it('what a schema does not allow is told apart', () => {
    const read = operations.find(({ operationId }) => operationId === 'readExtraction');
    if (read === undefined) throw new Error('There is no readExtraction.');
    expect(() => expectDocumented(read, 200, { id: 'x' })).toThrow();
  });
});
