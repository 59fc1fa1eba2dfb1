import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { RunAnswer } from '../ports/idempotency-store.js';
import type { Application } from './application.js';
import { tighten } from './budgets.js';
import { findExtraction } from './find-extraction.js';
import { assertLabels } from './intake.js';
import { answersKeptMs, claimRequest, requestDiffers } from './request-claim.js';
import { boundsOf, inputOf, type Started } from './start-run.js';
import { currentSpec, type Submission, submitExtraction } from './submit-extraction.js';

/** Longer than a submission may take: after that its process is gone, and the request may be carried out anew. */
const lockMs = 60_000;

/**
 * Submits under the sender's own key: the same request under the same key leads to the same run, for 24 hours, however
 * often and however concurrently it is sent. What it led to is stored with the run in one transaction.
 *
 * Throws ApplicationError `request_in_flight` while the first one is not answered, `request_differs` when the key was used
 * for something else, and whatever `submitExtraction` throws; then the key is free again.
 */
export async function submitOnce(
  app: Application,
  submission: Submission,
  once: { readonly scope: string; readonly key: string },
): Promise<Started> {
  const { document, tenant, tags } = submission;
  assertLabels({ tenant, tags, mediaType: document.kind === 'bytes' ? document.mediaType : null });
  const at = app.now();
  const scope = `${once.scope}/${tenant}`;
  const claim = { scope, key: once.key, at, lockedUntil: at + lockMs, lapsedBefore: at - answersKeptMs };
  const before = await claimRequest(app, { ...claim, fingerprint: fingerprintOf(submission) });
  if (before !== null) {
    if ('batch' in before) throw requestDiffers();
    return answeredBefore(app, submission, before);
  }
  try {
    return await submitExtraction(app, submission, { scope, key: once.key });
  } catch (error) {
    // Should this fail as well, the claim lapses by itself.
    await app.store.idempotency.release(claim).catch(() => undefined);
    throw error;
  }
}

/** The run there was, as it is now. One whose workflow never started, for a crash came between, is started. */
async function answeredBefore(
  app: Application,
  submission: Submission,
  { key, run, kind }: RunAnswer,
): Promise<Started> {
  const extraction = await findExtraction(app.store, key, run);
  if (extraction.state === 'open') await app.engine.start(inputOf(extraction, app.reviewSlaMs));
  const asked = tighten(currentSpec(app, submission.specId).policy, submission.budgets);
  const policyDiffers = !isDeepStrictEqual(boundsOf(extraction.policy), boundsOf(asked));
  const kinds = { opened: 'started', running: 'attached', closed: 'ended' } as const;
  return { kind: kinds[kind], extraction, policyDiffers };
}

/** The same however the request was written: as JSON, as a form, its fields in another order. */
function fingerprintOf(submission: Submission): string {
  const { tenant, specId, document, fileName, tags, budgets, redrive, webhookUrl } = submission;
  const content =
    document.kind === 'bytes'
      ? [document.mediaType, createHash('sha256').update(document.bytes).digest('hex')]
      : [document.kind === 'stored' ? document.hash : document.sha256];
  const bounds = [budgets.attemptCap, budgets.deadlineMs, budgets.tokenCap, budgets.moneyCap?.amount];
  const whole = [
    ...[tenant, specId, content, fileName, tags, redrive, webhookUrl ?? null],
    ...[bounds, budgets.moneyCap?.currency ?? null],
  ];
  return createHash('sha256').update(JSON.stringify(whole)).digest('hex');
}
