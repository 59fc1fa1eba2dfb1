import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { cancelRedrive, readRedrive } from '../../application/redrive.js';
import { needs } from '../access.js';
import type { HttpEnv } from '../environment.js';
import { RedriveReport } from '../schemas/dead-letter.js';
import { answer, problem } from './answers.js';

const tags = ['Dead letters'];
const params = z.object({ id: z.string().openapi({ description: 'As the redrive was answered with.' }) });

const get = createRoute({
  operationId: 'readRedrive',
  method: 'get',
  path: '/v1/redrives/{id}',
  security: needs('read'),
  tags,
  summary: 'Read how a redrive of many fares',
  request: { params },
  responses: { 200: answer('What it came to so far.', RedriveReport), default: problem },
});

const cancel = createRoute({
  operationId: 'cancelRedrive',
  method: 'post',
  path: '/v1/redrives/{id}/cancel',
  security: needs('operate'),
  tags,
  summary: 'Run no further letter; what is under way goes on',
  request: { params },
  responses: {
    202: answer('It is asked to stop.', z.object({ id: z.string() }).openapi('RedriveCancelling')),
    default: problem,
  },
});

export function redriveRoutes(api: OpenAPIHono<HttpEnv>): void {
  api.openapi(get, async (c) => c.json(await readRedrive(c.get('app'), c.req.valid('param').id), 200));

  api.openapi(cancel, async (c) => {
    const { id } = c.req.valid('param');
    await cancelRedrive(c.get('app'), id);
    return c.json({ id }, 202);
  });
}
