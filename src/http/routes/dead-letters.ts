import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { findDeadLetter } from '../../application/find-dead-letter.js';
import { redriveByKey, selectedGroups, startRedrive } from '../../application/redrive.js';
import {
  viewDeadLetter,
  viewDeadLetterDetail,
  viewDeadLetterGroup,
} from '../../application/views/dead-letter-view.js';
import { summarise } from '../../application/views/extraction-view.js';
import { needs, ownTenant } from '../access.js';
import type { HttpDeps, HttpEnv } from '../environment.js';
import { onlyPost } from '../other-methods.js';
import { Id } from '../schemas/common.js';
import {
  DeadLetterDetail,
  DeadLetterGroups,
  DeadLetterPage,
  DeadLetterQuery,
  DeadLetterSelection,
  RedriveAnswer,
  RedriveRequest,
} from '../schemas/dead-letter.js';
import { noteSubject } from '../trail.js';
import { answer, given, mapPage, problem } from './answers.js';

const tags = ['Dead letters'];

const list = createRoute({
  operationId: 'listDeadLetters',
  method: 'get',
  path: '/v1/dead-letters',
  security: needs('read'),
  tags,
  summary: 'List parked runs, oldest first',
  request: { query: DeadLetterQuery },
  responses: { 200: answer('One page.', DeadLetterPage), default: problem },
});

const groups = createRoute({
  operationId: 'countDeadLetters',
  method: 'get',
  path: '/v1/dead-letters/groups',
  security: needs('read'),
  tags,
  summary: 'Count parked runs by why they failed and under what, most first',
  request: { query: DeadLetterSelection },
  responses: { 200: answer('Every group.', DeadLetterGroups), default: problem },
});

const get = createRoute({
  operationId: 'readDeadLetter',
  method: 'get',
  path: '/v1/dead-letters/{id}',
  security: needs('read'),
  tags,
  summary: 'Read one dead letter with the bounds it ran under',
  request: { params: z.object({ id: Id }) },
  responses: { 200: answer('In whatever state it is.', DeadLetterDetail), default: problem },
});

const again = createRoute({
  operationId: 'redrive',
  method: 'post',
  path: '/v1/dead-letters/redrive',
  security: needs('operate'),
  tags,
  summary: 'Run parked runs again: one by its id, or all that a filter selects',
  description:
    'Many are run by a redrive of its own that goes on by itself; `Location` says where to look. Safe to repeat: ' +
    'what is under way, verified or was run by the same redrive before is left alone.',
  request: { body: { required: true, content: { 'application/json': { schema: RedriveRequest } } } },
  responses: {
    200: answer('Nothing was started: it was only counted.', RedriveAnswer),
    202: answer('Under way.', RedriveAnswer),
    default: problem,
  },
});

export function deadLetterRoutes(api: OpenAPIHono<HttpEnv>, { inFlight }: HttpDeps): void {
  api.openapi(list, async (c) => {
    const { limit, cursor, spec, ...rest } = c.req.valid('query');
    const page = await c.get('app').store.deadLetters.list(given({ ...rest, specId: spec }), {
      limit,
      ...given({ cursor }),
    });
    return c.json(mapPage(page, viewDeadLetter), 200);
  });

  api.openapi(groups, async (c) => {
    const { spec, ...rest } = c.req.valid('query');
    const found = await c.get('app').store.deadLetters.groups(given({ ...rest, specId: spec }));
    return c.json({ items: found.map(viewDeadLetterGroup) }, 200);
  });

  api.openapi(again, async (c) => {
    const asked = c.req.valid('json');
    const app = c.get('app');
    if ('id' in asked) {
      const extraction = await redriveByKey(app, asked.id, asked.with);
      noteSubject(c, extraction.key, extraction.tenant);
      return c.json({ kind: 'running' as const, extraction: summarise(extraction) }, 202);
    }
    const { spec, ...rest } = asked.filter;
    ownTenant(c.get('principal'), rest.tenant);
    const selection = given({ ...rest, specId: spec });
    if (asked.dryRun) {
      const { parked } = await selectedGroups(app, selection);
      return c.json({ kind: 'counted' as const, parked }, 200);
    }
    const { kind, order } = await startRedrive(app, {
      id: asked.name,
      selection,
      promptVersion: asked.with,
      most: asked.max,
      inFlight,
      perSecond: asked.perSecond,
    });
    const { id, parked } = order;
    noteSubject(c, id, order.selection.tenant ?? null);
    c.header('Location', `/v1/redrives/${id}`);
    return c.json({ kind: 'redriving' as const, id, isNew: kind === 'started', parked }, 202);
  });

  onlyPost(api, '/v1/dead-letters/redrive');

  api.openapi(get, async (c) => {
    const letter = await findDeadLetter(c.get('app').store, c.req.valid('param').id);
    return c.json(viewDeadLetterDetail(letter), 200);
  });
}
