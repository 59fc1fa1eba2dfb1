import type { FailureClass } from '../../domain/failure-class.js';
import type { Money } from '../../domain/money.js';
import type { Reason } from '../../domain/reason.js';
import type { StoredJson } from '../../ports/attempt-store.js';
import type {
  ReviewDraft,
  ReviewKind,
  ReviewState,
  ReviewStep,
  ReviewStepKind,
  ReviewTask,
  ReviewVerb,
  RunName,
} from '../../ports/review-store.js';
import { instant, instantOrNull } from './instant.js';

export interface RunView {
  readonly extractionId: string;
  readonly run: number;
}

/** One question to a person, as the queue shows it. */
export interface ReviewSummary extends RunView {
  readonly id: string;
  /** `sample`: the record verified, and a person looks at it too. */
  readonly kind: ReviewKind;
  readonly spec: string;
  readonly tenant: string;
  readonly state: ReviewState;
  /** Of the question: an answer to an earlier version is refused. A lease changes nothing about it. */
  readonly version: number;
  readonly reason: Reason | null;
  readonly failureClass: FailureClass | null;
  readonly amount: Money | null;
  /** Who holds it now; null when it is free or the lease has run out. */
  readonly holder: string | null;
  readonly leaseExpiresAt: string | null;
  readonly createdAt: string;
  /** Null for a sample: nobody waits for it. */
  readonly dueAt: string | null;
  readonly overdue: boolean;
  readonly escalatedAt: string | null;
  readonly decidedAt: string | null;
  readonly verdict: ReviewVerb | null;
  /** The run whose success made the question needless, and who held it then. */
  readonly withdrawn: { readonly by: RunView; readonly from: string | null } | null;
}

/** In a list: with what tells it from the others. */
export interface ListedReview extends ReviewSummary {
  readonly fileName: string | null;
  readonly documentHash: string;
}

/** What a person decided. `values` is the record they stood for, `original` what the machine had left. */
export interface DecisionView {
  readonly id: string;
  readonly verb: ReviewVerb;
  readonly values: StoredJson;
  readonly original: StoredJson;
  readonly overrides: readonly string[];
  /** False: it was asked for, but somebody or a run was faster. */
  readonly carriedOut: boolean;
}

/** One line of a review's trail; `actor` is null when it happened by itself. */
export interface ReviewStepView {
  readonly kind: ReviewStepKind;
  readonly actor: string | null;
  /** Who lost the lease by it. */
  readonly holder: string | null;
  readonly leaseExpiresAt: string | null;
  readonly note: string | null;
  /** The run that asked, or answered. */
  readonly run: RunView | null;
  readonly version: number | null;
  readonly decision: DecisionView | null;
  readonly at: string;
}

/** Somebody's unfinished work. Written for this version of the question, which may be an earlier one. */
export interface DraftView {
  readonly actor: string;
  readonly values: StoredJson;
  readonly note: string | null;
  readonly version: number;
  readonly at: string;
}

export function summariseReview(task: ReviewTask, now: number): ReviewSummary {
  const held = task.leaseExpiresAt !== null && task.leaseExpiresAt > now;
  const { withdrawn } = task;
  return {
    id: task.id,
    kind: task.kind,
    extractionId: task.key,
    run: task.run,
    spec: task.specId,
    tenant: task.tenant,
    state: task.state,
    version: task.version,
    reason: task.reason,
    failureClass: task.failureClass,
    amount: task.amount,
    holder: held ? task.holder : null,
    leaseExpiresAt: held ? instantOrNull(task.leaseExpiresAt) : null,
    createdAt: instant(task.createdAt),
    dueAt: instantOrNull(task.dueAt),
    overdue: task.state === 'open' && task.dueAt !== null && task.dueAt < now,
    escalatedAt: instantOrNull(task.escalatedAt),
    decidedAt: instantOrNull(task.decidedAt),
    verdict: task.verdict,
    withdrawn: withdrawn === null ? null : { by: viewRun(withdrawn.by), from: withdrawn.from },
  };
}

export function viewStep(step: ReviewStep): ReviewStepView {
  const { decision, run } = step;
  return {
    kind: step.kind,
    actor: step.actor,
    holder: step.holder,
    leaseExpiresAt: instantOrNull(step.leaseExpiresAt),
    note: step.note,
    run: run === null ? null : viewRun(run),
    version: step.version,
    decision:
      decision === null
        ? null
        : {
            id: decision.eventId,
            verb: decision.verb,
            values: decision.values,
            original: decision.original,
            overrides: decision.overrides,
            carriedOut: decision.appliedAt !== null,
          },
    at: instant(step.at),
  };
}

export function viewDraft({ holder, values, note, version, at }: ReviewDraft): DraftView {
  return { actor: holder, values, note, version, at: instant(at) };
}

function viewRun({ key, run }: RunName): RunView {
  return { extractionId: key, run };
}
