import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { ApplicationError } from '../../application/application-error.js';
import { viewSpecSheet, viewSpecs } from '../../application/views/spec-view.js';
import { needs } from '../access.js';
import type { HttpEnv } from '../environment.js';
import { SpecSheet, Specs } from '../schemas/spec.js';
import { answer, problem } from './answers.js';

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

export function specRoutes(api: OpenAPIHono<HttpEnv>): void {
  api.openapi(list, (c) => c.json({ items: viewSpecs(c.get('app').catalogue) }, 200));

  api.openapi(get, (c) => {
    const { catalogue } = c.get('app');
    const { spec: id } = c.req.valid('param');
    const spec = catalogue.current(id);
    if (spec !== null) return c.json(viewSpecSheet(spec), 200);
    const known = [...new Set(catalogue.list().map((one) => one.id))].join(', ');
    throw new ApplicationError(
      'not_found',
      `There is no spec "${id}"; known: ${known === '' ? 'none' : known}.`,
    );
  });
}
