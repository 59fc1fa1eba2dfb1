import { type Kysely, type Selectable, sql } from 'kysely';
import type { FailureClass } from '../../domain/failure-class.js';
import type { Reason } from '../../domain/reason.js';
import type { Claiming, ReviewStore, ReviewTask, ReviewVerb } from '../../ports/review-store.js';
import { decodeCursor, pageRows, toPage } from './cursor.js';
import { prefixRange, theOne } from './prefix.js';
import { reviewEventStore } from './review-events.js';
import { toRunRef } from './run-columns.js';
import type { ReviewTaskColumns, Tables } from './tables.js';

export function reviewStore(db: Kysely<Tables>): ReviewStore {
  return {
    ...reviewEventStore(db),

    async find(subject) {
      return (await findBy(db, 'subject', subject)) ?? (await findBy(db, 'key', subject));
    },

    async list(filter, page) {
      let tasks = db
        .selectFrom('review_tasks')
        .selectAll()
        .where('state', '=', filter.state ?? 'open');
      if (filter.tenant !== undefined) tasks = tasks.where('tenant', '=', filter.tenant);
      if (filter.specId !== undefined) tasks = tasks.where('spec_id', '=', filter.specId);
      if (page.cursor !== undefined) {
        const [weight, at, subject] = decodeCursor(page.cursor, ['decimal', 'integer', 'text']);
        // The first line is what the index can seek to; the second drops what the page before has shown.
        tasks = tasks.where(sql<boolean>`weight <= ${weight}::numeric
          and (weight < ${weight}::numeric or (created_at, subject) > (${at}::int8, ${subject}))`);
      }
      const rows = await tasks
        .orderBy('weight', 'desc')
        .orderBy('created_at')
        .orderBy('subject')
        .limit(pageRows(page.limit))
        .execute();
      return toPage(rows, page.limit, (row) => [row.weight, row.created_at, row.subject], toTask);
    },

    async claim(subject, holder, leaseMs, at) {
      // Someone may let go between the two looks: then the third look has it.
      for (let look = 1; look <= 3; look += 1) {
        const claiming = await tryClaim(db, subject, holder, leaseMs, at);
        if (claiming !== null) return claiming;
      }
      return { kind: 'not_open' };
    },

    async release(subject, holder) {
      const released = await db
        .updateTable('review_tasks')
        .set({ holder: null, lease_expires_at: null })
        .where('subject', '=', subject)
        .where('state', '=', 'open')
        .where('holder', '=', holder)
        .executeTakeFirst();
      return released.numUpdatedRows === 1n;
    },

    async markEscalated(subject, at) {
      await db
        .updateTable('review_tasks')
        .set({ escalated_at: at })
        .where('subject', '=', subject)
        .where('state', '=', 'open')
        .where('escalated_at', 'is', null)
        .execute();
    },
  };
}

async function findBy(
  db: Kysely<Tables>,
  column: 'subject' | 'key',
  prefix: string,
): Promise<ReviewTask | null> {
  const { from, to } = prefixRange(prefix);
  const rows = await db
    .selectFrom('review_tasks')
    .selectAll()
    .where(column, '>=', from)
    .where(column, '<', to)
    .orderBy(column)
    .limit(2)
    .execute();
  const row = theOne(rows, prefix, (candidate) => candidate[column]);
  return row === null ? null : toTask(row);
}

async function tryClaim(
  db: Kysely<Tables>,
  subject: string,
  holder: string,
  leaseMs: number,
  at: number,
): Promise<Claiming | null> {
  const claimed = await db
    .updateTable('review_tasks')
    .set({ holder, lease_expires_at: at + leaseMs })
    .where('subject', '=', subject)
    .where('state', '=', 'open')
    .where((task) =>
      task.or([task('holder', 'is', null), task('holder', '=', holder), task('lease_expires_at', '<=', at)]),
    )
    .returningAll()
    .executeTakeFirst();
  if (claimed !== undefined) return { kind: 'claimed', task: toTask(claimed) };
  const other = await db
    .selectFrom('review_tasks')
    .select(['state', 'holder', 'lease_expires_at'])
    .where('subject', '=', subject)
    .executeTakeFirst();
  if (other?.state !== 'open') return { kind: 'not_open' };
  if (other.holder === null || other.lease_expires_at === null || other.lease_expires_at <= at) return null;
  return { kind: 'held', holder: other.holder, leaseExpiresAt: other.lease_expires_at };
}

function toTask(row: Selectable<ReviewTaskColumns>): ReviewTask {
  return {
    ...toRunRef(row),
    state: row.state,
    reason: row.reason as Reason,
    failureClass: row.failure_class as FailureClass | null,
    bestAttempt: row.best_attempt,
    amount:
      row.amount === null || row.currency === null ? null : { amount: row.amount, currency: row.currency },
    holder: row.holder,
    leaseExpiresAt: row.lease_expires_at,
    createdAt: row.created_at,
    dueAt: row.due_at,
    escalatedAt: row.escalated_at,
    decidedAt: row.decided_at,
    verdict: row.verdict as ReviewVerb | null,
  };
}
