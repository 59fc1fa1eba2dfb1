import { randomInt } from 'node:crypto';
import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { drawAudit, judgeRecord, listAudits, readAudit } from '../../application/audits.js';
import { viewAudit, viewAuditRecord } from '../../application/views/audit-view.js';
import { actorOf, needs, ownTenant } from '../access.js';
import type { HttpEnv } from '../environment.js';
import { AuditPage, AuditRequest, AuditSheet, JudgedRecord, NewVerdict } from '../schemas/audit.js';
import { pageQuery } from '../schemas/common.js';
import { noteSubject } from '../trail.js';
import { answer, byId, given, jsonBody, mapPage, problem } from './answers.js';

const tags = ['Audits'];

const draw = createRoute({
  operationId: 'drawAudit',
  method: 'post',
  path: '/v1/audits',
  security: needs('review'),
  tags,
  summary: 'Draw verified records, each as likely as the other, to be compared with their documents',
  description: 'Safe to repeat: the same seed, size and filters are the same sample, drawn once.',
  request: { body: jsonBody(AuditRequest) },
  responses: { 200: answer('What was drawn: now, or before.', AuditSheet), default: problem },
});

const list = createRoute({
  operationId: 'listAudits',
  method: 'get',
  path: '/v1/audits',
  security: needs('read'),
  tags,
  summary: 'List audits, newest first',
  request: { query: z.object(pageQuery) },
  responses: { 200: answer('One page.', AuditPage), default: problem },
});

const get = createRoute({
  operationId: 'readAudit',
  method: 'get',
  path: '/v1/audits/{id}',
  security: needs('read'),
  tags,
  summary: 'Read one audit with its records and what people said of them',
  request: { params: byId },
  responses: { 200: answer('As it is now.', AuditSheet), default: problem },
});

const judge = createRoute({
  operationId: 'judgeRecord',
  method: 'put',
  path: '/v1/audits/records/{id}/verdict',
  security: needs('review'),
  tags,
  summary: 'Say whether a drawn record is what its document says',
  description:
    'The record is named by its extraction, whatever audits have drawn it. The same again changes nothing; another verdict ' +
    'takes the place of the one before. The record itself stays as it is.',
  request: { params: byId, body: jsonBody(NewVerdict) },
  responses: { 200: answer('It is kept.', JudgedRecord), default: problem },
});

export function auditRoutes(api: OpenAPIHono<HttpEnv>): void {
  api.openapi(draw, async (c) => {
    const { size, seed = randomInt(2 ** 31), spec, version, ...rest } = c.req.valid('json');
    ownTenant(c.get('principal'), rest.tenant);
    const filter = given({ ...rest, specId: spec, promptVersion: version });
    const audit = await drawAudit(c.get('app'), { size, seed, filter });
    noteSubject(c, audit.id, audit.filter.tenant ?? null);
    c.header('Location', `/v1/audits/${audit.id}`);
    const records = await c.get('app').store.audits.items(audit.id);
    return c.json({ ...viewAudit(audit), records: records.map(viewAuditRecord) }, 200);
  });

  api.openapi(list, async (c) => {
    const { limit, cursor } = c.req.valid('query');
    return c.json(mapPage(await listAudits(c.get('app'), { limit, ...given({ cursor }) }), viewAudit), 200);
  });

  api.openapi(get, async (c) => {
    const { audit, items } = await readAudit(c.get('app'), c.req.valid('param').id);
    return c.json({ ...viewAudit(audit), records: items.map(viewAuditRecord) }, 200);
  });

  api.openapi(judge, async (c) => {
    const { verdict, actor } = c.req.valid('json');
    const by = actorOf(c.get('principal'), actor);
    const judged = await judgeRecord(c.get('app'), { id: c.req.valid('param').id, verdict }, by);
    noteSubject(c, judged.extractionId, judged.tenant);
    return c.json({ id: judged.extractionId, verdict, before: judged.before }, 200);
  });
}
