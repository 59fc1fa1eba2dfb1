import { setTimeout as pause } from 'node:timers/promises';
import type { Application } from '../application/application.js';
import { findExtraction } from '../application/find-extraction.js';
import { type AttemptView, readAttempts } from '../application/views/attempt-view.js';
import { summarise } from '../application/views/extraction-view.js';
import type { Extraction } from '../ports/extraction-store.js';
import type { EventSource, StreamedEvent } from './event-stream.js';

/** Between two looks at a run. */
const lookMs = 500;

/**
 * What happens to one run: `started`, an `attempt` for each that was reported, `ended`. Ids are made of what happened, so
 * they are the same for everybody who listens: `start`, the number of the attempt, `end`.
 */
export function extractionEvents(app: Application, found: Extraction): EventSource {
  return async function* (after, signal) {
    let row = found;
    let next = placeAfter(after);
    if (next === 0) {
      yield { id: 'start', event: 'started', data: summarise(row) };
      next = 1;
    }
    while (!signal.aborted) {
      // The row first: whatever it counts is there when the attempts are read.
      if (row.attempts >= next) {
        for (const attempt of await readAttempts(app.store, row.key, row.run)) {
          if (attempt.attempt < next || attempt.result === 'unanswered') continue;
          yield attemptEvent(attempt);
          next = attempt.attempt + 1;
        }
      }
      if (row.state === 'closed') {
        if (next !== Number.POSITIVE_INFINITY) yield { id: 'end', event: 'ended', data: summarise(row) };
        return;
      }
      await pause(lookMs, undefined, { signal }).catch(() => undefined);
      row = await findExtraction(app.store, row.key, row.run);
    }
  };
}

/** The number of the attempt that comes after an event; 0: everything does; infinite: nothing does. */
function placeAfter(id: string | null): number {
  if (id === 'start') return 1;
  if (id === 'end') return Number.POSITIVE_INFINITY;
  return id !== null && /^\d{1,4}$/.test(id) ? Number(id) + 1 : 0;
}

/** References and counts: what the document says stays where keys are asked for anew. */
function attemptEvent(view: AttemptView): StreamedEvent {
  const { attempt, lane, model, result, failureClass, tokens, cost, durationMs, at } = view;
  const problems = view.problems.map(({ rule, pointer }) => ({ rule, pointer }));
  return {
    id: String(attempt),
    event: 'attempt',
    data: { attempt, lane, model, result, failureClass, problems, tokens, cost, durationMs, at },
  };
}
