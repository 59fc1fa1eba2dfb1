import { createRoute, type OpenAPIHono } from '@hono/zod-openapi';
import { viewRecord } from '../../application/views/record-view.js';
import type { HttpDeps, HttpEnv } from '../environment.js';
import { RecordPage, RecordQuery } from '../schemas/record.js';
import { answer, given, mapPage, problem } from './answers.js';

const list = createRoute({
  method: 'get',
  path: '/v1/records',
  tags: ['Records'],
  summary: 'List records; unless asked otherwise, only verified ones and the current one of each document',
  request: { query: RecordQuery },
  responses: { 200: answer('One page.', RecordPage), default: problem },
});

export function recordRoutes(api: OpenAPIHono<HttpEnv>, { app }: HttpDeps): void {
  api.openapi(list, async (c) => {
    const { limit, cursor, spec, status, ...rest } = c.req.valid('query');
    const statuses = status === undefined ? undefined : [status].flat();
    const page = await app.store.records.list(given({ ...rest, specId: spec, statuses }), {
      limit,
      ...given({ cursor }),
    });
    return c.json(mapPage(page, viewRecord), 200);
  });
}
