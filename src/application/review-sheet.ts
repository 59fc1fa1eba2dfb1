import type { FailureClass } from '../domain/failure-class.js';
import { reasonSays } from '../domain/reason.js';
import type { Attempt, StoredJson } from '../ports/attempt-store.js';
import type { ReviewTask } from '../ports/review-store.js';
import type { Store } from '../ports/store.js';
import type { Catalogue } from '../spec/catalogue.js';
import { inFieldOrder } from '../spec/field-order.js';
import type { Spec } from '../spec/spec.js';
import type { Problem } from '../verification/problem.js';
import type { Application } from './application.js';
import { ApplicationError } from './application-error.js';
import { findReviewNow, readActor } from './claim-review.js';
import { findExtraction } from './find-extraction.js';
import { type ExplainedDiagnosis, readOutcome } from './read-outcome.js';
import { type Arithmetic, arithmeticOf } from './review-arithmetic.js';
import { diffCandidates, type FieldChange, type FieldReading, readFields, titleAt } from './review-fields.js';
import {
  type DraftView,
  type ListedReview,
  type ReviewStepView,
  summariseReview,
  viewDraft,
  viewStep,
} from './views/review-view.js';

/** Every rule that does not hold at one field, with what it says. */
export interface UnmetField {
  readonly pointer: string;
  /** Null for the whole record, and for a field that the spec does not have. */
  readonly title: string | null;
  readonly rules: readonly (Omit<Problem, 'pointer'> & { readonly says: string | null })[];
}

/** One attempt as the sheet's columns show it. */
export interface AttemptColumn {
  readonly attempt: number;
  readonly model: string;
  readonly failureClass: FailureClass | null;
  readonly unmet: readonly { readonly rule: string; readonly pointer: string }[];
  readonly hasCandidate: boolean;
}

/** A review with all that a person needs to decide it: why it is here first, then the fields, then how it came about. */
export interface ReviewSheet extends ListedReview {
  /** One sentence: why a person is asked. */
  readonly why: string;
  readonly diagnosis: ExplainedDiagnosis | null;
  /** What does not hold, by field. Of a candidate-less document: what was wrong with its last reply. */
  readonly unmet: readonly UnmetField[];
  readonly arithmetic: readonly Arithmetic[];
  readonly fields: readonly FieldReading[];
  /** What is offered as a start, as the machine left it; null when no whole candidate was read. */
  readonly candidate: StoredJson;
  readonly attempts: readonly AttemptColumn[];
  /** Fields whose value differed between attempts. */
  readonly changes: readonly FieldChange[];
  /** The asking person's own unfinished work. */
  readonly draft: DraftView | null;
  readonly trail: readonly ReviewStepView[];
}

/**
 * Reads one review; with an actor, with their draft. A spec version that this process does not know leaves titles and
 * arithmetic out. Throws ApplicationError `invalid_request` or `not_found`.
 */
export async function readReviewSheet(
  app: Pick<Application, 'store' | 'catalogue' | 'now'>,
  review: string,
  actor: string | null,
): Promise<ReviewSheet> {
  const { store } = app;
  const task = await findReviewNow(app, review);
  const extraction = await findExtraction(store, task.key, task.run);
  const [{ outcome }, attempts, steps, draft] = await Promise.all([
    readOutcome(store, extraction),
    store.attempts.list(task.key, task.run),
    store.reviews.steps(task.id),
    actor === null ? null : store.reviews.draft(task.id, readActor(actor)),
  ]);
  const spec = app.catalogue.find({ ...task, id: task.specId });
  const offered = offeredAttempt(task, attempts);
  const fields = spec?.fields ?? {};
  const candidate = inFieldOrder(fields, offered?.candidate ?? null);
  const problems = (offered ?? attempts.at(-1))?.problems ?? [];
  return {
    ...summariseReview(task, app.now()),
    fileName: extraction.fileName,
    documentHash: task.documentHash,
    why: whyHere(task),
    diagnosis: outcome?.kind === 'unverified' ? outcome.diagnosis : null,
    unmet: byField(spec, problems),
    arithmetic: spec === null || candidate === null ? [] : arithmeticOf(spec, candidate),
    fields: offered === undefined ? [] : readFields(fields, offered),
    candidate,
    attempts: attempts.map(columnOf),
    changes: diffCandidates(fields, candidatesOf(attempts)),
    draft: draft === null ? null : viewDraft(draft),
    trail: steps.map(viewStep),
  };
}

/** What is offered as a start: the best whole candidate, or the record of a sample; null when there is none. */
export async function offeredCandidate(
  { store }: { readonly store: Store },
  task: ReviewTask,
): Promise<StoredJson> {
  return offeredAttempt(task, await store.attempts.list(task.key, task.run))?.candidate ?? null;
}

/** The spec of exactly the versions that a review is about. Throws ApplicationError `unknown_spec`. */
export function specOf({ catalogue }: { readonly catalogue: Catalogue }, task: ReviewTask): Spec {
  const spec = catalogue.find({ ...task, id: task.specId });
  if (spec !== null) return spec;
  throw new ApplicationError(
    'unknown_spec',
    `Spec "${task.specId}" in schema version "${task.schemaVersion}" is not known here, so its rules cannot be run.`,
  );
}

function offeredAttempt({ bestAttempt }: ReviewTask, attempts: readonly Attempt[]): Attempt | undefined {
  return attempts.find(({ report }) => report.attempt === bestAttempt);
}

function whyHere({ kind, reason, bestAttempt }: ReviewTask): string {
  if (kind === 'sample' || reason === null)
    return 'It verified, and is in the sample that people look at too.';
  const start = bestAttempt === null ? '; no whole candidate was read' : '';
  return `It was not verified: ${reasonSays[reason]}${start}.`;
}

function byField(spec: Spec | null, problems: readonly Problem[]): readonly UnmetField[] {
  const says = new Map(spec?.constraints.map((rule) => [rule.id, rule.says]));
  const fields = new Map<string, UnmetField['rules'][number][]>();
  for (const { pointer, ...problem } of problems) {
    const rules = fields.get(pointer) ?? [];
    rules.push({ ...problem, says: says.get(problem.rule) ?? null });
    fields.set(pointer, rules);
  }
  return [...fields].map(([pointer, rules]) => ({
    pointer,
    title: titleAt(spec?.fields ?? {}, pointer),
    rules,
  }));
}

function columnOf({ report, problems, candidate }: Attempt): AttemptColumn {
  const { attempt, model, result } = report;
  const failureClass = result.kind === 'rejected' ? result.failureClass : null;
  const unmet = problems.map(({ rule, pointer }) => ({ rule, pointer }));
  return { attempt, model, failureClass, unmet, hasCandidate: candidate !== null };
}

function candidatesOf(attempts: readonly Attempt[]) {
  return attempts
    .filter(({ candidate }) => candidate !== null)
    .map(({ report, candidate }) => ({ attempt: report.attempt, candidate }));
}
