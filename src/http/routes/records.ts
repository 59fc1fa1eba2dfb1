import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { type ExportChunk, exportRecords } from '../../application/export-records.js';
import { viewRecord } from '../../application/views/record-view.js';
import { needs } from '../access.js';
import type { HttpDeps, HttpEnv } from '../environment.js';
import { logUnforeseen } from '../log.js';
import { RecordPage, RecordQuery } from '../schemas/record.js';
import { given, mapPage, problem } from './answers.js';

const list = createRoute({
  operationId: 'listRecords',
  method: 'get',
  path: '/v1/records',
  security: needs('read'),
  tags: ['Records'],
  summary: 'List records; unless asked otherwise, only verified ones and the current one of each document',
  description:
    'As csv, the fields of one spec are columns; a text that a spreadsheet would run as a formula gets an apostrophe in front.',
  request: { query: RecordQuery },
  responses: {
    200: {
      description: 'One page, or all of them as text. A text that breaks off is not whole.',
      content: {
        'application/json': { schema: RecordPage },
        'text/csv': { schema: z.string() },
        'application/jsonl': { schema: z.string() },
      },
    },
    default: problem,
  },
});

const mediaTypes = { csv: 'text/csv; charset=utf-8; header=present', jsonl: 'application/jsonl' } as const;

export function recordRoutes(api: OpenAPIHono<HttpEnv>, { logger }: HttpDeps): void {
  api.openapi(list, async (c) => {
    const app = c.get('app');
    const { limit, cursor, spec, status, format, flatten, ...rest } = c.req.valid('query');
    const statuses = status === undefined ? undefined : [status].flat();
    const filter = given({ ...rest, specId: spec, statuses });
    if (format !== 'json') {
      const chunks = exportRecords(app, { filter, format, flatten: flatten ?? null });
      const body = await begun(chunks, (error) => logUnforeseen(logger, c.get('requestId'), error));
      return c.body(body, 200, { 'Content-Type': mediaTypes[format] });
    }
    const page = await app.store.records.list(filter, { limit, ...given({ cursor }) });
    return c.json(
      mapPage(page, (record) => viewRecord(record, app.catalogue)),
      200,
    );
  });
}

/**
 * A body that is read as it is sent. Resolves once its first part is there: until then a problem can be answered. When
 * a later part fails, the answer ends without its last chunk, so that what was sent does not pass for whole.
 */
async function begun(
  chunks: AsyncIterable<ExportChunk>,
  onBreak: (error: Error) => void,
): Promise<ReadableStream> {
  const iterator = chunks[Symbol.asyncIterator]();
  let next = await iterator.next();
  const bytes = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      try {
        if (next.done === true) return controller.close();
        controller.enqueue(bytes.encode(next.value.text));
        next = await iterator.next();
      } catch (error) {
        const broken = new Error('An export broke off.');
        onBreak(error instanceof Error ? error : broken);
        controller.error(broken);
      }
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}
