import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { ApplicationError } from '../../application/application-error.js';
import { findExtraction } from '../../application/find-extraction.js';
import { needs } from '../access.js';
import { documentHeaders } from '../document-answer.js';
import type { HttpEnv } from '../environment.js';
import { hasAlready } from '../etag.js';
import type { EventStreams } from '../event-stream.js';
import { extractionEvents } from '../extraction-events.js';
import { ifNoneMatch, SentEvent, wholeNumber } from '../schemas/common.js';
import { byId, problem } from './answers.js';

const tags = ['Extractions'];
const runQuery = z.object({ run: wholeNumber(1, 1_000_000).optional() });

const events = createRoute({
  operationId: 'streamExtraction',
  method: 'get',
  path: '/v1/extractions/{id}/events',
  security: needs('read'),
  tags,
  summary: 'Follow one run as it happens',
  description:
    'Server-sent events: `started`, an `attempt` for each that was made, `ended`; the stream then ends. A client that comes ' +
    'back sends `Last-Event-ID` and goes on where it was; after the end it is answered with 204, and stays away.',
  request: {
    params: byId,
    query: runQuery,
    headers: z.object({
      'last-event-id': z
        .string()
        .optional()
        .openapi({ description: 'The last event that was seen.', example: '1' }),
    }),
  },
  responses: {
    200: {
      description: 'Events as they happen; a comment now and then while nothing does.',
      content: { 'text/event-stream': { schema: SentEvent } },
    },
    204: { description: 'It has ended, and all of it was seen.' },
    default: problem,
  },
});

const document = createRoute({
  operationId: 'readDocument',
  method: 'get',
  path: '/v1/extractions/{id}/document',
  security: needs('read'),
  tags,
  summary: 'Read the bytes of the document of an extraction',
  description: 'Text and images may be shown; everything else is offered to be saved. Nothing in it runs.',
  request: { params: byId, headers: z.object(ifNoneMatch) },
  responses: {
    200: {
      description: 'As it was handed in, under the media type it was said to be.',
      content: { '*/*': { schema: z.string().openapi({ format: 'binary' }) } },
    },
    304: { description: 'You have it.' },
    default: problem,
  },
});

export function extractionPartRoutes(api: OpenAPIHono<HttpEnv>, streams: EventStreams): void {
  api.openapi(events, async (c) => {
    const app = c.get('app');
    const row = await findExtraction(app.store, c.req.valid('param').id, c.req.valid('query').run);
    return streams.answer(c, extractionEvents(app, row));
  });

  api.openapi(document, async (c) => {
    const { store } = c.get('app');
    const { tenant, documentHash, fileName } = await findExtraction(store, c.req.valid('param').id);
    if (hasAlready(c.req.header('if-none-match'), `"${documentHash}"`)) {
      return c.body(null, 304, { ETag: `"${documentHash}"` });
    }
    const stored = await store.documents.load(tenant, documentHash);
    if (stored === null) {
      throw new ApplicationError('gone', 'The document of this extraction is no longer kept.');
    }
    const headers = documentHeaders(stored, documentHash, fileName);
    return c.body(new Uint8Array(stored.bytes), 200, headers);
  });
}
