import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { repairStandings, switchRepairs } from '../../application/repairs.js';
import { actorOf, forAllTenants, needs, ofAllTenants } from '../access.js';
import type { HttpEnv } from '../environment.js';
import { RepairStandings, RepairSwitch } from '../schemas/repairs.js';
import { noteSubject } from '../trail.js';
import { answer, problem } from './answers.js';

const tags = ['Repairs'];

const list = createRoute({
  operationId: 'readRepairs',
  method: 'get',
  path: '/v1/repairs',
  security: needs('read'),
  tags,
  summary: 'Read how much of its repair budget each spec uses, and who paused repairs',
  request: { query: z.object({ spec: z.string().optional() }) },
  responses: { 200: answer('One entry for each spec.', RepairStandings), default: problem },
});

const switching = (word: 'pause' | 'resume', summary: string) =>
  createRoute({
    operationId: `${word}Repairs`,
    method: 'post',
    path: `/v1/repairs/${word}`,
    security: needs('operate'),
    middleware: forAllTenants,
    tags,
    summary,
    request: { body: { required: true, content: { 'application/json': { schema: RepairSwitch } } } },
    responses: { 200: answer('How the specs stand now.', RepairStandings), default: problem },
  });

const pause = switching(
  'pause',
  'Make no further repairs, on any worker: runs that need one end as repair_budget',
);
const resume = switching('resume', 'Make repairs again; what was paused by its own spec stays paused');

export function repairRoutes(api: OpenAPIHono<HttpEnv>): void {
  api.openapi(list, async (c) => {
    ofAllTenants(c.get('principal'));
    return c.json({ items: await repairStandings(c.get('app'), c.req.valid('query').spec) }, 200);
  });
  api.openapi(pause, async (c) => c.json(await switched(c, c.req.valid('json'), true), 200));
  api.openapi(resume, async (c) => c.json(await switched(c, c.req.valid('json'), false), 200));
}

async function switched(
  c: Context<HttpEnv>,
  { spec, reason, actor }: z.output<typeof RepairSwitch>,
  paused: boolean,
) {
  const change = { specId: spec, paused, actor: actorOf(c.get('principal'), actor), reason };
  const items = await switchRepairs(c.get('app'), change);
  noteSubject(c, spec ?? '', null);
  return { items };
}
