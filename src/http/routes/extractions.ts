import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { Application } from '../../application/application.js';
import { awaitOutcome } from '../../application/await-outcome.js';
import { cancelExtraction } from '../../application/cancel-extraction.js';
import { findExtraction } from '../../application/find-extraction.js';
import { readOutcome, refuseErased } from '../../application/read-outcome.js';
import { submitExtraction } from '../../application/submit-extraction.js';
import { submitOnce } from '../../application/submit-once.js';
import { readAttempts } from '../../application/views/attempt-view.js';
import { type ExtractionView, summarise, viewExtraction } from '../../application/views/extraction-view.js';
import { workflowIds } from '../../domain/workflow-id.js';
import type { Extraction as Row } from '../../ports/extraction-store.js';
import { needs, ownTenant } from '../access.js';
import type { HttpDeps, HttpEnv } from '../environment.js';
import { tagContent } from '../etag.js';
import { createGate } from '../gate.js';
import { idempotencyKey, readIdempotencyKey } from '../idempotency-key.js';
import { preferredWait } from '../prefer.js';
import { AttemptList } from '../schemas/attempt.js';
import { Id, ifNoneMatch, wholeNumber } from '../schemas/common.js';
import {
  Cancelling,
  Extraction,
  ExtractionPage,
  ExtractionQuery,
  SubmittedExtraction,
} from '../schemas/extraction.js';
import { formDescription, JsonSubmission } from '../schemas/submission.js';
import { readFormSubmission, readJsonSubmission } from '../submission.js';
import { timeLeftMs } from '../time-left.js';
import { noteSubject } from '../trail.js';
import { answer, given, mapPage, problem } from './answers.js';

const tags = ['Extractions'];
const params = z.object({ id: Id });
const runQuery = z.object({ run: wholeNumber(1, 1_000_000).optional() });
const headers = z.object({
  prefer: z.string().optional().openapi({
    example: 'wait=20',
    description: 'Hold the answer until it has ended, at most 60 s, or less: `Preference-Applied` says.',
  }),
});

const submit = createRoute({
  operationId: 'submitExtraction',
  method: 'post',
  path: '/v1/extractions',
  security: needs('submit'),
  tags,
  summary: 'Extract a document',
  description:
    'The same bytes under the same spec versions are the same extraction, however often they are sent.',
  request: {
    headers: headers.extend(idempotencyKey('run')),
    body: {
      content: {
        'application/json': { schema: JsonSubmission },
        'multipart/form-data': { schema: formDescription },
      },
    },
  },
  responses: {
    200: answer('It has ended: now, or before.', SubmittedExtraction),
    202: answer('It runs; ask at `Location` after `Retry-After` seconds.', SubmittedExtraction),
    default: problem,
  },
});

const list = createRoute({
  operationId: 'listExtractions',
  method: 'get',
  path: '/v1/extractions',
  security: needs('read'),
  tags,
  summary: 'List extractions, newest first',
  request: { query: ExtractionQuery },
  responses: { 200: answer('One page.', ExtractionPage), default: problem },
});

const get = createRoute({
  operationId: 'readExtraction',
  method: 'get',
  path: '/v1/extractions/{id}',
  security: needs('read'),
  tags,
  summary: 'Read one extraction with its outcome',
  request: { params, query: runQuery, headers: headers.extend(ifNoneMatch) },
  responses: {
    200: answer('As it is now; exhaustion is a result too.', Extraction),
    304: { description: 'As it was: its `ETag` is one of those in `If-None-Match`.' },
    default: problem,
  },
});

const attempts = createRoute({
  operationId: 'listAttempts',
  method: 'get',
  path: '/v1/extractions/{id}/attempts',
  security: needs('read'),
  tags,
  summary: 'Read every attempt of one run with its calls',
  request: { params, query: runQuery },
  responses: { 200: answer('In order.', AttemptList), default: problem },
});

const cancel = createRoute({
  operationId: 'cancelExtraction',
  method: 'post',
  path: '/v1/extractions/{id}/cancel',
  security: needs('submit'),
  tags,
  summary: 'Stop an extraction when its call in flight has ended',
  request: { params },
  responses: {
    200: answer('It had ended before, and stays as it ended.', Cancelling),
    202: answer('It is asked to stop.', Cancelling),
    default: problem,
  },
});

