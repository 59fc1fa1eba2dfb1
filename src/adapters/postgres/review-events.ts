import { type Kysely, type Selectable, sql } from 'kysely';
import type { StoredJson } from '../../ports/attempt-store.js';
import type { ReviewEvent, ReviewStore, ReviewVerb } from '../../ports/review-store.js';
import type { Problem } from '../../verification/problem.js';
import { json, jsonOrNull } from './json.js';
import { retried } from './retry.js';
import type { ReviewEventColumns, Tables } from './tables.js';

/** What people said, append-only, and carrying it out. */
export function reviewEventStore(
  db: Kysely<Tables>,
): Pick<ReviewStore, 'addEvent' | 'event' | 'events' | 'apply'> {
  return {
    async addEvent(event) {
      const { rows } = await sql<{ event_id: string }>`
        insert into review_events (subject, tenant, actor, verb, "values", original, note, overrides, at)
        select t.subject, t.tenant, ${event.actor}, ${event.verb}, ${jsonOrNull(event.values)}::jsonb, a.candidate,
          ${event.note}, ${[...event.overrides]}::text[], ${event.at}::int8
        from review_tasks t
        left join attempts a on a.key = t.key and a.run = t.run and a.attempt = t.best_attempt
        where t.subject = ${event.subject}
        returning event_id`.execute(db);
      const row = rows[0];
      if (row === undefined) throw new Error(`There is no review task for subject ${event.subject}.`);
      return row.event_id;
    },

    async event(eventId) {
      const row = await findEvent(db, eventId);
      return row === undefined ? null : toEvent(row);
    },

    async events(subject) {
      const rows = await db
        .selectFrom('review_events')
        .selectAll()
        .where('subject', '=', subject)
        .orderBy('number')
        .execute();
      return rows.map(toEvent);
    },

    async apply(eventId, unmet, verifierVersion, at) {
      const event = await findEvent(db, eventId);
      if (event === undefined) throw new Error(`There is no review event ${eventId}.`);
      if (await retried(() => carryOut(db, eventId, unmet, verifierVersion, at))) return true;
      return (await findEvent(db, eventId))?.applied_at !== null;
    },
  };
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** An id of another shape is merely not found. */
async function findEvent(
  db: Kysely<Tables>,
  eventId: string,
): Promise<Selectable<ReviewEventColumns> | undefined> {
  if (!uuid.test(eventId)) return undefined;
  return db.selectFrom('review_events').selectAll().where('event_id', '=', eventId).executeTakeFirst();
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
        lease_expires_at = null
      from review_events e
      where e.event_id = ${eventId} and e.applied_at is null and t.subject = e.subject and t.state = 'open'
      returning t.*, e."values"
    ), applied as (
      update review_events set applied_at = ${at}::int8
      where event_id = ${eventId} and exists (select from decided)
      returning event_id
    ), closed as (
      update dead_letters d set state = 'recovered'
      from decided
      where d.subject = decided.subject and d.state <> 'recovered' and decided.verdict <> 'redrive'
      returning d.key
    ), recorded as (
      insert into records (key, run, tenant, subject, document_hash, spec_id, schema_version, prompt_version, source,
        verification_status, record, evidence, ungrounded, unmet, normalisations, verifier_version, at)
      select key, run, tenant, subject, document_hash, spec_id, schema_version, prompt_version, 'human',
        case when verdict in ('approve', 'correct') then 'human_verified' else 'rejected' end,
        "values", '[]'::jsonb, '{}'::text[], ${json(unmet)}::jsonb, '[]'::jsonb, ${verifierVersion}, ${at}::int8
      from decided where verdict <> 'redrive' and (select count(*) from closed) >= 0
      on conflict (key, source) do update set
        run = excluded.run, verification_status = excluded.verification_status, record = excluded.record,
        unmet = excluded.unmet, verifier_version = excluded.verifier_version, at = excluded.at
      -- What a person vouched for is never overwritten; a rejection gives way to a later decision.
      where records.verification_status <> 'human_verified'
    )
    select event_id from applied`.execute(db);
  return rows.length === 1;
}

function toEvent(row: Selectable<ReviewEventColumns>): ReviewEvent {
  return {
    eventId: row.event_id,
    subject: row.subject,
    actor: row.actor,
    verb: row.verb as ReviewVerb,
    values: row.values as StoredJson,
    original: row.original as StoredJson,
    note: row.note,
    overrides: row.overrides,
    at: row.at,
  };
}
