import type { ReviewStep, ReviewTask } from '../ports/review-store.js';
import type { Store } from '../ports/store.js';
import { ApplicationError } from './application-error.js';
import { instant } from './views/instant.js';

/** Nothing is left to decide: by whom and when it was settled. A holder whose review was withdrawn reads why. */
export async function settledError(store: Store, task: ReviewTask): Promise<ApplicationError> {
  const settled = (await store.reviews.steps(task.id)).findLast(
    ({ kind, version }) => version !== null && (kind === 'decided' || kind === 'withdrawn'),
  );
  const how = settled === undefined ? `This review is ${task.state}` : `This review was ${stepText(settled)}`;
  return new ApplicationError('review_not_open', `${how}; there is nothing left to decide.`);
}

/**
 * The question is another one than was judged: `faults` has one line for each change since.
 */
export async function changedError(
  store: Store,
  task: ReviewTask,
  sinceVersion: number,
): Promise<ApplicationError> {
  const changes = (await store.reviews.steps(task.id)).filter(
    ({ version }) => version !== null && version > sinceVersion,
  );
  const last = changes.at(-1);
  const since = last === undefined ? '' : ` It was ${stepText(last)}.`;
  const how =
    sinceVersion === 0
      ? `This review never had the version that was named; it is at ${task.version}.`
      : `This review changed since you looked at it (version ${sinceVersion}, now ${task.version}).`;
  return new ApplicationError(
    'review_changed',
    how + since,
    changes.map((step) => ({ pointer: '', detail: `It was ${stepText(step)}.` })),
  );
}

/** One line of the trail, completing "It was ...". Names people and runs, never values. */
export function stepText(step: ReviewStep): string {
  const { kind, actor, holder, decision, run, at } = step;
  const by = run === null ? 'a run' : `run ${run.run} of ${run.key.slice(0, 12)}`;
  const on = `on ${instant(at)}`;
  switch (kind) {
    case 'opened':
    case 'reopened':
      return `${kind} ${on} by ${by}`;
    case 'renewed':
      return `renewed ${on}: ${by} was exhausted, too, and its candidate is the one in question now`;
    case 'withdrawn':
      return `withdrawn ${on}${holder === null ? '' : ` while ${holder} held it`}: ${
        run === null ? 'its document was erased' : `${by} verified the document`
      }`;
    case 'expired':
      return `let go ${on}, when the lease of ${holder} ran out`;
    case 'stolen':
      return `taken from ${holder} by ${actor} ${on}`;
    case 'escalated':
      return `escalated ${on}`;
    case 'decided':
      return `decided ${on} by ${actor}: ${decision?.verb}`;
    case 'claimed':
    case 'extended':
    case 'released':
      return `${kind} ${on} by ${actor}`;
  }
}