export function extractionRoutes(api: OpenAPIHono<HttpEnv>, deps: HttpDeps): void {
  const readSubmission = async (c: Context<HttpEnv>) => {
    const contentType = c.req.header('content-type') ?? '';
    const tenant = (asked: string | undefined) => ownTenant(c.get('principal'), asked) ?? deps.tenant;
    if (/^multipart\/form-data/i.test(contentType)) return readFormSubmission(c, tenant);
    // Checked already, but its type is lost where a body can come in two forms.
    const body = c.req.valid('json' as never) as z.output<typeof JsonSubmission>;
    return readJsonSubmission(body, tenant);
  };
  const starts = createGate(deps.startsAtOnce ?? 50);
  const waitsAtOnce = deps.waitsAtOnce ?? 500;
  let waiting = 0;
  /** The run once it has ended, or has been waited for as long as the caller prefers; at once when many wait already. */
  const waited = async (c: Context<HttpEnv>, row: Row): Promise<Row> => {
    const leftMs = timeLeftMs(c) ?? Number.POSITIVE_INFINITY;
    const seconds = Math.min(preferredWait(c.req.header('prefer')), Math.floor(leftMs / 1_000));
    if (seconds === 0 || waiting >= waitsAtOnce) return row;
    c.header('Preference-Applied', `wait=${seconds}`);
    waiting += 1;
    try {
      // Whoever has left holds no place.
      return await awaitOutcome(c.get('app'), row, seconds * 1_000, c.req.raw.signal);
    } finally {
      waiting -= 1;
    }
  };
  const view = async (app: Application, row: Row): Promise<ExtractionView> => {
    refuseErased(row);
    return viewExtraction(
      await readOutcome(app.store, row),
      app.engine.link(workflowIds.extraction(row.key)),
      app.catalogue,
    );
  };

  api.openapi(submit, async (c) => {
    const app = c.get('app');
    const submission = await readSubmission(c);
    const key = readIdempotencyKey(c.req.header('idempotency-key'));
    const { keyId: scope } = c.get('principal');
    const { kind, extraction, policyDiffers } = await starts.through(() =>
      key === null ? submitExtraction(app, submission) : submitOnce(app, submission, { scope, key }),
    );
    noteSubject(c, extraction.key, extraction.tenant);
    const row = await waited(c, extraction);
    const body = { ...(await view(app, row)), submission: { kind, policyDiffers } };
    c.header('Location', `/v1/extractions/${row.key}`);
    if (row.state === 'closed') return c.json(body, 200);
    c.header('Retry-After', retryAfter(row));
    return c.json(body, 202);
  });

  api.openapi(list, async (c) => {
    const { limit, cursor, state, spec, batch, since, until, ...rest } = c.req.valid('query');
    const { class: failureClass, ...columns } = rest;
    const filter = given({
      ...columns,
      specId: spec,
      batchId: batch,
      failureClass,
      startedFrom: since,
      startedBefore: until,
      state: state === undefined ? undefined : state === 'running' ? ('open' as const) : ('closed' as const),
    });
    const page = await c.get('app').store.extractions.list(filter, { limit, ...given({ cursor }) });
    return c.json(mapPage(page, summarise), 200);
  });

  api.openapi(get, async (c) => {
    const { run } = c.req.valid('query');
    const app = c.get('app');
    const found = await findExtraction(app.store, c.req.valid('param').id, run);
    const row = await waited(c, found);
    if (row.state === 'open') c.header('Retry-After', retryAfter(row));
    const shown = await view(app, row);
    return tagContent(c, shown) ? c.body(null, 304) : c.json(shown, 200);
  });

  api.openapi(attempts, async (c) => {
    const { store } = c.get('app');
    const row = await findExtraction(store, c.req.valid('param').id, c.req.valid('query').run);
    const items = await readAttempts(store, row.key, row.run);
    return c.json({ id: row.key, run: row.run, items }, 200);
  });

  api.openapi(cancel, async (c) => {
    const { kind, extraction } = await cancelExtraction(c.get('app'), c.req.valid('param').id);
    noteSubject(c, extraction.key, extraction.tenant);
    return c.json({ kind, extraction: summarise(extraction) }, kind === 'ended' ? 200 : 202);
  });
}

/** Seconds until asking again is worth it: what the first attempt of this spec is expected to take. */
function retryAfter(row: Row): string {
  return String(Math.max(1, Math.ceil((row.policy.estimateMs[0] ?? 1_000) / 1_000)));
}
