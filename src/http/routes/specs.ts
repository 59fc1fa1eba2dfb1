import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { ApplicationError } from '../../application/application-error.js';
import { viewEvaluation } from '../../application/views/evaluation-view.js';
import { viewSpecSheet, viewSpecs } from '../../application/views/spec-view.js';
import type { Catalogue } from '../../spec/catalogue.js';
import { needs } from '../access.js';
import type { HttpEnv } from '../environment.js';
import { EvaluationPage, EvaluationQuery } from '../schemas/evaluation.js';
import { SpecSheet, Specs } from '../schemas/spec.js';
import { answer, given, mapPage, problem } from './answers.js';

const tags = ['Specs'];

const list = createRoute({
  operationId: 'listSpecs',
  method: 'get',
  path: '/v1/specs',
  security: needs('read'),
  tags,
  summary: 'List what this server knows how to extract: every version of every spec',
  responses: { 200: answer('All of them.', Specs), default: problem },
});

const get = createRoute({
  operationId: 'readSpec',
  method: 'get',
  path: '/v1/specs/{spec}',
  security: needs('read'),
  tags,
  summary: 'Read a spec as new extractions are started under it, with the schema of its records',
  request: { params: z.object({ spec: z.string().openapi({ example: 'claim' }) }) },
  responses: { 200: answer('Its current version.', SpecSheet), default: problem },
});

const evaluations = createRoute({
  operationId: 'listEvaluations',
  method: 'get',
  path: '/v1/specs/{spec}/evaluations',
  security: needs('read'),
  tags,
  summary: 'List what evaluations of a spec came to, newest first',
  description:
    'Of `endstop spec eval`: counts, and nothing that a document says. They run as tenants of their own, so a key of one ' +
    'tenant sees none.',
  request: {
    params: z.object({ spec: z.string().openapi({ example: 'claim' }) }),
    query: EvaluationQuery,
  },
  responses: { 200: answer('One page.', EvaluationPage), default: problem },
});

export function specRoutes(api: OpenAPIHono<HttpEnv>): void {
  api.openapi(list, (c) => c.json({ items: viewSpecs(c.get('app').catalogue) }, 200));

  api.openapi(get, (c) => {
    const { catalogue } = c.get('app');
    const { spec: id } = c.req.valid('param');
    const spec = catalogue.current(id);
    if (spec !== null) return c.json(viewSpecSheet(spec), 200);
    throw unknownSpec(catalogue, id);
  });

  api.openapi(evaluations, async (c) => {
    const { catalogue, store } = c.get('app');
    const { spec: specId } = c.req.valid('param');
    const { limit, cursor, ...filter } = c.req.valid('query');
    const page = await store.evaluations.list({ specId, ...given(filter) }, { limit, ...given({ cursor }) });
    // What is not here any more may have been evaluated.
    if (page.items.length === 0 && catalogue.current(specId) === null) throw unknownSpec(catalogue, specId);
    return c.json(mapPage(page, viewEvaluation), 200);
  });
}

function unknownSpec(catalogue: Catalogue, id: string): ApplicationError {
  const known = [...new Set(catalogue.list().map((one) => one.id))].join(', ');
  return new ApplicationError(
    'not_found',
    `There is no spec "${id}"; known: ${known === '' ? 'none' : known}.`,
  );
}
