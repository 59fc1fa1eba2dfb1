import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { ApplicationError } from '../../application/application-error.js';
import { findExtraction } from '../../application/find-extraction.js';
import { needs } from '../access.js';
import { byteRange } from '../byte-range.js';
import { documentHeaders } from '../document-answer.js';
import type { HttpEnv } from '../environment.js';
import { hasAlready } from '../etag.js';
import type { EventStreams } from '../event-stream.js';
import { extractionEvents } from '../extraction-events.js';
import { HttpProblem } from '../problem.js';
import { ifNoneMatch, SentEvent, wholeNumber } from '../schemas/common.js';
import { byId, problem } from './answers.js';

const tags = ['Extractions'];
const lengthHeaders = {
  'Accept-Ranges': { schema: { type: 'string' as const, enum: ['bytes'] } },
  'Content-Length': { schema: { type: 'integer' as const } },
  ETag: { schema: { type: 'string' as const }, description: 'Strong: the same bytes, the same tag.' },
};
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
  description:
    'Text and images may be shown; everything else is offered to be saved. Nothing in it runs. `HEAD` says how many bytes ' +
    'there are; `Range` asks for some of them.',
  request: {
    params: byId,
    headers: z.object({
      ...ifNoneMatch,
      range: z.string().optional().openapi({
        description: 'One range; several at once, or what is none, are answered with the whole.',
        example: 'bytes=0-1023',
      }),
      'if-range': z.string().optional().openapi({
        description: 'The `ETag` of what you have a part of; of anything else you get the whole.',
      }),
    }),
  },
  responses: {
    200: {
      description: 'As it was handed in, under the media type it was said to be.',
      headers: lengthHeaders,
      content: { '*/*': { schema: z.string().openapi({ format: 'binary' }) } },
    },
    206: {
      description: 'The bytes that were asked for.',
      headers: {
        ...lengthHeaders,
        'Content-Range': { schema: { type: 'string' }, description: 'Such as `bytes 0-1023/146515`.' },
      },
      content: { '*/*': { schema: z.string().openapi({ format: 'binary' }) } },
    },
    304: { description: 'You have it.' },
    416: { ...problem, description: 'It has fewer bytes: `Content-Range` says how many.' },
    default: problem,
  },
});

/** The framework answers HEAD by GET without its body, so this is a description only. */
const documentHead = {
  ...document,
  ...{ operationId: 'readDocumentHead', method: 'head' as const },
  summary: 'Read how many bytes the document of an extraction has, and of which type',
  description: 'What the same GET would say without its bytes; `Range` means nothing here.',
  request: { params: byId, headers: z.object(ifNoneMatch) },
  responses: {
    200: { description: 'It is there.', headers: lengthHeaders },
    304: { description: 'You have it.' },
  },
};

export function extractionPartRoutes(api: OpenAPIHono<HttpEnv>, streams: EventStreams): void {
  api.openapi(events, async (c) => {
    const app = c.get('app');
    const row = await findExtraction(app.store, c.req.valid('param').id, c.req.valid('query').run);
    return streams.answer(c, extractionEvents(app, row));
  });

  api.openapi(document, async (c) => {
    const { store } = c.get('app');
    const { tenant, documentHash, fileName } = await findExtraction(store, c.req.valid('param').id);
    const tag = `"${documentHash}"`;
    if (hasAlready(c.req.header('if-none-match'), tag)) return c.body(null, 304, { ETag: tag });
    const stored = await store.documents.load(tenant, documentHash);
    if (stored === null) {
      throw new ApplicationError('gone', 'The document of this extraction is no longer kept.');
    }
    const headers = documentHeaders(stored, documentHash, fileName);
    const { byteLength: length } = stored.bytes;
    const asked = c.req.method === 'GET' ? c.req.header('range') : undefined;
    const range = byteRange(asked, c.req.header('if-range'), { tag, length });
    if (range.kind === 'unsatisfiable') {
      c.header('Content-Range', `bytes */${length}`);
      throw new HttpProblem({
        slug: 'range-not-satisfiable',
        detail: `The document has ${length} bytes.`,
      });
    }
    const bytes = range.kind === 'part' ? stored.bytes.subarray(range.first, range.last + 1) : stored.bytes;
    headers['Content-Length'] = String(bytes.byteLength);
    if (range.kind === 'whole') return c.body(new Uint8Array(bytes), 200, headers);
    headers['Content-Range'] = `bytes ${range.first}-${range.last}/${length}`;
    return c.body(new Uint8Array(bytes), 206, headers);
  });
  api.openAPIRegistry.registerPath(documentHead);
}
