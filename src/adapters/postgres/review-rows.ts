import { type Selectable, type SelectQueryBuilder, sql } from 'kysely';
import type { FailureClass } from '../../domain/failure-class.js';
import type { Reason } from '../../domain/reason.js';
import type { StoredJson } from '../../ports/attempt-store.js';
import type {
  ReviewDecision,
  ReviewFilter,
  ReviewStep,
  ReviewStepKind,
  ReviewTask,
  ReviewVerb,
  RunName,
} from '../../ports/review-store.js';
import { toRunRef } from './run-columns.js';
import type { ReviewEventColumns, ReviewTaskColumns } from './tables/reviews.js';
import type { Tables } from './tables.js';
import { ofTenant } from './tenant-filter.js';

type TaskRow = Selectable<ReviewTaskColumns>;
type EventRow = Selectable<ReviewEventColumns>;

export function toTask(row: TaskRow): ReviewTask {
  const { amount, currency } = row;
  const by = toRunName(row.withdrawn_by);
  return {
    ...toRunRef(row),
    id: row.id,
    kind: row.kind,
    state: row.state,
    version: row.version,
    reason: row.reason as Reason | null,
    failureClass: row.failure_class as FailureClass | null,
    bestAttempt: row.best_attempt,
    amount: amount === null || currency === null ? null : { amount, currency },
    holder: row.holder,
    leaseExpiresAt: row.lease_expires_at,
    createdAt: row.created_at,
    dueAt: row.due_at,
    escalatedAt: row.escalated_at,
    decidedAt: row.decided_at,
    verdict: row.verdict as ReviewVerb | null,
    withdrawn: by === null ? null : { by, from: row.withdrawn_from },
  };
}

export function toStep(row: EventRow): ReviewStep {
  return {
    kind: row.kind as ReviewStepKind,
    actor: row.actor,
    holder: row.holder,
    leaseExpiresAt: row.lease_expires_at,
    note: row.note,
    run: toRunName(row.by_run),
    version: row.kind === 'decided' && row.applied_at === null ? null : row.version,
    decision: row.kind === 'decided' ? toDecision(row) : null,
    at: row.at,
  };
}

export function toDecision(row: EventRow): ReviewDecision {
  return {
    eventId: row.event_id,
    reviewId: row.review,
    subject: row.subject,
    actor: row.actor ?? '',
    verb: row.verb as ReviewVerb,
    values: row.values as StoredJson,
    original: row.original as StoredJson,
    note: row.note,
    overrides: row.overrides,
    at: row.at,
    appliedAt: row.applied_at,
  };
}

/** Keys are hexadecimal, so the last slash is the border. */
function toRunName(text: string | null): RunName | null {
  if (text === null) return null;
  const border = text.lastIndexOf('/');
  return { key: text.slice(0, border), run: Number(text.slice(border + 1)) };
}

type Tasks<Columns> = SelectQueryBuilder<Tables, 'review_tasks', Columns>;

export function filteredTasks<Columns>(tasks: Tasks<Columns>, filter: ReviewFilter): Tasks<Columns> {
  let query = tasks;
  if (filter.tenant !== undefined || !filter.withEvaluations) query = query.where(ofTenant(filter.tenant));
  if (filter.specId !== undefined) query = query.where('spec_id', '=', filter.specId);
  if (filter.specIds !== undefined) query = query.where('spec_id', 'in', ['', ...filter.specIds]);
  if (filter.labels !== undefined) {
    const labels = JSON.stringify(
      filter.labels.map(({ id, schemaVersion, promptVersion }) => ({ id, schemaVersion, promptVersion })),
    );
    query = query.where(
      sql<boolean>`${labels}::jsonb @> jsonb_build_array(jsonb_build_object(
        'id', spec_id, 'schemaVersion', schema_version, 'promptVersion', prompt_version))`,
    );
  }
  if (filter.kind !== undefined) query = query.where('kind', '=', filter.kind);
  if (filter.reason !== undefined) query = query.where('reason', '=', filter.reason);
  if (filter.failureClass !== undefined) query = query.where('failure_class', '=', filter.failureClass);
  if (filter.holder !== undefined)
    query = query.where(sql<boolean>`${filter.holder} in (holder, withdrawn_from)`);
  if (filter.lease !== undefined)
    query = query.where('holder', filter.lease === 'free' ? 'is' : 'is not', null);
  if (filter.dueBefore !== undefined) query = query.where('due_at', '<', filter.dueBefore);
  if (filter.escalated !== undefined)
    query = query.where('escalated_at', filter.escalated ? 'is not' : 'is', null);
  return query;
}
