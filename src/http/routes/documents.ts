import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { eraseDocument } from '../../application/erase.js';
import { instant } from '../../application/views/instant.js';
import { needs, ownTenant } from '../access.js';
import type { HttpDeps, HttpEnv } from '../environment.js';
import { DocumentHash, ErasedDocument } from '../schemas/document.js';
import { noteSubject } from '../trail.js';
import { answer, problem } from './answers.js';

const erase = createRoute({
  operationId: 'eraseDocument',
  method: 'delete',
  path: '/v1/documents/{hash}',
  security: needs('operate'),
  tags: ['Documents'],
  summary: 'Erase what a document said; what became of it stays in counts',
  description:
    'Takes its bytes and, of all its extractions, candidates, evidence, feedback, records and what people wrote. Safe to repeat. A run of it that is under way ends as `unreadable_document`.',
  request: {
    params: z.object({ hash: DocumentHash }),
    query: z.object({ tenant: z.string().optional() }),
  },
  responses: { 200: answer('It is erased: now, or before.', ErasedDocument), default: problem },
});

export function documentRoutes(api: OpenAPIHono<HttpEnv>, deps: HttpDeps): void {
  api.openapi(erase, async (c) => {
    const tenant = ownTenant(c.get('principal'), c.req.valid('query').tenant) ?? deps.tenant;
    const erased = await eraseDocument(c.get('app'), { tenant, documentHash: c.req.valid('param').hash });
    noteSubject(c, erased.documentHash, tenant);
    const { alsoHeldBy } = erased;
    return c.json({ ...erased, alsoHeldBy: [...alsoHeldBy], erasedAt: instant(erased.erasedAt) }, 200);
  });
}
