import type { StoredJson } from '../src/ports/attempt-store.js';
import type { JsonValue } from '../src/reply/json-value.js';
import { readRecord } from '../src/spec/read-record.js';
import type { Spec } from '../src/spec/spec.js';
import type { VerifyContext } from '../src/verification/constraint.js';
import type { Problem } from '../src/verification/problem.js';
import { verify } from '../src/verification/verify.js';
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
    const context = { text: document.kind === 'readable' ? document.text : null, previous: null };
    const unmet = event.values === null || spec === null ? [] : unmetRules(spec, event.values, context);
    const verifierVersion = `${task.specId}@${task.schemaVersion}`;
    return await store.reviews.apply(eventId, unmet, verifierVersion, deps.now());
  };
}

export function createEscalateReview(deps: ActivityDependencies): StoreActivities['escalateReview'] {
  return async (subject) => {
    await deps.store.reviews.markEscalated(subject, deps.now());
  };
}

/** The schema's and the rules' complaints about values a person stands for. */
export function unmetRules(spec: Spec, values: StoredJson, context: VerifyContext): readonly Problem[] {
  const read = readRecord(spec, values as JsonValue);
  if (read.kind === 'problems') return read.problems;
  const verdict = verify(read.record, spec.constraints, context);
  switch (verdict.kind) {
    case 'holds':
      return [];
    case 'broken':
      return verdict.problems;
    case 'fault':
      return [{ rule: verdict.rule, pointer: '', message: verdict.message, expected: null, found: null }];
  }
}
