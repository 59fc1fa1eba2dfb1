import type { StoredJson } from '../ports/attempt-store.js';
import { ReviewClosed } from '../ports/engine.js';
import type { Extraction } from '../ports/extraction-store.js';
import type { NewReviewDecision, ReviewTask, ReviewVerb } from '../ports/review-store.js';
import { canonicalCandidate } from '../spec/canonical-candidate.js';
import type { PlainJson } from '../spec/read-record.js';
import type { Spec } from '../spec/spec.js';
import type { Problem } from '../verification/problem.js';
import type { Application } from './application.js';
import { ApplicationError } from './application-error.js';
import { checkRecord, withDigits } from './check-record.js';
import { findReview, findReviewNow, heldError, readActor } from './claim-review.js';
import { assertFitsKind, assertFitting, assertOverridden, invalid } from './decision-faults.js';
import { redriveByKey } from './redrive.js';
import { changedError, settledError } from './review-settled.js';
import { offeredCandidate, specOf } from './review-sheet.js';

/** What a person decides about one review. */
export interface ReviewDecision {
  /** The review's id or its extraction's, or a unique beginning. */
  readonly review: string;
  readonly actor: string;
  readonly verb: ReviewVerb;
  /** The record they stand for. Needed to correct; to approve, null means the machine's best candidate as it is. */
  readonly values: StoredJson;
  /** Needed to reject, and to override a rule. */
  readonly note: string | null;
  /** Ids of the rules that do not hold and are overridden, each by name. */
  readonly overrides: readonly string[];
  /** Versions of the question they may have looked at; null: whichever it is now. */
  readonly ifVersion: readonly number[] | null;
}

export interface ReviewDecided {
  readonly task: ReviewTask;
  /** Rules the person overrode. */
  readonly unmet: readonly Problem[];
  /** The new run, when they asked for one. */
  readonly redriven: Extraction | null;
}

/**
 * Decides a review that the actor or nobody holds. The rules run again over the person's values; an unmet one is stored
 * only when it is overridden by name, with a note. Values go to the store first; the workflow is only told which stored
 * decision to carry out. A sample has no workflow: its decision is carried out here, by the same compare-and-set.
 *
 * Throws ApplicationError: `not_found`, `review_not_open`, `review_held`, `review_changed` with one fault for each change
 * since, `invalid_request`, and `unmet_rules` with one fault for each unmet rule.
 */
export async function decideReview(app: Application, decision: ReviewDecision): Promise<ReviewDecided> {
  const { verb } = decision;
  const actor = readActor(decision.actor);
  const note = decision.note?.trim() || null;
  assertFitting(decision, note);
  const task = await findReviewNow(app, decision.review);
  await assertDecidable(app, task, decision.ifVersion, actor);
  assertFitsKind(task.kind, decision);
  // A run that this process could not start is not asked for.
  if (verb === 'redrive') specOf(app, task);
  const { values, unmet } = await judged(app, task, decision, note);
  if (task.kind === 'exhausted') await app.engine.ping();
  const overrides = [...new Set(unmet.map(({ rule }) => rule))].sort();
  const { version } = task;
  const stored = { reviewId: task.id, actor, verb, values, note, overrides, version, at: app.now() };
  await carryOut(app, task, unmet, await store(app, stored));
  const redriven = verb === 'redrive' ? await redriveByKey(app, task.key, null) : null;
  return { task: await findReview(app, task.id), unmet, redriven };
}

async function assertDecidable(
  app: Application,
  task: ReviewTask,
  ifVersion: readonly number[] | null,
  actor: string,
): Promise<void> {
  const { version, state, holder } = task;
  if (ifVersion !== null && !ifVersion.includes(version)) {
    throw await changedError(app.store, task, Math.max(0, ...ifVersion.filter((seen) => seen < version)));
  }
  if (state !== 'open') throw await settledError(app.store, task);
  if (holder !== null && holder !== actor) throw heldError(task);
}

/** The same questions once more, now by the statement that stores it: others may have been faster. */
async function store(app: Application, decision: NewReviewDecision): Promise<string> {
  const asked = await app.store.reviews.addDecision(decision);
  if (asked === null) throw new ApplicationError('not_found', 'This review is no longer kept.');
  switch (asked.kind) {
    case 'asked':
      return asked.eventId;
    case 'held':
      throw heldError(asked.task);
    case 'changed':
      throw await changedError(app.store, asked.task, decision.version);
    case 'not_open':
      throw await settledError(app.store, asked.task);
  }
}

async function carryOut(
  app: Application,
  task: ReviewTask,
  unmet: readonly Problem[],
  eventId: string,
): Promise<void> {
  if (task.kind === 'sample') {
    const verifier = `${task.specId}@${task.schemaVersion}`;
    const applied = await app.store.reviews.apply(eventId, unmet, verifier, app.now());
    if (applied !== 'applied') throw await overtaken(app, task);
    return;
  }
  const decision = await app.store.reviews.decision(eventId);
  if (decision === null) throw new ApplicationError('not_found', 'This review is no longer kept.');
  const { subject, tenant, specId } = task;
  const slaMs = Math.max(1, (task.dueAt ?? 0) - app.now());
  try {
    await app.engine.decideReview({ subject, tenant, specId, slaMs }, eventId, decision.verb);
  } catch (error) {
    throw error instanceof ReviewClosed ? await overtaken(app, task) : error;
  }
}

/** Somebody or a run was faster: what the trail says of it, if it says something already. */
async function overtaken(app: Application, judgedTask: ReviewTask): Promise<Error> {
  const task = await findReview(app, judgedTask.id);
  if (task.state !== 'open') return settledError(app.store, task);
  if (task.version !== judgedTask.version) return changedError(app.store, task, judgedTask.version);
  return new ReviewClosed('Another decision on this review is being carried out: look at it again.');
}

/** The values that will be stored and the rules they leave unmet; null values for verbs that stand for no record. */
async function judged(
  app: Application,
  task: ReviewTask,
  decision: ReviewDecision,
  note: string | null,
): Promise<{ values: StoredJson; unmet: readonly Problem[] }> {
  if (decision.verb !== 'approve' && decision.verb !== 'correct') return { values: null, unmet: [] };
  const offered = await offeredCandidate(app, task);
  const given = decision.values ?? offered;
  if (given === null) {
    throw invalid('/values', 'No whole candidate was read for this document, so the values must be given.');
  }
  const values = withDigits(given, '/values');
  const spec = specOf(app, task);
  const isAgreed = task.kind === 'sample' && decision.verb === 'correct' && sameRecord(spec, values, offered);
  if (isAgreed) throw invalid('/values', 'These are the values of the record: approve it.');
  const check = await checkRecord(app, task, spec, values);
  if (check.kind === 'misshapen') {
    throw new ApplicationError(
      'invalid_request',
      'The values do not have the shape that the spec asks for.',
      check.unmet.map(({ pointer, message }) => ({ pointer: `/values${pointer}`, detail: message })),
    );
  }
  assertOverridden(check.unmet, decision.overrides, note, new Set(spec.constraints.map(({ id }) => id)));
  return { values, unmet: check.unmet };
}

/** By value, so that 25.0 corrects no 25.00. */
function sameRecord(spec: Spec, values: PlainJson, offered: StoredJson): boolean {
  const canonical = (record: StoredJson) => canonicalCandidate(spec, withDigits(record, '/values'));
  return canonical(values) === canonical(offered);
}
