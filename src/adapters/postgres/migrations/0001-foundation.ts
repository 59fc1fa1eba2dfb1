import { type Kysely, type Migration, sql } from 'kysely';

/**
 * The tables of a run. Instants are epoch milliseconds (int8), money is numeric with its currency beside it, and
 * texts that are sorted or searched by prefix compare by bytes (collation C), so that an index serves both.
 */
export const foundation: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

/** What names a run (RunRef). */
const run = `
  key text collate "C" not null,
  run int not null,
  tenant text collate "C" not null,
  subject text collate "C" not null,
  document_hash text not null,
  spec_id text collate "C" not null,
  schema_version text not null,
  prompt_version text not null`;

const statements = [
  `create table documents (
    tenant text collate "C" not null,
    hash text collate "C" not null,
    media_type text not null,
    bytes bytea not null,
    stored_at int8 not null,
    primary key (tenant, hash)
  )`,
  // Scans and PDFs are compressed already: trying again costs time and saves nothing.
  'alter table documents alter column bytes set storage external',

  // Versions belong to spec files, which all tenants share.
  `create table spec_versions (
    spec_id text collate "C" not null,
    label text not null check (label in ('schema', 'prompt')),
    version text not null,
    hash text not null,
    first_seen_at int8 not null,
    primary key (spec_id, label, version)
  )`,

  `create table extractions (${run},
    state text not null check (state in ('open', 'closed')),
    outcome text check (outcome in ('verified', 'unverified')),
    reason text,
    failure_class text,
    diagnosis jsonb,
    route text,
    attempts int,
    policy jsonb not null,
    tags text[] not null,
    batch_id text collate "C",
    file_name text,
    provider text not null,
    started_at int8 not null,
    deadline_at int8 not null,
    closed_at int8,
    primary key (key, run),
    check ((state = 'open') = (outcome is null)),
    check ((outcome = 'unverified') = (reason is not null) or outcome is null)
  )`,
  `create unique index extractions_one_open_run on extractions (key) where state = 'open'`,
  'create index extractions_newest on extractions (started_at, key, run)',
  'create index extractions_of_tenant on extractions (tenant, started_at, key, run)',
  'create index extractions_of_spec on extractions (spec_id, started_at, key, run)',
  'create index extractions_of_reason on extractions (reason, started_at, key, run) where reason is not null',
  'create index extractions_of_batch on extractions (batch_id, started_at, key, run) where batch_id is not null',
  'create index extractions_by_tag on extractions using gin (tags)',

  `create table attempts (
    key text collate "C" not null,
    run int not null,
    attempt int not null,
    tenant text collate "C" not null,
    report jsonb not null,
    problems jsonb not null,
    contradiction jsonb,
    candidate jsonb,
    evidence jsonb not null,
    ungrounded text[] not null,
    feedback text,
    verifier_version text not null,
    at int8 not null,
    primary key (key, run, attempt),
    foreign key (key, run) references extractions
  )`,

  `create table calls (
    call_id int8 generated always as identity primary key,
    key text collate "C" not null,
    run int not null,
    attempt int not null,
    tenant text collate "C" not null,
    lane text not null,
    model text not null,
    activity_id text not null,
    state text not null check (state in ('open', 'answered', 'failed')),
    fault_class text,
    status int,
    request_id text,
    usage jsonb,
    tokens int8 not null,
    cost numeric not null,
    currency text not null,
    known boolean not null,
    started_at int8 not null,
    ended_at int8,
    foreign key (key, run) references extractions
  )`,
  'create index calls_of_run on calls (key, run, attempt, call_id)',

  // A human record and a machine's stand beside each other; which one is current is decided by the view below.
  `create table records (${run},
    source text not null check (source in ('model', 'fallback', 'best_effort', 'human')),
    verification_status text not null check (verification_status in
      ('verified', 'human_verified', 'fallback', 'best_effort', 'needs_review', 'rejected')),
    by_person int2 generated always as (case verification_status when 'human_verified' then 1 else 0 end) stored,
    record jsonb,
    evidence jsonb not null,
    ungrounded text[] not null,
    unmet jsonb not null,
    normalisations jsonb not null,
    verifier_version text not null,
    template text,
    at int8 not null,
    primary key (key, source),
    check ((source = 'human') = (verification_status in ('human_verified', 'rejected')))
  )`,
  `create index records_verified_of_subject on records (subject, by_person, at, key, source)
    where verification_status in ('verified', 'human_verified')`,
  'create index records_newest on records (at, key, source)',
  'create index records_of_tenant on records (tenant, at, key, source)',

  // One row for each subject at most: a person's record before a machine's, then the newest.
  `create view verified_records as
    select r.* from records r
    where r.verification_status in ('verified', 'human_verified') and not exists (
      select 1 from records better
      where better.verification_status in ('verified', 'human_verified') and better.subject = r.subject
        and (better.by_person, better.at, better.key, better.source) > (r.by_person, r.at, r.key, r.source)
    )`,

  `create table dead_letters (${run},
    reason text not null,
    failure_class text,
    policy jsonb not null,
    tags text[] not null,
    file_name text,
    at int8 not null,
    state text not null check (state in ('parked', 'redriven', 'recovered')),
    primary key (key)
  )`,
  'create index dead_letters_oldest on dead_letters (state, at, key)',
  'create index dead_letters_of_tenant on dead_letters (tenant, state, at, key)',
  'create index dead_letters_of_prompt on dead_letters (prompt_version, state, at, key)',
  'create index dead_letters_of_subject on dead_letters (subject)',
  `create index dead_letters_groups on dead_letters
    (spec_id, reason, failure_class, prompt_version, schema_version, at) where state = 'parked'`,

  `create table review_tasks (${run},
    state text not null check (state in ('open', 'decided', 'withdrawn')),
    reason text not null,
    failure_class text,
    best_attempt int,
    amount numeric,
    currency text,
    weight numeric generated always as (coalesce(amount, '-Infinity'::numeric)) stored,
    holder text,
    lease_expires_at int8,
    created_at int8 not null,
    due_at int8 not null,
    escalated_at int8,
    decided_at int8,
    verdict text,
    withdrawn_by text,
    primary key (subject)
  )`,
  'create index review_tasks_queue on review_tasks (state, weight desc, created_at, subject)',
  'create index review_tasks_of_key on review_tasks (key)',

  `create table review_events (
    event_id uuid primary key default gen_random_uuid(),
    number int8 generated always as identity,
    subject text collate "C" not null references review_tasks,
    tenant text collate "C" not null,
    actor text not null,
    verb text not null check (verb in ('approve', 'correct', 'reject', 'not_in_document', 'redrive')),
    "values" jsonb,
    original jsonb,
    note text,
    overrides text[] not null,
    at int8 not null,
    applied_at int8
  )`,
  'create index review_events_of_subject on review_events (subject, number)',

  `create table permits (
    key text collate "C" not null,
    run int not null,
    attempt int not null,
    spec_id text collate "C" not null,
    granted boolean not null,
    at int8 not null,
    primary key (key, run, attempt)
  )`,
  'create index permits_granted on permits (spec_id, at) where granted',

  // Locked while a permit of the spec is decided, so that two askers never count the same room.
  `create table repair_gates (spec_id text collate "C" primary key)`,

  // Primary calls by the second they started in.
  `create table traffic (
    spec_id text collate "C" not null,
    second int8 not null,
    primaries int not null,
    primary key (spec_id, second)
  )`,
];
