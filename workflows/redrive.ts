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
import type { RedriveOrder, RedriveReport } from '../src/domain/redrive.js';
import {
  afterStep,
  beginRedrive,
  cancelRedrive,
  nextStep,
  type RedriveWindow,
  reportOf,
  restOf,
} from '../src/domain/redrive-window.js';
import { cancelSignal, redriveProgressQuery } from './messages.js';
import { workflowOptions } from './options.js';
import { redriveTable } from './redrive-table.js';
import { mostEvents, redriveStep } from './window-activities.js';

/** A new order, or where the workflow before this one left off. */
export type RedriveInput =
  | { readonly kind: 'order'; readonly order: RedriveOrder }
  | { readonly kind: 'window'; readonly window: RedriveWindow };

// It may take days, and no old version is kept running for that: changes go behind `patched()`.
setWorkflowOptions(workflowOptions('AUTO_UPGRADE'), redrive);

/**
 * Runs dead letters again in a sliding window. The runs are extractions like all others and outlive this workflow; how
 * they fare is counted from the store, so that no id has to be kept here and a new history changes nothing.
 */
export async function redrive(input: RedriveInput): Promise<RedriveReport> {
  let window = input.kind === 'order' ? beginRedrive(input.order) : input.window;
  setHandler(redriveProgressQuery, () => reportOf(window));
  const cancel = () => {
    window = cancelRedrive(window);
  };
  setHandler(cancelSignal, cancel);
  // A cancel from the Temporal UI is the same as the signal.
  CancellationScope.current().cancelRequested.catch(cancel);

  return await CancellationScope.nonCancellable(async () => {
    for (;;) {
      setCurrentDetails(redriveTable(reportOf(window)));
      const step = nextStep(window);
      if (step === null) return reportOf(window);
      const { historyLength, continueAsNewSuggested } = workflowInfo();
      if (historyLength > mostEvents || continueAsNewSuggested) {
        await condition(allHandlersFinished);
        await continueAsNew<typeof redrive>({ kind: 'window', window });
      }
      window = afterStep(window, await redriveStep(step));
      const restMs = restOf(window);
      if (restMs > 0) await condition(() => window.isCancelled, restMs);
    }
  });
}
