import {
  allHandlersFinished,
  CancellationScope,
  condition,
  log,
  setHandler,
  setWorkflowOptions,
} from '@temporalio/workflow';
import type { Ending } from '../src/domain/decision.js';
import type { ExtractionInput } from '../src/domain/extraction-input.js';
import type { RunResult } from '../src/domain/run-result.js';
import { landRun, verifiedResult } from './landing.js';
import { attemptsQuery, cancelSignal, lowerCapSignal, progressQuery } from './messages.js';
import { workflowOptions } from './options.js';
import { Run } from './run.js';

// A run lasts minutes: it ends on the version that began it, whose prompts and rules its attempts were made with.
setWorkflowOptions(workflowOptions('PINNED'), extraction);

/** One run of one document: the loop around `decide` and `evolve`, then the landing. Nothing here decides. */
export async function extraction(input: ExtractionInput): Promise<RunResult> {
  let run: Run;
  try {
    run = new Run(input);
  } catch (error) {
    // Its policy may have been frozen by another version of this program: it must land all the same.
    log.error('a run could not begin', { error });
    return await CancellationScope.nonCancellable(() => landRun(input, notBegun));
  }
  setHandler(cancelSignal, () => run.record({ kind: 'CancelRequested', at: Date.now() }));
  setHandler(lowerCapSignal, (cap) => run.record({ kind: 'CapLowered', at: Date.now(), cap }));
  setHandler(attemptsQuery, () => run.reports);
  setHandler(progressQuery, () => run.progress());
  // A cancel from the Temporal UI is the same event as the signal: it waits for the call in flight.
  CancellationScope.current().cancelRequested.catch(() =>
    run.record({ kind: 'CancelRequested', at: Date.now() }),
  );

  return await CancellationScope.nonCancellable(async () => {
    const ending = await run.loop().catch((error: unknown): Ending => {
      log.error('a run broke', { error });
      return run.broken();
    });
    const result =
      ending.kind === 'verified'
        ? await verifiedResult(input, run.state, run.withdrewReview)
        : await landRun(input, ending);
    await condition(allHandlersFinished);
    return result;
  });
}

const notBegun: Ending = {
  kind: 'unverified',
  attempts: 0,
  reason: 'internal_error',
  failureClass: null,
  diagnosis: null,
  repliesRead: 0,
};
