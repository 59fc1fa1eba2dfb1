import { createHash, randomBytes } from 'node:crypto';
import type { BatchCancel, BatchOrder } from '../domain/batch.js';
import type { Policy } from '../domain/policy.js';
import type { Batch, BatchBeginning, NewBatchDocument } from '../ports/batch-store.js';
import type { Application } from './application.js';
import { ApplicationError } from './application-error.js';
import { type Budgets, tighten } from './budgets.js';
import { inLanes } from './in-lanes.js';
import {
  assertLabels,
  assertNoEvaluation,
  type IncomingDocument,
  plainFileName,
  storable,
} from './intake.js';
import { extractionKey, subjectKey } from './keys.js';
import { registerLabels } from './spec-labels.js';
import { currentSpec } from './submit-extraction.js';

/** What a batch is asked to do. */
export interface BatchRequest {
  readonly tenant: string;
  readonly specId: string;
  /** Null: one is made up. */
  readonly id: string | null;
  readonly name: string | null;
  readonly tags: readonly string[];
  /** Tighter bounds for each document than the spec has. */
  readonly budgets: Budgets;
  /** Run again what has ended unverified. */
  readonly redrive: boolean;
  /** For all documents together; null: as many as it takes. */
  readonly budgetTokens: number | null;
  /** For all documents together; null: none. */
  readonly deadlineMs: number | null;
  /** How long each document may sit out a provider outage; null: half an hour, or as the spec says if that is longer. */
  readonly patienceMs: number | null;
  readonly inFlight: number;
}

/** A document as it is handed in, or the hash of one that this tenant has stored before. */
export interface BatchItem {
  /** Names it within its batch: handed in again, it is the same document. */
  readonly item: string;
  readonly document: IncomingDocument | { readonly kind: 'stored'; readonly hash: string };
  readonly fileName: string | null;
  readonly tags: readonly string[];
}

/** Nobody waits in front of a batch: an outage of half an hour is sat out rather than parked. */
const patienceMs = 1_800_000;
/** Between two tries in an outage. A batch that tries every second for half an hour would be an outage of its own. */
const longestPauseMs = 30_000;
const mostPauses = 60;

/**
 * Creates a batch that documents can be handed in to; one of this id that exists already is answered as it is. Nothing is
 * written before the request is known to be good and the engine to be there.
 *
 * Throws ApplicationError (`invalid_request`, `unknown_spec`, `budget_exceeds_spec`, `label_changed`), StoreUnavailable,
 * EngineUnavailable.
 */
export async function createBatch(app: Application, request: BatchRequest): Promise<Batch> {
  const { tenant, name, tags, redrive, inFlight, budgetTokens, deadlineMs } = request;
  assertLabels({ tenant, tags, mediaType: null });
  assertNoEvaluation(tenant);
  const id = request.id === null ? randomBytes(8).toString('hex') : readBatchId(request.id);
  const spec = currentSpec(app, request.specId);
  const bounds = tighten(spec.policy, request.budgets);
  await app.engine.ping();
  const existing = await app.store.batches.find(id);
  if (existing !== null) return ofTenant(existing, tenant);
  await registerLabels(app, spec);
  const created = await app.store.batches.create({
    ...{ id, tenant, tags, redrive, inFlight, budgetTokens, deadlineMs },
    name: plainFileName(name),
    specId: spec.id,
    schemaVersion: spec.schemaVersion,
    promptVersion: spec.prompt.version,
    policy: patient(bounds, request.patienceMs ?? Math.max(bounds.outage.patienceMs, patienceMs)),
    at: app.now(),
  });
  return ofTenant(created, tenant);
}

/** The patience comes on top of each document's own deadline: an outage takes nothing from its work. */
function patient(policy: Policy, patience: number): Policy {
  if (patience === 0) return { ...policy, outage: { ...policy.outage, patienceMs: 0 } };
  const pauseMs = Math.max(policy.outage.pauseMs, Math.min(longestPauseMs, Math.ceil(patience / mostPauses)));
  return {
    ...policy,
    deadlineMs: policy.deadlineMs + patience,
    outage: { patienceMs: patience, pauseMs },
  };
}

/** Documents stored at once. */
const storesAtOnce = 4;

/**
 * Hands documents in, in this order: their bytes are stored, their rows written. Items that the batch has are left as
 * they are, so that what was interrupted is simply done again.
 * Throws ApplicationError `invalid_request` for what cannot be used, naming the item by its place, and `batch_changed`
 * when somebody else hands in, or has handed in, documents under its id.
 */
