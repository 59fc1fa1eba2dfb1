import { type Kysely, type Migration, sql } from 'kysely';

/**
 * What is announced to webhooks, to whom, and what became of it.
 *
 * Announcements are written by triggers: whichever statement ends a run, keeps a record or carries out a decision,
 * its event and the deliveries of that event commit with it or not at all.
 */
export const webhooks: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

const statements = [
  `create table outbox (
    event_id text collate "C" primary key,
    type text not null check (type in
      ('extraction.verified', 'extraction.unverified', 'extraction.routed', 'record.stored', 'review.decided')),
    key text collate "C" not null,
    run int not null,
    tenant text collate "C" not null,
    subject text collate "C" not null,
    spec_id text collate "C" not null,
    outcome text not null,
    reason text,
    route text,
    verification_status text,
    at int8 not null
  )`,
  'create index outbox_oldest on outbox (at, event_id)',

  // An endpoint without a URL signs what goes to URLs that submissions name. Rows stay: deliveries refer to them.
  `create table webhook_endpoints (
    endpoint_id text collate "C" primary key default replace(gen_random_uuid()::text, '-', ''),
    tenant text collate "C",
    url text,
    state text not null default 'active' check (state in ('active', 'disabled', 'removed')),
    created_at int8 not null,
    ended_at int8,
    check ((state = 'active') = (ended_at is null))
  )`,
  `create unique index webhook_endpoints_active on webhook_endpoints (coalesce(tenant, ''), coalesce(url, ''))
    where state = 'active'`,

  // Signing needs them as they are, so they are no hashes. One that expires is being rotated out.
  `create table webhook_secrets (
    endpoint_id text collate "C" not null references webhook_endpoints,
    secret text not null,
    created_at int8 not null,
    expires_at int8,
    primary key (endpoint_id, secret)
  )`,
  `create unique index webhook_secrets_current on webhook_secrets (endpoint_id) where expires_at is null`,

  `create table webhook_subjects (
    subject text collate "C" not null,
    url text not null,
    tenant text collate "C" not null,
    at int8 not null,
    primary key (subject, url)
  )`,
  'create index webhook_subjects_of_url on webhook_subjects (tenant, url)',

  `create table webhook_deliveries (
    delivery_id text collate "C" primary key default replace(gen_random_uuid()::text, '-', ''),
    event_id text collate "C" not null references outbox on delete cascade,
    endpoint_id text collate "C" not null references webhook_endpoints,
    tenant text collate "C" not null,
    url text not null,
    state text not null default 'pending' check (state in ('pending', 'delivered', 'given_up', 'dropped')),
    tries int not null default 0,
    failures int not null default 0,
    created_at int8 not null,
    first_try_at int8,
    due_at int8,
    ended_at int8,
    unique (event_id, endpoint_id, url),
    check ((state = 'pending') = (due_at is not null)),
    check ((state = 'pending') = (ended_at is null))
  )`,
  `create index webhook_deliveries_due on webhook_deliveries (endpoint_id, due_at) where state = 'pending'`,
  'create index webhook_deliveries_newest on webhook_deliveries (created_at, delivery_id)',
  'create index webhook_deliveries_of_tenant on webhook_deliveries (tenant, created_at, delivery_id)',
  `create index webhook_deliveries_failed on webhook_deliveries (created_at, delivery_id)
    where state = 'given_up' or (state = 'pending' and failures > 0)`,

  `create table webhook_tries (
    delivery_id text collate "C" not null references webhook_deliveries on delete cascade,
    number int not null,
    at int8 not null,
    duration_ms int not null,
    status int,
    error text,
    primary key (delivery_id, number)
  )`,

  // The id is made of what is announced, so that the same thing is announced once, and under one id for ever.
  `create function announce(event_type text, run_key text, run_number int, detail text, status text, event_at int8)
  returns void language sql as $$
    insert into outbox (event_id, type, key, run, tenant, subject, spec_id, outcome, reason, route,
      verification_status, at)
    select 'evt_' || left(encode(sha256(convert_to(concat_ws('/', event_type, run_key, run_number, detail), 'UTF8')),
      'hex'), 32), event_type, e.key, e.run, e.tenant, e.subject, e.spec_id, e.outcome, e.reason, e.route, status,
      event_at
    from extractions e where e.key = run_key and e.run = run_number and e.outcome is not null
    on conflict (event_id) do nothing
  $$`,

  // A route that moves on keeps no instant of its own, so the event carries that of the run's end.
  `create function announce_run() returns trigger language plpgsql as $$
  begin
    if old.state = 'closed' then
      perform announce('extraction.routed', new.key, new.run, new.route, null, new.closed_at);
    elsif new.outcome = 'verified' then
      perform announce('extraction.verified', new.key, new.run, null, (select verification_status from records
        where key = new.key and run = new.run and source = 'model'), new.closed_at);
    else
      perform announce('extraction.unverified', new.key, new.run, null, null, new.closed_at);
    end if;
    return null;
  end $$`,
  `create trigger announce_run after update of state, route on extractions for each row
    when (new.state = 'closed' and (old.state = 'open' or new.route is distinct from old.route))
    execute function announce_run()`,

  `create function announce_record() returns trigger language plpgsql as $$
  begin
    perform announce('record.stored', new.key, new.run, new.verification_status, new.verification_status, new.at);
    return null;
  end $$`,
  `create trigger announce_record after insert on records for each row
    when (new.verification_status in ('fallback', 'best_effort', 'needs_review'))
    execute function announce_record()`,
  `create trigger announce_later_record after update on records for each row
    when (new.verification_status in ('fallback', 'best_effort', 'needs_review')
      and (new.run, new.verification_status) is distinct from (old.run, old.verification_status))
    execute function announce_record()`,

  // A rejection never replaces what a person vouched for before, so the status is the one that the record has.
  `create function announce_decision() returns trigger language plpgsql as $$
  begin
    perform announce('review.decided', t.key, t.run, new.event_id::text, case when new.verb <> 'redrive' then
      (select r.verification_status from records r where r.key = t.key and r.source = 'human') end, new.applied_at)
    from review_tasks t where t.subject = new.subject;
    return null;
  end $$`,
  `create trigger announce_decision after update of applied_at on review_events for each row
    when (old.applied_at is null and new.applied_at is not null)
    execute function announce_decision()`,

  // A URL that an endpoint is told at anyway is not told twice.
  `create function address_event() returns trigger language plpgsql as $$
  begin
    insert into webhook_deliveries (event_id, endpoint_id, tenant, url, created_at, due_at)
    select new.event_id, e.endpoint_id, new.tenant, e.url, new.at, new.at
    from webhook_endpoints e
    where e.state = 'active' and e.url is not null and (e.tenant is null or e.tenant = new.tenant)
    union all
    select new.event_id, signer.endpoint_id, new.tenant, s.url, new.at, new.at
    from webhook_subjects s
    cross join lateral (
      select endpoint_id from webhook_endpoints
      where state = 'active' and url is null and (tenant is null or tenant = new.tenant)
      order by tenant nulls last limit 1
    ) signer
    where s.subject = new.subject and not exists (
      select from webhook_endpoints e
      where e.state = 'active' and e.url = s.url and (e.tenant is null or e.tenant = new.tenant)
    );
    return null;
  end $$`,
  `create trigger address_event after insert on outbox for each row execute function address_event()`,

  `create function call_dispatchers() returns trigger language plpgsql as $$
  begin
    if exists (select from added) then perform pg_notify('endstop_webhooks', ''); end if;
    return null;
  end $$`,
  `create trigger call_dispatchers after insert on webhook_deliveries referencing new table as added
    for each statement execute function call_dispatchers()`,
];
