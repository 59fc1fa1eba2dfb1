import { type Kysely, type Selectable, sql } from 'kysely';
import type { ReviewStore } from '../../ports/review-store.js';
import type { Problem } from '../../verification/problem.js';
import { json, jsonOrNull } from './json.js';
import { retried } from './retry.js';
import { toDecision, toStep, toTask } from './review-rows.js';
import type { ReviewEventColumns } from './tables/reviews.js';
import type { Tables } from './tables.js';

/** What people decided, and carrying it out; and the trail, of which decisions are a part. */
export function reviewDecisionStore(
  db: Kysely<Tables>,
): Pick<ReviewStore, 'addDecision' | 'decision' | 'steps' | 'apply'> {
  return {
    async addDecision(decision) {
      const { reviewId, actor, version, at } = decision;
      const { rows } = await sql<{ event_id: string }>`
        insert into review_events (review, subject, tenant, kind, actor, verb, "values", original, note, overrides,
          version, at)
        select t.id, t.subject, t.tenant, 'decided', ${actor}, ${decision.verb}, ${jsonOrNull(decision.values)}::jsonb,
          a.candidate, ${decision.note}, ${[...decision.overrides]}::text[], t.version, ${at}::int8
        from review_tasks t
        left join attempts a on a.key = t.key and a.run = t.run and a.attempt = t.best_attempt
        where t.id = ${reviewId} and t.state = 'open' and t.version = ${version}::int4
          and (t.holder is null or t.holder = ${actor} or t.lease_expires_at <= ${at}::int8)
        -- An erasure comes before this or sees the values.
        for share of t
        returning event_id`.execute(db);
      const added = rows[0];
      if (added !== undefined) return { kind: 'asked', eventId: added.event_id };
      const row = await db
        .selectFrom('review_tasks')
        .selectAll()
        .where('id', '=', reviewId)
        .executeTakeFirst();
      if (row === undefined) return null;
      if (row.state !== 'open') return { kind: 'not_open', task: toTask(row) };
      return { kind: row.version === version ? 'held' : 'changed', task: toTask(row) };
    },

    async decision(eventId) {
      const row = await findDecision(db, eventId);
      return row === undefined ? null : toDecision(row);
    },

    async steps(id) {
      const rows = await db
        .selectFrom('review_events')
        .selectAll()
        .where('review', '=', id)
        .orderBy('number')
        .execute();
      return rows.map(toStep);
    },

    async apply(eventId, unmet, verifierVersion, at) {
      const event = await findDecision(db, eventId);
      if (event === undefined) throw new Error(`There is no review decision ${eventId}.`);
      if (await retried(() => carryOut(db, eventId, unmet, verifierVersion, at))) return 'applied';
      if ((await findDecision(db, eventId))?.applied_at !== null) return 'applied';
      const task = await db
        .selectFrom('review_tasks')
        .select('state')
        .where('id', '=', event.review)
        .executeTakeFirst();
      return task?.state === 'open' ? 'changed' : 'not_open';
    },
  };
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** An id of another shape is merely not found. */
async function findDecision(
  db: Kysely<Tables>,
  eventId: string,
): Promise<Selectable<ReviewEventColumns> | undefined> {
  if (!uuid.test(eventId)) return undefined;
  return db
    .selectFrom('review_events')
    .selectAll()
    .where('event_id', '=', eventId)
    .where('kind', '=', 'decided')
    .executeTakeFirst();
}

/** One statement; rows are taken in the order that landing.ts names: task, dead letters, record. */
async function carryOut(
  db: Kysely<Tables>,
  eventId: string,
  unmet: readonly Problem[],
  verifierVersion: string,
  at: number,
): Promise<boolean> {
  const { rows } = await sql`
    with decided as (
      update review_tasks t set state = 'decided', verdict = e.verb, decided_at = ${at}::int8, holder = null,
        lease_expires_at = null, version = t.version + 1
      from review_events e
      where e.event_id = ${eventId} and e.applied_at is null and t.id = e.review and t.state = 'open'
        and t.version = coalesce(e.version, t.version)
      returning t.*, e."values", e.actor
    ), applied as (
      update review_events set applied_at = ${at}::int8, version = decided.version
      from decided where event_id = ${eventId}
      returning event_id
    ), finished as (
      delete from review_drafts d using decided where d.review = decided.id and d.holder = decided.actor
    ), closed as (
      update dead_letters d set state = 'recovered'
      from decided
      where d.subject = decided.subject and d.state <> 'recovered' and decided.verdict <> 'redrive'
        and decided.kind = 'exhausted'
      returning d.key
    ), parked as (
      -- Whoever asked for another run may never start it: until then the run lies where runs are found.
      insert into dead_letters (key, run, tenant, subject, document_hash, spec_id, schema_version, prompt_version,
        reason, failure_class, policy, tags, file_name, at, state)
      select e.key, e.run, e.tenant, e.subject, e.document_hash, e.spec_id, e.schema_version, e.prompt_version,
        e.reason, e.failure_class, e.policy, e.tags, e.file_name, ${at}::int8, 'parked'
      from decided join extractions e on e.key = decided.key and e.run = decided.run
      where decided.verdict = 'redrive' and (select count(*) from closed) >= 0
      on conflict (key) do update set
        run = excluded.run, reason = excluded.reason, failure_class = excluded.failure_class,
        policy = excluded.policy, tags = excluded.tags, file_name = excluded.file_name,
        at = excluded.at, state = excluded.state
      returning key
    ), refuted as (
      -- The record itself stays as it was; it is no data any more.
      update records r set refuted_at = ${at}::int8
      from decided
      where decided.kind = 'sample' and decided.verdict <> 'approve' and r.key = decided.key and r.source = 'model'
      returning r.key
    ), recorded as (
      insert into records (key, run, tenant, subject, document_hash, spec_id, schema_version, prompt_version, source,
        verification_status, record, evidence, ungrounded, unmet, normalisations, verifier_version, at)
      select key, run, tenant, subject, document_hash, spec_id, schema_version, prompt_version, 'human',
        case when verdict in ('approve', 'correct') then 'human_verified' else 'rejected' end,
        "values", '[]'::jsonb, '{}'::text[], ${json(unmet)}::jsonb, '[]'::jsonb, ${verifierVersion}, ${at}::int8
      from decided
      where verdict <> 'redrive' and not (kind = 'sample' and verdict = 'approve')
        and (select count(*) from closed) + (select count(*) from parked) + (select count(*) from refuted) >= 0
      on conflict (key, source) do update set
        run = excluded.run, verification_status = excluded.verification_status, record = excluded.record,
        unmet = excluded.unmet, verifier_version = excluded.verifier_version, at = excluded.at
      -- What a person vouched for is never overwritten; a rejection gives way to a later decision.
      where records.verification_status <> 'human_verified'
    )
    select event_id from applied`.execute(db);
  return rows.length === 1;
}
