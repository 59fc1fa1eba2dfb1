import { createHash } from 'node:crypto';
import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { HTTPException } from 'hono/http-exception';
import type { Application } from '../../application/application.js';
import { cancelBatch, findBatch } from '../../application/batches.js';
import { handInBatch } from '../../application/hand-in-batch.js';
import { followBatch, listBatches, readBatch } from '../../application/read-batch.js';
import { viewBatchDocument } from '../../application/views/batch-view.js';
import { needs, ownTenant } from '../access.js';
import { isManifest, readJsonBatch, readManifestBatch } from '../batch-submission.js';
import type { HttpDeps, HttpEnv } from '../environment.js';
import type { EventStreams, StreamedEvent } from '../event-stream.js';
import { idempotencyKey, readIdempotencyKey } from '../idempotency-key.js';
import {
  Batch,
  BatchCancel,
  BatchCancelling,
  BatchDocumentPage,
  BatchDocumentQuery,
  BatchManifestQuery,
  BatchPage,
  BatchQuery,
  BatchRequest,
} from '../schemas/batch.js';
import { SentEvent } from '../schemas/common.js';
import { noteSubject } from '../trail.js';
import { answer, given, mapPage, problem } from './answers.js';

const tags = ['Batches'];
const params = z.object({ id: z.string().openapi({ description: 'As the batch was answered with.' }) });

const submit = createRoute({
  operationId: 'submitBatch',
  method: 'post',
  path: '/v1/batches',
  security: needs('submit'),
  tags,
  summary: 'Extract many documents under one budget and one deadline',
  description:
    'Documents are written out, or named by the hash of one that was handed in before. A manifest (application/x-ndjson) ' +
    'has one of them a line and any length; what the batch is asked to do then stands in the query.',
  request: {
    query: BatchManifestQuery,
    headers: z.object(idempotencyKey('batch')),
    body: {
      content: {
        'application/json': { schema: BatchRequest },
        'application/x-ndjson': { schema: z.string().openapi({ description: 'A BatchItem a line.' }) },
      },
    },
  },
  responses: {
    200: answer('It has finished before.', Batch),
    202: answer('It goes on by itself; `Location` says where to look.', Batch),
    default: problem,
  },
});

const list = createRoute({
  operationId: 'listBatches',
  method: 'get',
  path: '/v1/batches',
  security: needs('read'),
  tags,
  summary: 'List batches, newest first',
  request: { query: BatchQuery },
  responses: { 200: answer('One page.', BatchPage), default: problem },
});

const get = createRoute({
  operationId: 'readBatch',
  method: 'get',
  path: '/v1/batches/{id}',
  security: needs('read'),
  tags,
  summary: 'Read how a batch fares',
  request: { params },
  responses: { 200: answer('As it stands.', Batch), default: problem },
});

const documents = createRoute({
  operationId: 'listBatchDocuments',
  method: 'get',
  path: '/v1/batches/{id}/documents',
  security: needs('read'),
  tags,
  summary: 'List the documents of a batch and how each ended, in the order in which they were handed in',
  request: { params, query: BatchDocumentQuery },
  responses: { 200: answer('One page.', BatchDocumentPage), default: problem },
});

const events = createRoute({
  operationId: 'streamBatch',
  method: 'get',
  path: '/v1/batches/{id}/events',
  security: needs('read'),
  tags,
  summary: 'Follow a batch: `document` for each that ends, in order, and `progress` whenever counts change',
  request: {
    params,
    headers: z.object({
      'last-event-id': z.string().optional().openapi({ description: 'Goes on after this event.' }),
    }),
  },
  responses: {
    200: {
      description: 'Until the batch does not run any more.',
      content: { 'text/event-stream': { schema: SentEvent } },
    },
    204: { description: 'Nothing comes after the last event.' },
    default: problem,
  },
});