export async function addToBatch(app: Application, batch: Batch, items: readonly BatchItem[]): Promise<void> {
  const { tenant, specId, schemaVersion, promptVersion } = batch;
  const referred = items.flatMap(({ document }) => (document.kind === 'stored' ? [document.hash] : []));
  const stored = referred.length === 0 ? new Set() : await app.store.documents.stored(tenant, referred);
  items.forEach(({ document, tags, item }) => {
    assertLabels({ tenant, tags, mediaType: document.kind === 'bytes' ? document.mediaType : null });
    if (document.kind === 'stored' && !stored.has(document.hash)) {
      throw new ApplicationError(
        'invalid_request',
        `Document ${item}: nothing is stored under the hash ${document.hash.slice(0, 12)}.`,
        [{ pointer: `/documents/${item}`, detail: 'No document of this hash is stored.' }],
      );
    }
  });
  const rows = await inLanes(items, storesAtOnce, async (given): Promise<NewBatchDocument> => {
    const { item, document, fileName, tags } = given;
    const documentHash =
      document.kind === 'stored'
        ? document.hash
        : await app.store.documents.put({ ...storable(document), tenant, at: app.now() });
    const parts = { tenant, documentHash, specId, schemaVersion, promptVersion };
    return {
      ...{ item, documentHash, tags },
      key: extractionKey(parts),
      subject: subjectKey(parts),
      fileName: plainFileName(fileName),
    };
  });
  if (!(await app.store.batches.add(batch, rows))) throw handedInAnew(batch.id);
}

/** Documents of several requests under one id would be a batch that nobody asked for. */
function handedInAnew(id: string): ApplicationError {
  return new ApplicationError(
    'batch_changed',
    `Another request has handed in the documents of batch ${id} meanwhile; this one's are not in it.`,
  );
}

/** `started`; `running`: it was under way already; `ended`: it has finished, and stays as it ended. */
export interface BatchStarted {
  readonly kind: 'started' | 'running' | 'ended';
  readonly batch: Batch;
}

/**
 * Has a batch run its documents, which goes on by itself: the first time all documents that were handed in, later those
 * that have not begun, be it cancelled or its workflow gone. It is kept as the answer of the request `once`. Throws
 * ApplicationError `batch_changed` when somebody else has handed in its documents than those that were `collected`.
 */
export async function startBatch(
  app: Application,
  name: string,
  by: BatchBeginning = {},
): Promise<BatchStarted> {
  const found = await findBatch(app, name);
  const { id } = found;
  const { collected } = by;
  if (collected !== undefined && found.at !== collected.at) throw handedInAnew(id);
  if (found.state === 'finished') return { kind: 'ended', batch: found };
  if (found.state === 'stopping' && (await app.engine.standingOfBatch(id)) === 'running') {
    return { kind: 'running', batch: found };
  }
  const batch = await app.store.batches.begin(id, app.now(), by);
  if (collected !== undefined && batch.at !== collected.at) throw handedInAnew(id);
  return { kind: await app.engine.startBatch(orderOf(batch)), batch };
}

/** What the workflow of a batch that has begun is to do. */
export function orderOf(batch: Batch): BatchOrder {
  const { id, tenant, specId, documents, inFlight, cap, budgetTokens, policy, deadlineAt } = batch;
  return {
    ...{ id, tenant, specId, inFlight, cap, budgetTokens, deadlineAt },
    documents: documents ?? 0,
    // The first ceiling is reached by few, and a document is as long as its record as a rule.
    attemptTokens: 2 * (policy.tokenCeilings[0] ?? 0),
  };
}

/** By its id or a unique beginning of it. Throws ApplicationError `not_found`. */
export async function findBatch(app: Pick<Application, 'store'>, name: string): Promise<Batch> {
  const batch = await app.store.batches.findNamed(readBatchId(name));
  if (batch === null) throw noBatch(name);
  return batch;
}

/**
 * Asks a batch to begin no further document. `requested`: it stops when what is under way has ended; `ended`: it had ended
 * before. One that nothing carries is cancelled on the spot.
 */
export async function cancelBatch(
  app: Pick<Application, 'store' | 'engine' | 'now'>,
  name: string,
  cancel: BatchCancel,
): Promise<{ readonly kind: 'requested' | 'ended'; readonly batch: Batch }> {
  const batch = await findBatch(app, name);
  const { id } = batch;
  if (batch.state === 'finished' || batch.state === 'cancelled') return { kind: 'ended', batch };
  if (await app.engine.cancelBatch(id, cancel)) return { kind: 'requested', batch };
  await app.store.batches.note(id, 'cancelled', batch.cap, app.now());
  // The reconciler may have given it a workflow meanwhile.
  await app.engine.cancelBatch(id, cancel);
  return { kind: 'requested', batch: await findBatch(app, id) };
}

const idForm = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

function readBatchId(id: string): string {
  if (idForm.test(id)) return id;
  throw new ApplicationError(
    'invalid_request',
    'The id of a batch is 1 to 64 letters, digits, ".", "_" or "-", starting with a letter or digit.',
    [{ pointer: '/id', detail: 'This id cannot be used.' }],
  );
}

/** Sixteen hex digits of what is asked for: the same request is the same batch. */
export function batchIdOf(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);
}

/** A batch of another tenant is no batch, and its id is not to be had either. */
function ofTenant(batch: Batch, tenant: string): Batch {
  if (batch.tenant === tenant) return batch;
  throw new ApplicationError('invalid_request', 'This id is taken; choose another one.', [
    { pointer: '/id', detail: 'This id is taken.' },
  ]);
}

function noBatch(id: string): ApplicationError {
  return new ApplicationError('not_found', `There is no batch "${id}".`);
}
