import { type Kysely, sql } from 'kysely';
import { isDecimal } from '../../domain/decimal.js';
import type { Money } from '../../domain/money.js';
import { routeNames } from '../../domain/route.js';
import type { Landed, Landing } from '../../ports/extraction-store.js';
import { toExtraction, withSums } from './extraction-rows.js';
import { jsonOrNull } from './json.js';
import { retried } from './retry.js';
import type { Tables } from './tables.js';

/**
 * Closes a run and stores what its route needs, in one statement. Every statement of this adapter that writes more
 * than one of these tables takes its rows in one order, so that two of them never wait on each other:
 * extraction, review task, dead letters, record.
 */
export async function land(db: Kysely<Tables>, landing: Landing, zeroCost: Money): Promise<Landed> {
  const { key, run } = landing.ref;
  await retried(() => write(db, landing));
  const runs = db.selectFrom('extractions').selectAll().where('key', '=', key).where('run', '=', run);
  const row = (await withSums(runs).execute(db)).rows[0];
  if (row === undefined) throw new Error(`No run ${run} of ${key} to land.`);
  const extraction = toExtraction(row, zeroCost);
  if (extraction.outcome === null)
    throw new Error(`Run ${run} of ${key} landed as verified, but no accepted attempt was committed.`);
  return { outcome: extraction.outcome, route: extraction.route, extraction };
}

async function write(db: Kysely<Tables>, landing: Landing): Promise<void> {
  const { ending, ref, route, at } = landing;
  // A verified run was closed by the commit of its accepted attempt.
  if (ending.kind === 'verified') return;
  const amount = storableAmount(landing.amount);
  if (route === 'human_review' && landing.reviewDueAt === null)
    throw new Error(`Run ${ref.run} of ${ref.key} goes to a person, but no time is set until when.`);
  await sql`
    with closed as (
      update extractions set
        state = 'closed',
        outcome = 'unverified',
        reason = coalesce(reason, ${ending.reason}),
        failure_class = case state when 'open' then ${ending.failureClass} else failure_class end,
        diagnosis = case state when 'open' then ${jsonOrNull(ending.diagnosis)}::jsonb else diagnosis end,
        attempts = coalesce(attempts, ${ending.attempts}::int4),
        closed_at = coalesce(closed_at, ${at}::int8),
        route = case when erased_at is null then ${route} end
      where key = ${ref.key} and run = ${ref.run}
        -- A closed run only moves on from a fallback that found nothing, or from a route that there is not, never back.
        and (state = 'open' or (outcome = 'unverified' and ${route} <> 'fallback'
          and (route = 'fallback' or route <> all(${routeNames}::text[]))))
      returning *
    ), task as (
      insert into review_tasks (id, key, run, tenant, subject, document_hash, spec_id, schema_version, prompt_version,
        state, reason, failure_class, best_attempt, amount, currency, created_at, due_at)
      select subject, key, run, tenant, subject, document_hash, spec_id, schema_version, prompt_version,
        'open', reason, failure_class, ${landing.bestAttempt}::int4, ${amount?.amount ?? null}::numeric,
        ${amount?.currency ?? null}, ${at}::int8, ${landing.reviewDueAt}::int8
      from closed where route = 'human_review'
      on conflict (id) do update set
        key = excluded.key, run = excluded.run, schema_version = excluded.schema_version,
        prompt_version = excluded.prompt_version, reason = excluded.reason, failure_class = excluded.failure_class,
        best_attempt = excluded.best_attempt, amount = excluded.amount, currency = excluded.currency,
        state = 'open', erased_at = null, verdict = null, decided_at = null, withdrawn_by = null, withdrawn_from = null,
        version = review_tasks.version + 1,
        change = case review_tasks.state when 'open' then 'renewed' else 'reopened' end,
        -- An open task keeps its place, its time and its holder; a settled one starts anew.
        created_at = case review_tasks.state when 'open' then review_tasks.created_at else excluded.created_at end,
        due_at = case review_tasks.state when 'open' then review_tasks.due_at else excluded.due_at end,
        escalated_at = case review_tasks.state when 'open' then review_tasks.escalated_at end,
        holder = case review_tasks.state when 'open' then review_tasks.holder end,
        lease_expires_at = case review_tasks.state when 'open' then review_tasks.lease_expires_at end
      -- A person has vouched for a record of this very key: there is nothing left to ask.
      where not (review_tasks.state = 'decided' and review_tasks.key = excluded.key and review_tasks.erased_at is null
        and review_tasks.verdict in ('approve', 'correct'))
      returning *
    ), told as (
      insert into review_events (review, subject, tenant, kind, version, by_run, at)
      select id, subject, tenant, change, version, key || '/' || run, ${at}::int8 from task
    ), letter as (
      insert into dead_letters (key, run, tenant, subject, document_hash, spec_id, schema_version, prompt_version,
        reason, failure_class, policy, tags, file_name, at, state)
      select key, run, tenant, subject, document_hash, spec_id, schema_version, prompt_version,
        reason, failure_class, policy, tags, file_name, ${at}::int8,
        case when exists (select from records r where r.key = closed.key
          and r.verification_status = 'human_verified') then 'recovered' else 'parked' end
      from closed where route = 'dead_letter' and (select count(*) from task) >= 0
      on conflict (key) do update set
        run = excluded.run, reason = excluded.reason, failure_class = excluded.failure_class,
        policy = excluded.policy, tags = excluded.tags, file_name = excluded.file_name,
        at = excluded.at, state = excluded.state
      returning key
    )
    -- A redrive that was cancelled, under whichever version, leaves the letter it was made from where it was: the
    -- subject's newest. Older ones were redriven into newer ones.
    update dead_letters d set state = 'parked'
    from closed where closed.reason = 'cancelled' and d.state = 'redriven' and d.key = (
      select key from dead_letters where subject = closed.subject order by at desc, key desc limit 1
    )`.execute(db);
}

/** An amount comes from an unverified candidate, which may hold anything: what is no amount orders no queue. */
export function storableAmount(amount: Money | null): Money | null {
  return amount !== null && amount.amount.length <= 100 && isDecimal(amount.amount) ? amount : null;
}