const cancel = createRoute({
  operationId: 'cancelBatch',
  method: 'post',
  path: '/v1/batches/{id}/cancel',
  security: needs('submit'),
  tags,
  summary: 'Begin no further document of a batch',
  request: { params, body: { content: { 'application/json': { schema: BatchCancel } } } },
  responses: {
    200: answer('It had ended before, and stays as it ended.', BatchCancelling),
    202: answer('It is asked to stop.', BatchCancelling),
    default: problem,
  },
});

export function batchRoutes(
  api: OpenAPIHono<HttpEnv>,
  { tenant, inFlight }: Pick<HttpDeps, 'tenant' | 'inFlight'>,
  streams: EventStreams,
): void {
  api.openapi(submit, async (c) => {
    const app = c.get('app');
    const tenantOf = (asked: string | undefined) =>
      ownTenant(c.get('principal'), asked ?? app.tenant ?? tenant);
    const contentType = c.req.header('content-type');
    if (contentType === undefined) throw new HTTPException(415);
    const submission = isManifest(contentType)
      ? readManifestBatch(c, c.req.valid('query'), tenantOf, inFlight)
      : // Checked already, but its type is lost where a body can come in two forms.
        readJsonBatch(c.req.valid('json' as never) as z.output<typeof BatchRequest>, tenantOf, inFlight);
    const { keyId: scope } = c.get('principal');
    const key = readIdempotencyKey(c.req.header('idempotency-key'));
    const { kind, batch } = await handInBatch(app, submission, key === null ? null : { scope, key });
    noteSubject(c, batch.id, batch.tenant);
    c.header('Location', `/v1/batches/${batch.id}`);
    return c.json(await readBatch(app, batch.id), kind === 'ended' ? 200 : 202);
  });

  api.openapi(list, async (c) => {
    const { limit, cursor, spec, ...rest } = c.req.valid('query');
    const filter = given({ ...rest, specId: spec });
    return c.json(await listBatches(c.get('app'), filter, { limit, ...given({ cursor }) }), 200);
  });

  api.openapi(get, async (c) => c.json(await readBatch(c.get('app'), c.req.valid('param').id), 200));

  api.openapi(documents, async (c) => {
    const { limit, cursor, ...filter } = c.req.valid('query');
    const { store } = c.get('app');
    const { id } = await findBatch({ store }, c.req.valid('param').id);
    const page = await store.batches.documents(id, given(filter), { limit, ...given({ cursor }) });
    return c.json(mapPage(page, viewBatchDocument), 200);
  });

  api.openapi(events, (c) => {
    const app = c.get('app');
    const { id } = c.req.valid('param');
    return streams.answer(c, (after, signal) => eventsOf(app, id, after, signal));
  });

  api.openapi(cancel, async (c) => {
    const { id } = c.req.valid('param');
    const { runs = 'finish' } = (c.req.valid('json') ?? {}) as Partial<z.output<typeof BatchCancel>>;
    const cancelled = await cancelBatch(c.get('app'), id, runs === 'cancel' ? 'cancel_runs' : 'let_finish');
    const { kind, batch } = cancelled;
    return c.json({ kind, id: batch.id }, kind === 'ended' ? 200 : 202);
  });
}

/** `17` is the 17th ending of all; `17+ab12…` what the counts were after it. Both are places to go on from. */
async function* eventsOf(
  app: Application,
  id: string,
  after: string | null,
  signal: AbortSignal,
): AsyncGenerator<StreamedEvent> {
  const place = Number(/^(\d{1,15})(?:\+[0-9a-f]+)?$/.exec(after ?? '')?.[1] ?? 0);
  for await (const news of followBatch(app, id, place, signal)) {
    if (news.kind === 'document') {
      yield { id: `${news.place}`, event: 'document', data: news.document };
      continue;
    }
    const digest = createHash('sha256').update(JSON.stringify(news.batch)).digest('hex').slice(0, 12);
    const eventId = `${news.place}+${digest}`;
    if (eventId !== after) yield { id: eventId, event: 'progress', data: news.batch };
  }
}
