import {
  allHandlersFinished,
  CancellationScope,
  condition,
  continueAsNew,
  setCurrentDetails,
  setHandler,
  setWorkflowOptions,
  workflowInfo,
} from '@temporalio/workflow';
import type { BatchOrder, BatchProgress } from '../src/domain/batch.js';
import {
  afterStep,
  type BatchWindow,
  beginBatch,
  cancelBatch,
  nextStep,
  progressOf,
} from '../src/domain/batch-window.js';
import { batchTable } from './batch-table.js';
import { batchProgressQuery, cancelBatchSignal } from './messages.js';
import { workflowOptions } from './options.js';
import { batchStep, mostEvents } from './window-activities.js';

/** A new order, or where the workflow before this one left off. */
export type BatchInput =
  | { readonly kind: 'order'; readonly order: BatchOrder }
  | { readonly kind: 'window'; readonly window: BatchWindow };

// A batch may run for hours: it goes on under the next version, at its next piece.
setWorkflowOptions(workflowOptions('AUTO_UPGRADE'), batch);

/**
 * Runs the documents of a batch in a sliding window. They stand in the store, and so does what has become of them: this
 * workflow only holds counts, so that a new history, or a new workflow, goes on where the last one was.
 */
export async function batch(input: BatchInput): Promise<BatchProgress> {
  let window = input.kind === 'order' ? beginBatch(input.order) : input.window;
  setHandler(batchProgressQuery, () => progressOf(window));
  setHandler(cancelBatchSignal, (cancel) => {
    window = cancelBatch(window, cancel);
  });
  // A cancel from the Temporal UI is the gentle one.
  CancellationScope.current().cancelRequested.catch(() => {
    window = cancelBatch(window, 'let_finish');
  });

  return await CancellationScope.nonCancellable(async () => {
    for (;;) {
      setCurrentDetails(batchTable(progressOf(window)));
      const step = nextStep(window);
      if (step === null) return progressOf(window);
      const { historyLength, continueAsNewSuggested } = workflowInfo();
      if (historyLength > mostEvents || continueAsNewSuggested) {
        await condition(allHandlersFinished);
        await continueAsNew<typeof batch>({ kind: 'window', window });
      }
      const stepped = await batchStep(step);
      window = afterStep(window, step, stepped);
      if (window.ended !== null) continue;
      // What is to be told, and a cancel, do not wait for the next look.
      const known = window.cancel;
      if (!window.tells) await condition(() => window.cancel !== known, window.restMs);
    }
  });
}
