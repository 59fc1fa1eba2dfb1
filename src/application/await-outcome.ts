import { setTimeout } from 'node:timers/promises';
import type { Extraction } from '../ports/extraction-store.js';
import type { Application } from './application.js';
import { ApplicationError } from './application-error.js';
import { findExtraction } from './find-extraction.js';

/** One long poll at the engine. */
const pollMs = 20_000;
/** Between two polls. */
const restMs = 250;
/** How long past its deadline a run may still be landing before waiting for it is given up. */
const graceMs = 60_000;

/** Waits for a run to end, at most `timeoutMs`, or until `signal` aborts. Answers with the row as it then is, which may still be open. */
export async function awaitOutcome(
  app: Application,
  run: Extraction,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<Extraction> {
  if (run.state === 'closed' || signal?.aborted) return run;
  await app.engine.result(run.key, timeoutMs, signal);
  return findExtraction(app.store, run.key, run.run);
}

/**
 * Waits until the run has ended, however long its own deadline allows, or until `signal` aborts: then the row may still
 * be open.
 * Throws ApplicationError `unavailable` when nothing carries the run any more.
 */
export async function awaitEnd(app: Application, run: Extraction, signal?: AbortSignal): Promise<Extraction> {
  if (run.state === 'closed') return run;
  const short = run.key.slice(0, 12);
  for (;;) {
    const row = await awaitOutcome(app, run, pollMs, signal);
    if (row.state === 'closed' || signal?.aborted) return row;
    if (app.now() > row.deadlineAt + graceMs) {
      throw new ApplicationError(
        'unavailable',
        `Extraction ${short} is still open a minute past its deadline; is a worker running? See \`endstop doctor\`.`,
      );
    }
    // A run that was ended from outside answers at once; its row is closed by the reconciler.
    await setTimeout(restMs);
  }
}
