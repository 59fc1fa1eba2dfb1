import { judgeValues } from '../src/spec/judge-values.js';
import type { PlainJson } from '../src/spec/read-record.js';
import type { StoreActivities } from './contract.js';
import type { ActivityDependencies } from './dependencies.js';
import { finalFailure } from './fault-failure.js';
import { openDocument } from './open-document.js';

/** Carries out a stored decision, or says why it cannot be (any more). What is still unmet is stored beside it. */
export function createApplyReview(deps: ActivityDependencies): StoreActivities['applyReview'] {
  return async ({ subject, eventId }) => {
    const { store } = deps;
    const event = await store.reviews.decision(eventId);
    const task = await store.reviews.find(subject);
    if (event === null || task === null || event.reviewId !== task.id) throw finalFailure('internal_error');
    const spec = deps.catalogue.find({ ...task, id: task.specId });
    const document = await openDocument(deps, task);
    const text = document.kind === 'readable' ? document.text : null;
    // Stored with every number as a text.
    const values = event.values as PlainJson;
    const unmet = values === null || spec === null ? [] : judgeValues(spec, values, text).unmet;
    const verifierVersion = `${task.specId}@${task.schemaVersion}`;
    return await store.reviews.apply(eventId, unmet, verifierVersion, deps.now());
  };
}

export function createEscalateReview(deps: ActivityDependencies): StoreActivities['escalateReview'] {
  return async (subject) => {
    await deps.store.reviews.markEscalated(subject, deps.now());
  };
}
