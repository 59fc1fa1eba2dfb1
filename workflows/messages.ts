import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { AttemptReport } from '../src/domain/attempt-report.js';
import type { BatchCancel, BatchProgress } from '../src/domain/batch.js';
import type { RunProgress } from '../src/domain/extraction-input.js';
import type { RedriveReport } from '../src/domain/redrive.js';

/** Stop after the call in flight. The same as cancelling the workflow in the Temporal UI. */
export const cancelSignal = defineSignal('cancel');
/** Lower the attempt cap while running; never raises it. */
export const lowerCapSignal = defineSignal<[cap: number]>('lowerCap');
/** A later run of the subject verified, or its document was erased: the review is not needed any more. */
export const supersededSignal = defineSignal('superseded');
export const attemptsQuery = defineQuery<readonly AttemptReport[]>('attempts');
export const progressQuery = defineQuery<RunProgress>('progress');
/** What a redrive came to so far. */
export const redriveProgressQuery = defineQuery<RedriveReport>('progress');

/** Begin no further document; what is under way goes on, or is cancelled as well. */
export const cancelBatchSignal = defineSignal<[cancel: BatchCancel]>('cancel');
/** How a batch fares. */
export const batchProgressQuery = defineQuery<BatchProgress>('progress');

/** A decision as workflows see it: the values stay in the store under the event's id. */
export interface ReviewDecision {
  readonly eventId: string;
  readonly verb: 'approve' | 'correct' | 'reject' | 'not_in_document' | 'redrive';
}

/** Resolves once the decision is carried out. */
export const decideUpdate = defineUpdate<void, [ReviewDecision]>('decide');
