import { type Expression, type RawBuilder, type Selectable, sql } from 'kysely';
import type { Diagnosis } from '../../domain/decision.js';
import type { FailureClass } from '../../domain/failure-class.js';
import type { Money } from '../../domain/money.js';
import type { Policy } from '../../domain/policy.js';
import type { Reason } from '../../domain/reason.js';
import type { RouteName } from '../../domain/route.js';
import type { Extraction } from '../../ports/extraction-store.js';
import { toRunRef } from './run-columns.js';
import type { ExtractionColumns } from './tables/extractions.js';

/** Sums over the run's call rows, and its attempt rows, which are shown while the run is open. */
interface Sums {
  calls: number;
  tokens: number;
  cost: string | null;
  currency: string | null;
  /** Of the run's last answer. */
  answered_by: string | null;
  answered_model: string | null;
  reported: number;
}

export type ExtractionRow = Selectable<ExtractionColumns> & Sums;

/**
 * Runs with their sums, newest first, in one query. `runs` is a query or the name of one, already cut to the page:
 * the sums are made for each of its rows. All calls of a run are in one currency, that of its extractor.
 */
export function withSums<Row = object>(runs: Expression<unknown>): RawBuilder<ExtractionRow & Row> {
  return sql`
    select e.*, c.*, a.*
    from ${runs} as e
    cross join lateral (
      select count(*) as calls, coalesce(sum(tokens), 0)::int8 as tokens, sum(cost) as cost, max(currency) as currency,
        (array_agg(provider order by call_id desc) filter (where state = 'answered'))[1] as answered_by,
        (array_agg(model order by call_id desc) filter (where state = 'answered'))[1] as answered_model
      from calls where calls.key = e.key and calls.run = e.run
    ) c
    cross join lateral (
      select count(*) as reported from attempts where attempts.key = e.key and attempts.run = e.run
    ) a
    order by e.started_at desc, e.key desc, e.run desc`;
}

export function toExtraction(row: ExtractionRow, zeroCost: Money): Extraction {
  return {
    ...toRunRef(row),
    state: row.state,
    outcome: row.outcome,
    reason: row.reason as Reason | null,
    failureClass: row.failure_class as FailureClass | null,
    diagnosis: row.diagnosis as Diagnosis | null,
    route: row.route as RouteName | null,
    attempts: row.attempts ?? row.reported,
    calls: row.calls,
    tokens: row.tokens,
    cost:
      row.cost === null || row.currency === null ? zeroCost : { amount: row.cost, currency: row.currency },
    policy: row.policy as Policy,
    tags: row.tags,
    batchId: row.batch_id,
    fileName: row.file_name,
    provider: row.answered_by ?? row.provider,
    model: row.answered_model,
    startedAt: row.started_at,
    deadlineAt: row.deadline_at,
    closedAt: row.closed_at,
    erasedAt: row.erased_at,
  };
}
