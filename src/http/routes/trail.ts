import { createRoute, type OpenAPIHono } from '@hono/zod-openapi';
import { viewTrail } from '../../application/views/trail-view.js';
import { needs } from '../access.js';
import type { HttpEnv } from '../environment.js';
import { TrailPage, TrailQuery } from '../schemas/trail.js';
import { answer, given, mapPage, problem } from './answers.js';

const list = createRoute({
  operationId: 'listTrail',
  method: 'get',
  path: '/v1/audit',
  security: needs('operate'),
  tags: ['Audit'],
  summary: 'List what people changed, newest first',
  description:
    'One entry for each change: which key, whose, what, when. References only; nothing a document says.',
  request: { query: TrailQuery },
  responses: { 200: answer('One page.', TrailPage), default: problem },
});

export function trailRoutes(api: OpenAPIHono<HttpEnv>): void {
  api.openapi(list, async (c) => {
    const { limit, cursor, ...filter } = c.req.valid('query');
    const page = await c.get('app').store.trail.list(given(filter), { limit, ...given({ cursor }) });
    return c.json(mapPage(page, viewTrail), 200);
  });
}
