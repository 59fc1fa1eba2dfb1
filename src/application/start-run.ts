import { isDeepStrictEqual } from 'node:util';
import type { ExtractionInput } from '../domain/extraction-input.js';
import type { Policy } from '../domain/policy.js';
import type { Extraction, NewExtraction } from '../ports/extraction-store.js';
import type { RequestKey } from '../ports/idempotency-store.js';
import type { Application } from './application.js';

/** `started`: a new run; `attached`: the key was already running; `ended`: it had ended before, here is how. */
export interface Started {
  readonly kind: 'started' | 'attached' | 'ended';
  readonly extraction: Extraction;
  /** The run there is was started under other bounds than the ones asked for; its own hold. */
  readonly policyDiffers: boolean;
}

/**
 * Opens the row, then starts the workflow. The row comes first, so that no run is ever unknown to the store; a crash
 * between the two is mended by the next submission of the same document, which finds the open row and starts it, or by
 * the reconciler.
 */
export async function startRun(
  app: Application,
  extraction: NewExtraction,
  redrive: boolean,
  once?: RequestKey,
  mostOpen: number | null = null,
): Promise<Started> {
  const opening = await app.store.extractions.open(extraction, redrive, once, mostOpen);
  const policyDiffers = !isDeepStrictEqual(boundsOf(opening.extraction.policy), boundsOf(extraction.policy));
  if (opening.kind === 'closed') return { kind: 'ended', extraction: opening.extraction, policyDiffers };
  await app.engine.start(inputOf(opening.extraction, app.reviewSlaMs));
  const kind = opening.kind === 'opened' ? 'started' : 'attached';
  return { kind, extraction: opening.extraction, policyDiffers };
}

/** What a caller asked for: measured durations differ from hour to hour and are nobody's wish. */
export function boundsOf({ estimateMs: _measured, ...bounds }: Policy): Omit<Policy, 'estimateMs'> {
  return bounds;
}

/** From the stored row, so that a run started again is started under its own frozen bounds. */
export function inputOf(row: Extraction, reviewSlaMs: number): ExtractionInput {
  return {
    key: row.key,
    run: row.run,
    subject: row.subject,
    tenant: row.tenant,
    documentHash: row.documentHash,
    specId: row.specId,
    schemaVersion: row.schemaVersion,
    promptVersion: row.promptVersion,
    policy: row.policy,
    tags: row.tags,
    batchId: row.batchId,
    batchBudgetGone: false,
    reviewSlaMs,
  };
}
