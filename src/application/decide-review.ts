import type { StoredJson } from '../ports/attempt-store.js';
import type { Extraction } from '../ports/extraction-store.js';
import type { ReviewTask, ReviewVerb } from '../ports/review-store.js';
import type { Problem } from '../verification/problem.js';
import type { Application } from './application.js';
import { ApplicationError, type RequestFault } from './application-error.js';
import { checkRecord, withDigits } from './check-record.js';
import { claimReview, findReview } from './claim-review.js';
import { redriveByKey } from './redrive.js';

/** What a person decides about one review. */
export interface ReviewDecision {
  /** Subject or extraction key, or a unique beginning. */
  readonly review: string;
  readonly actor: string;
  readonly verb: ReviewVerb;
  /** The record they stand for. Needed to correct; to approve, null means the machine's best candidate as it is. */
  readonly values: StoredJson;
  /** Needed to reject, and to override a rule. */
  readonly note: string | null;
  /** Ids of the rules that do not hold and are overridden, each by name. */
  readonly overrides: readonly string[];
}

export interface ReviewDecided {
  readonly task: ReviewTask;
  /** Rules the person overrode. */
  readonly unmet: readonly Problem[];
  /** The new run, when they asked for one. */
  readonly redriven: Extraction | null;
}

/**
 * Decides a review. The rules run again over the person's values; an unmet one is stored only when it is overridden by
 * name, with a note. Values go to the store first; the workflow is only told which stored event to carry out.
 *
 * Throws ApplicationError: `not_found`, `review_not_open`, `review_held`, `invalid_request`, and `unmet_rules` with one
 * fault for each unmet rule.
 */
export async function decideReview(app: Application, decision: ReviewDecision): Promise<ReviewDecided> {
  const { verb, actor } = decision;
  const note = decision.note?.trim() || null;
  assertFitting(decision, note);
  const task = await claimReview(app.store, {
    review: decision.review,
    holder: actor,
    steal: false,
    now: app.now(),
  });
  const { values, unmet } = await judged(app, task, decision, note);
  await app.engine.ping();
  const eventId = await app.store.reviews.addEvent({
    subject: task.subject,
    actor: actor.trim(),
    verb,
    values,
    note,
    overrides: [...new Set(unmet.map(({ rule }) => rule))].sort(),
    at: app.now(),
  });
  await app.engine.decideReview(task.subject, eventId, verb);
  const decided = await findReview(app.store, task.subject);
  if (decided.state !== 'decided' || decided.verdict !== verb) {
    throw new ApplicationError(
      'review_not_open',
      `This review was ${decided.state} by someone else meanwhile.`,
    );
  }
  const redriven = verb === 'redrive' ? await redriveByKey(app, task.key, null) : null;
  return { task: decided, unmet, redriven };
}

/** The values that will be stored and the rules they leave unmet; null values for verbs that stand for no record. */
async function judged(
  app: Application,
  task: ReviewTask,
  decision: ReviewDecision,
  note: string | null,
): Promise<{ values: StoredJson; unmet: readonly Problem[] }> {
  if (decision.verb !== 'approve' && decision.verb !== 'correct') return { values: null, unmet: [] };
  const given = decision.values ?? (await offered(app, task));
  if (given === null) {
    throw invalid('/values', 'No whole candidate was read for this document, so the values must be given.');
  }
  const spec = app.catalogue.find({ ...task, id: task.specId });
  if (spec === null) {
    throw new ApplicationError(
      'unknown_spec',
      `Spec "${task.specId}" in schema version "${task.schemaVersion}" is not known here, so its rules cannot be run.`,
    );
  }
  const values = withDigits(given, '/values');
  const check = await checkRecord(app, task, spec, values);
  if (check.kind === 'misshapen') {
    const faults = check.problems.map(({ pointer, message }) => ({
      pointer: `/values${pointer}`,
      detail: message,
    }));
    throw new ApplicationError(
      'invalid_request',
      'The values do not have the shape that the spec asks for.',
      faults,
    );
  }
  assertOverridden(check.unmet, decision.overrides, note);
  return { values, unmet: check.unmet };
}

async function offered(app: Application, task: ReviewTask): Promise<StoredJson> {
  if (task.bestAttempt === null) return null;
  const attempts = await app.store.attempts.list(task.key, task.run);
  return attempts.find(({ report }) => report.attempt === task.bestAttempt)?.candidate ?? null;
}

function assertOverridden(
  unmet: readonly Problem[],
  overrides: readonly string[],
  note: string | null,
): void {
  const named = new Set(overrides);
  const open = unmet.filter(({ rule }) => !named.has(rule));
  if (open.length > 0) {
    const rules = [...new Set(open.map(({ rule }) => rule))].join(', ');
    throw new ApplicationError(
      'unmet_rules',
      `These rules do not hold: ${rules}; correct the values, or override each by name with a note.`,
      open.map(({ rule, pointer, message }) => ({
        pointer: `/values${pointer}`,
        detail: `${rule}: ${message}`,
      })),
    );
  }
  const idle = overrides.find((rule) => !unmet.some((problem) => problem.rule === rule));
  if (idle !== undefined)
    throw invalid('/overrides', `Rule "${idle}" holds for these values, so it needs no override.`);
  if (unmet.length > 0 && note === null) throw invalid('/note', 'An override needs a note that says why.');
}

/** What can be told without looking at the review. */
function assertFitting({ verb, values, overrides }: ReviewDecision, note: string | null): void {
  const standsForRecord = verb === 'approve' || verb === 'correct';
  if (verb === 'correct' && values === null)
    throw invalid('/values', 'To correct, the corrected values must be given.');
  if (!standsForRecord && values !== null) throw invalid('/values', `To ${verb} takes no values.`);
  if (!standsForRecord && overrides.length > 0) throw invalid('/overrides', `To ${verb} overrides no rules.`);
  if (verb === 'reject' && note === null) throw invalid('/note', 'To reject, a note must say why.');
}

function invalid(pointer: string, detail: string): ApplicationError {
  const fault: RequestFault = { pointer, detail };
  return new ApplicationError('invalid_request', detail, [fault]);
}
