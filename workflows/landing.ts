import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import {
  ChildWorkflowFailure,
  executeChild,
  getExternalWorkflowHandle,
  ParentClosePolicy,
  startChild,
  upsertSearchAttributes,
  WorkflowIdReusePolicy,
} from '@temporalio/workflow';
import type { LandOutput } from '../activities/contract.js';
import type { Ending } from '../src/domain/decision.js';
import type { ExtractionInput, RunRef } from '../src/domain/extraction-input.js';
import type { RouteName } from '../src/domain/route.js';
import type { RunResult } from '../src/domain/run-result.js';
import type { ExtractionState } from '../src/domain/state.js';
import { workflowIds } from '../src/domain/workflow-id.js';
import { storeActivities } from './activity-proxies.js';
import type { bestEffort } from './best-effort.js';
import type { fallback } from './fallback.js';
import type { humanReview } from './human-review.js';
import { supersededSignal } from './messages.js';
import { searchAttributes } from './search-attributes.js';

/** The attempt's own commit has stored and closed everything: what is left is to be seen. */
export async function verifiedResult(
  input: ExtractionInput,
  state: ExtractionState,
  withdrewReview: boolean,
): Promise<RunResult> {
  const { attempts, tokens } = state;
  if (withdrewReview) await withdrawReview(input.subject);
  return show(
    input,
    { kind: 'verified', attempts },
    {
      outcome: 'verified',
      route: null,
      attempts,
      tokens,
      withdrewReview,
    },
  );
}

/**
 * Closes the run in the store, then starts what its route asks for. A fallback that finds nothing passes it on. An
 * attempt whose report was lost may have verified the run meanwhile: then that holds.
 */
export async function landRun(input: ExtractionInput, ending: Ending): Promise<RunResult> {
  const ref = refOf(input);
  const tried: RouteName[] = [];
  for (;;) {
    const landed = await storeActivities.land({ ref, ending, tried, reviewSlaMs: input.reviewSlaMs });
    if (landed.outcome === 'unverified' && landed.route === 'fallback' && !(await runFallback(ref))) {
      tried.push('fallback');
      continue;
    }
    if (landed.withdrewReview) await withdrawReview(input.subject);
    if (landed.route === 'human_review') await startReview(ref, input.reviewSlaMs);
    if (landed.route === 'best_effort') await runBestEffort(ref);
    return show(input, ending, landed);
  }
}

async function runFallback(ref: RunRef): Promise<boolean> {
  const child = executeChild<typeof fallback>('fallback', {
    workflowId: workflowIds.fallback(ref.key, ref.run),
    args: [ref],
    staticSummary: `template fallback for ${ref.specId}`,
  });
  return await unlessEnded(child, false);
}

async function runBestEffort(ref: RunRef): Promise<void> {
  const child = executeChild<typeof bestEffort>('bestEffort', {
    workflowId: workflowIds.bestEffort(ref.key, ref.run),
    args: [ref],
    staticSummary: `best effort of ${ref.specId}`,
  });
  await unlessEnded(child, undefined);
}

/** A child that somebody terminated or cancelled found nothing; its parent must land all the same. */
async function unlessEnded<T>(child: Promise<T>, otherwise: T): Promise<T> {
  try {
    return await child;
  } catch (error) {
    if (error instanceof ChildWorkflowFailure) return otherwise;
    throw error;
  }
}

/** Children have no conflict policy: a review of this subject that is already open simply goes on. */
async function startReview(ref: RunRef, slaMs: number): Promise<void> {
  try {
    await startChild<typeof humanReview>('humanReview', {
      workflowId: workflowIds.humanReview(ref.subject),
      workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
      parentClosePolicy: ParentClosePolicy.ABANDON,
      args: [{ subject: ref.subject, slaMs }],
      staticSummary: `review of ${ref.specId}, tenant ${ref.tenant}`,
      typedSearchAttributes: [
        { key: searchAttributes.spec, value: ref.specId },
        { key: searchAttributes.tenant, value: ref.tenant },
      ],
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}

/** The review may have ended by itself meanwhile; then there is nobody to tell. */
async function withdrawReview(subject: string): Promise<void> {
  await getExternalWorkflowHandle(workflowIds.humanReview(subject))
    .signal(supersededSignal)
    .catch(() => undefined);
}

function show(input: ExtractionInput, ending: Ending, landed: LandOutput): RunResult {
  const reason = landed.outcome === 'unverified' && ending.kind === 'unverified' ? ending.reason : null;
  upsertSearchAttributes([
    { key: searchAttributes.outcome, value: landed.outcome },
    { key: searchAttributes.reason, value: reason },
    { key: searchAttributes.route, value: landed.route },
    { key: searchAttributes.attempts, value: landed.attempts },
    { key: searchAttributes.tokens, value: landed.tokens },
  ]);
  return {
    key: input.key,
    run: input.run,
    outcome: landed.outcome,
    reason,
    failureClass: ending.kind === 'unverified' && reason !== null ? ending.failureClass : null,
    attempts: landed.attempts,
    tokens: landed.tokens,
    route: landed.route,
  };
}

/** Only the reference travels to activities and children, not the policy. */
export function refOf(input: ExtractionInput): RunRef {
  const { key, run, subject, tenant, documentHash, specId, schemaVersion, promptVersion } = input;
  return { key, run, subject, tenant, documentHash, specId, schemaVersion, promptVersion };
}
