import { type Insertable, type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import { actOnLease, type LeaseAct, type LeaseStep } from '../../domain/lease.js';
import type { Leasing, NextClaim, ReviewFilter, ReviewStore } from '../../ports/review-store.js';
import { retried } from './retry.js';
import { filteredTasks, toTask } from './review-rows.js';
import type { ReviewEventColumns, ReviewTaskColumns } from './tables/reviews.js';
import type { Tables } from './tables.js';

type TaskRow = Selectable<ReviewTaskColumns>;

/** Leases: the domain decides over the locked row, and what happened goes into the trail in the same transaction. */
export function reviewLeaseStore(
  db: Kysely<Tables>,
): Pick<ReviewStore, 'lease' | 'claimNext' | 'expireLeases'> {
  return {
    lease: (id, act, at) =>
      retried(() =>
        db.transaction().execute(async (transaction) => {
          const row = await transaction
            .selectFrom('review_tasks')
            .selectAll()
            .where('id', '=', id)
            .forNoKeyUpdate()
            .executeTakeFirst();
          return row === undefined ? null : carryOut(transaction, row, act, at);
        }),
      ),

    async claimNext(filter, actor, leaseMs, at) {
      // A free one that somebody is just taking or giving back is neither free nor held: look again.
      for (let look = 1; look <= 5; look += 1) {
        const claim = { kind: 'claim', actor, leaseMs } as const;
        const claimed = await retried(() =>
          db.transaction().execute((transaction) => claimFirst(transaction, filter, claim, at)),
        );
        if (claimed !== null) return { kind: 'claimed', task: claimed.task };
        const rest = await othersHold(db, filter, at);
        if (rest !== null) return rest;
      }
      throw new Error('The next free review was taken by others five times in a row.');
    },

    async expireLeases(at, id) {
      const { numAffectedRows } = await sql`
        with gone as (
          select id, subject, tenant, holder, lease_expires_at from review_tasks
          where lease_expires_at <= ${at}::int8 and state = 'open' and ${id === undefined ? sql`true` : sql`id = ${id}`}
          for no key update skip locked
        ), freed as (
          update review_tasks t set holder = null, lease_expires_at = null from gone where t.id = gone.id
          returning t.id
        )
        insert into review_events (review, subject, tenant, kind, holder, at)
        select gone.id, subject, tenant, 'expired', holder, lease_expires_at from gone join freed using (id)`.execute(
        db,
      );
      return Number(numAffectedRows ?? 0n);
    },
  };
}

async function carryOut(
  transaction: Transaction<Tables>,
  row: TaskRow,
  act: LeaseAct,
  at: number,
): Promise<Leasing> {
  if (row.state !== 'open') return { kind: 'not_open', task: toTask(row) };
  const { holder, lease_expires_at: expiresAt } = row;
  const before = holder === null || expiresAt === null ? null : { holder, expiresAt };
  const { granted, lease, steps } = actOnLease(before, act, at);
  const kind = granted ? 'granted' : 'refused';
  if (steps.length === 0) return { kind, task: toTask(row) };
  const after = { holder: lease?.holder ?? null, lease_expires_at: lease?.expiresAt ?? null };
  await transaction.updateTable('review_tasks').set(after).where('id', '=', row.id).execute();
  await transaction
    .insertInto('review_events')
    .values(steps.map((step) => toEvent(row, step)))
    .execute();
  return { kind, task: toTask({ ...row, ...after }) };
}

async function claimFirst(
  transaction: Transaction<Tables>,
  filter: ReviewFilter,
  act: LeaseAct,
  at: number,
): Promise<Leasing | null> {
  const row = await filteredTasks(transaction.selectFrom('review_tasks').selectAll(), filter)
    .where('state', '=', 'open')
    .where((task) => task.or([task('holder', 'is', null), task('lease_expires_at', '<=', at)]))
    .orderBy('weight', 'desc')
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .forNoKeyUpdate()
    .skipLocked()
    .executeTakeFirst();
  return row === undefined ? null : carryOut(transaction, row, act, at);
}

/** Null when one of them is free after all. */
async function othersHold(db: Kysely<Tables>, filter: ReviewFilter, at: number): Promise<NextClaim | null> {
  const { open, held, next } = await filteredTasks(
    db
      .selectFrom('review_tasks')
      .select([
        sql<number>`count(*)`.as('open'),
        sql<number>`count(*) filter (where lease_expires_at > ${at}::int8)`.as('held'),
        sql<number | null>`min(lease_expires_at) filter (where lease_expires_at > ${at}::int8)`.as('next'),
      ]),
    filter,
  )
    .where('state', '=', 'open')
    .executeTakeFirstOrThrow();
  if (open === 0) return { kind: 'none' };
  return held < open || next === null ? null : { kind: 'all_held', held, nextFreeAt: next };
}

function toEvent(task: TaskRow, step: LeaseStep): Insertable<ReviewEventColumns> {
  return {
    review: task.id,
    subject: task.subject,
    tenant: task.tenant,
    kind: step.kind,
    actor: step.kind === 'expired' ? null : step.actor,
    holder: 'from' in step ? step.from : null,
    lease_expires_at: 'expiresAt' in step ? step.expiresAt : null,
    note: step.kind === 'stolen' ? step.reason : null,
    at: step.at,
  };
}
