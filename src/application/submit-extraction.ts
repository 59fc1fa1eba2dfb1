import { createHash } from 'node:crypto';
import { maximumDocumentBytes } from '../ports/document-reader.js';
import type { RequestKey } from '../ports/idempotency-store.js';
import type { TenantLimits } from '../ports/tenant-store.js';
import { untraced } from '../ports/tracing.js';
import type { Spec } from '../spec/spec.js';
import { admitSubmission, assertRoom, limitsOf, withRoom } from './admission.js';
import type { Application } from './application.js';
import { ApplicationError } from './application-error.js';
import { type Budgets, tighten } from './budgets.js';
import { freezePriors } from './freeze-priors.js';
import {
  assertLabels,
  assertNoEvaluation,
  type IncomingDocument,
  plainFileName,
  type StoredName,
  storable,
} from './intake.js';
import { extractionKey, subjectKey } from './keys.js';
import { mediaTypeOf } from './media-type.js';
import { remembered } from './remembered.js';
import { registerLabels } from './spec-labels.js';
import { type Started, startRun } from './start-run.js';
import { readWebhookUrl } from './webhook-url.js';
import { assertCanSign, nameWebhookUrl } from './webhooks.js';

const reachable = remembered<Application['engine'], 'ping', void>(250);

/** One document to extract. */
export interface Submission {
  readonly tenant: string;
  readonly specId: string;
  readonly document: IncomingDocument | StoredName;
  readonly fileName: string | null;
  readonly tags: readonly string[];
  readonly budgets: Budgets;
  /** Run it again although it has ended unverified. */
  readonly redrive: boolean;
  /** Told of everything about this document under this spec, from now on. */
  readonly webhookUrl?: string | null;
  /** Only an evaluation runs under the name of one. */
  readonly isEvaluation?: true;
}

/**
 * Stores the document and starts its extraction, attaches to the one that runs, or answers with the one that has ended:
 * the same bytes under the same versions are the same extraction. Nothing is written before the request is known to be
 * good and the engine to be there; what it led to is kept as the answer of the request `once`.
 * What is wrong inside the document is not looked at here: it becomes an outcome.
 *
 * Throws ApplicationError (`too_many`, `invalid_request`, `media_type_mismatch`, `unknown_spec`, `budget_exceeds_spec`, `label_changed`),
 * StoreUnavailable, EngineUnavailable.
 */
export function submitExtraction(
  app: Application,
  submission: Submission,
  once?: RequestKey,
): Promise<Started> {
  const { tracing = untraced } = app;
  return tracing.span('submit', { spec: submission.specId }, async (add) => {
    const started = await submit(app, submission, once);
    const { key, run } = started.extraction;
    add({ extraction: key, run, started: started.kind });
    return started;
  });
}

async function submit(app: Application, submission: Submission, once?: RequestKey): Promise<Started> {
  const { tenant, tags } = submission;
  const claimed = submission.document.kind === 'bytes' ? submission.document.mediaType : null;
  assertLabels({ tenant, tags, mediaType: claimed });
  if (!submission.isEvaluation) assertNoEvaluation(tenant);
  const document = truly(submission.document);
  const spec = currentSpec(app, submission.specId);
  const limits = await limitsOf(app, tenant);
  const bounds = tighten(spec.policy, submission.budgets);
  const webhookUrl = await usableWebhookUrl(app, submission);
  // Who looked a moment ago knows: each look costs the engine as much as a step of a run.
  await reachable(app.engine, 'ping', app.now(), () => app.engine.ping());
  await registerLabels(app, spec);
  const policy = await freezePriors(app, spec.id, bounds);
  const at = app.now();
  await admitSubmission(app, tenant, limits);
  if (limits.mostOpen !== null) await assertRoomFor(app, submission, spec, hashOf(document), limits);
  const documentHash = await storedHash(app, { document, tenant }, at);
  const parts = {
    tenant,
    documentHash,
    specId: spec.id,
    schemaVersion: spec.schemaVersion,
    promptVersion: spec.prompt.version,
  };
  const subject = subjectKey(parts);
  // Before the run can end: afterwards there would be nothing to tell.
  if (webhookUrl !== null) await nameWebhookUrl(app.store, { url: webhookUrl, tenant, subject, at });
  return withRoom(tenant, limits, () =>
    startRun(
      app,
      {
        ...parts,
        key: extractionKey(parts),
        subject,
        policy,
        tags,
        batchId: null,
        fileName: plainFileName(submission.fileName),
        at,
      },
      submission.redrive,
      once,
      limits.mostOpen,
    ),
  );
}

/** A document that has a run already takes no room, unless it is run again. */
async function assertRoomFor(
  app: Application,
  { tenant, redrive }: Submission,
  spec: Spec,
  documentHash: string,
  limits: TenantLimits,
): Promise<void> {
  const { id: specId, schemaVersion, prompt } = spec;
  const key = extractionKey({ tenant, documentHash, specId, schemaVersion, promptVersion: prompt.version });
  const known = await app.store.extractions.find(key);
  if (known !== null && (known.state === 'open' || !redrive)) return;
  await assertRoom(app, tenant, limits);
}

function hashOf(document: Submission['document']): string {
  if (document.kind === 'stored') return document.hash;
  return createHash('sha256').update(storable(document).bytes).digest('hex');
}

/** The document under the type that its bytes have; of one over the limit no bytes are kept, so nothing hangs on it. */
function truly(document: Submission['document']): Submission['document'] {
  if (document.kind !== 'bytes' || document.bytes.byteLength > maximumDocumentBytes) return document;
  return { ...document, mediaType: mediaTypeOf(document.mediaType, document.bytes) };
}

/** Stores the document, or finds the one that is named. */
async function storedHash(
  { store }: Application,
  { document, tenant }: Pick<Submission, 'document' | 'tenant'>,
  at: number,
): Promise<string> {
  if (document.kind !== 'stored') return await store.documents.put({ ...storable(document), tenant, at });
  if (await store.documents.touch(tenant, document.hash, at)) return document.hash;
  const detail = 'No document of this tenant has this hash: send its bytes.';
  throw new ApplicationError('invalid_request', detail, [{ pointer: '/document/sha256', detail }]);
}

async function usableWebhookUrl(
  app: Application,
  { webhookUrl, tenant }: Submission,
): Promise<string | null> {
  if (webhookUrl === undefined || webhookUrl === null) return null;
  const url = readWebhookUrl(webhookUrl, app.allowPrivateWebhooks === true, '/webhookUrl');
  await assertCanSign(app.store, tenant, app.now());
  return url;
}

/** Throws ApplicationError `unknown_spec`, naming the ones there are. */
export function currentSpec(app: Pick<Application, 'catalogue'>, specId: string): Spec {
  const spec = app.catalogue.current(specId);
  if (spec !== null) return spec;
  const known = [...new Set(app.catalogue.list().map(({ id }) => id))].sort();
  throw new ApplicationError(
    'unknown_spec',
    `There is no spec "${specId}"; known: ${known.length === 0 ? 'none' : known.join(', ')}.`,
    [{ pointer: '/spec', detail: 'This spec is not known here.' }],
  );
}
