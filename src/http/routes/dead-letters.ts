import { createRoute, type OpenAPIHono } from '@hono/zod-openapi';
import { countRedrivable, redrive, redriveByKey } from '../../application/redrive.js';
import { viewDeadLetter } from '../../application/views/dead-letter-view.js';
import { summarise } from '../../application/views/extraction-view.js';
import type { HttpDeps, HttpEnv } from '../environment.js';
import { DeadLetterPage, DeadLetterQuery, RedriveAnswer, RedriveRequest } from '../schemas/dead-letter.js';
import { answer, given, mapPage, problem } from './answers.js';

const tags = ['Dead letters'];

const list = createRoute({
  method: 'get',
  path: '/v1/dead-letters',
  tags,
  summary: 'List parked runs, oldest first',
  request: { query: DeadLetterQuery },
  responses: { 200: answer('One page.', DeadLetterPage), default: problem },
});

const again = createRoute({
  method: 'post',
  path: '/v1/dead-letters/redrive',
  tags,
  summary: 'Run parked runs again: one by its id, or the oldest that a filter selects',
  description:
    'Safe to repeat: what is under way or verified is left alone. Runs are started, not waited for.',
  request: { body: { required: true, content: { 'application/json': { schema: RedriveRequest } } } },
  responses: {
    200: answer('Nothing was started: it was only counted.', RedriveAnswer),
    202: answer('Started.', RedriveAnswer),
    default: problem,
  },
});

export function deadLetterRoutes(api: OpenAPIHono<HttpEnv>, { app, inFlight }: HttpDeps): void {
  api.openapi(list, async (c) => {
    const { limit, cursor, spec, ...rest } = c.req.valid('query');
    const page = await app.store.deadLetters.list(given({ ...rest, specId: spec }), {
      limit,
      ...given({ cursor }),
    });
    return c.json(mapPage(page, viewDeadLetter), 200);
  });

  api.openapi(again, async (c) => {
    const asked = c.req.valid('json');
    if ('id' in asked) {
      const extraction = await redriveByKey(app, asked.id, asked.with);
      return c.json({ kind: 'running' as const, extraction: summarise(extraction) }, 202);
    }
    const { spec, ...rest } = asked.filter;
    const filter = given({ ...rest, specId: spec });
    if (asked.dryRun)
      return c.json({ kind: 'counted' as const, parked: await countRedrivable(app, filter) }, 200);
    const { verified, unverified, ...report } = await redrive(app, {
      filter,
      promptVersion: asked.with,
      limit: asked.limit,
      inFlight,
      wait: false,
    });
    return c.json({ kind: 'redriven' as const, ...report, parked: await countRedrivable(app, filter) }, 202);
  });
}
