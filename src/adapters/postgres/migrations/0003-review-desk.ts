import { type Kysely, type Migration, sql } from 'kysely';

/**
 * Reviews in full: a trail of everything that happens to a task, a version of its question, drafts, and tasks that ask
 * about a sample of verified records beside the one that asks about an exhausted subject.
 */
export const reviewDesk: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

const statements = [
  // A subject has one open question when it is exhausted; a sampled record has one of its own, under another id.
  'alter table review_events drop constraint review_events_subject_fkey',
  'alter table review_tasks drop constraint review_tasks_pkey',
  `alter table review_tasks
    add column id text collate "C",
    add column kind text not null default 'exhausted' check (kind in ('exhausted', 'sample')),
    add column version int not null default 1,
    add column change text not null default 'opened',
    add column withdrawn_from text,
    alter column reason drop not null,
    alter column due_at drop not null,
    add check ((kind = 'exhausted') = (reason is not null)),
    add check ((kind = 'exhausted') = (due_at is not null))`,
  'update review_tasks set id = subject',
  'alter table review_tasks add primary key (id)',
  'drop index review_tasks_queue',
  'create index review_tasks_queue on review_tasks (state, weight desc, created_at, id)',
  'create index review_tasks_of_subject on review_tasks (subject)',
  'create index review_tasks_held on review_tasks (lease_expires_at) where lease_expires_at is not null',
  `create index review_tasks_samples on review_tasks (decided_at) where kind = 'sample' and state = 'decided'`,

  `alter table review_events
    add column review text collate "C" references review_tasks,
    add column kind text not null default 'decided' check (kind in ('opened', 'renewed', 'reopened', 'claimed',
      'extended', 'released', 'expired', 'stolen', 'escalated', 'decided', 'withdrawn')),
    add column version int,
    add column holder text,
    add column lease_expires_at int8,
    add column by_run text,
    alter column actor drop not null,
    alter column verb drop not null,
    alter column overrides set default '{}',
    add check ((kind = 'decided') = (verb is not null)),
    add check (kind <> 'decided' or actor is not null)`,
  'update review_events set review = subject',
  'alter table review_events alter column review set not null, alter column kind drop default',
  'create index review_events_of_review on review_events (review, number)',
  'create index review_events_by_kind on review_events (kind, at)',

  `create table review_drafts (
    review text collate "C" not null references review_tasks,
    holder text not null,
    version int not null,
    "values" jsonb,
    note text,
    at int8 not null,
    primary key (review, holder)
  )`,

  // A person found it wrong although it verified: no data any more, but what the run came to.
  'alter table records add column refuted_at int8',
  'drop index records_verified_of_subject',
  `create index records_verified_of_subject on records (subject, by_person, at, key, source)
    where verification_status in ('verified', 'human_verified') and refuted_at is null`,
  `create or replace view verified_records as
    select r.* from records r
    where r.verification_status in ('verified', 'human_verified') and r.refuted_at is null and not exists (
      select 1 from records better
      where better.verification_status in ('verified', 'human_verified') and better.refuted_at is null
        and better.subject = r.subject
        and (better.by_person, better.at, better.key, better.source) > (r.by_person, r.at, r.key, r.source)
    )`,

  // A subject may have several tasks now: what is announced is the decision's own.
  `create or replace function announce_decision() returns trigger language plpgsql as $$
  begin
    perform announce('review.decided', t.key, t.run, new.event_id::text, case when new.verb <> 'redrive' then
      (select r.verification_status from records r where r.key = t.key and r.source = 'human') end, new.applied_at)
    from review_tasks t where t.id = new.review;
    return null;
  end $$`,
];
