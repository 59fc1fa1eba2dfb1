import type { Client } from 'pg';

/** What was handed in, by whoever handed it in: no count of the product's own. */
export interface HandedIn {
  readonly tenant: string;
  /** Ids that the API answered with. */
  readonly ids: readonly string[];
  /** How many different documents these were. */
  readonly documents: number;
}

/** How every document that was handed in ended, by the newest run of its subject. */
export interface Balance {
  readonly verified: number;
  readonly cancelled: number;
  readonly open: number;
  /** Unverified ones by route. */
  readonly routes: Readonly<Record<string, number>>;
}

/** Each finding names what is wrong and where. All empty: nothing was lost, nothing is there twice, everything ended. */
export interface Audited {
  readonly lost: readonly string[];
  readonly duplicated: readonly string[];
  readonly stuck: readonly string[];
  readonly balance: Balance;
}

type Column = 'lost' | 'duplicated' | 'stuck';

/** A question whose every answer is something wrong. $1 is the tenant, $2 the ids that were handed in. */
interface Question {
  readonly column: Column;
  readonly says: string;
  readonly sql: string;
}

const newest = `(select distinct on (key) * from extractions where tenant = $1 order by key, run desc)`;

const questions: readonly Question[] = [
  {
    column: 'lost',
    says: 'was accepted and is unknown',
    sql: `select id as what from unnest($2::text[]) id
      where not exists (select from extractions e where e.key = id and e.tenant = $1)`,
  },
  {
    column: 'lost',
    says: 'has no document',
    sql: `select e.key as what from extractions e where e.tenant = $1 and not exists
      (select from documents d where d.tenant = e.tenant and d.hash = e.document_hash)`,
  },
  {
    column: 'lost',
    says: 'verified without a record',
    sql: `select e.key || '/' || e.run as what from extractions e where e.tenant = $1 and e.outcome = 'verified'
      and not exists (select from records r where r.key = e.key and r.run = e.run and r.source = 'model'
        and r.verification_status = 'verified')`,
  },
  {
    column: 'lost',
    says: 'ended unverified and went nowhere',
    sql: `select key || '/' || run as what from ${newest} e
      where outcome = 'unverified' and route is null and reason <> 'cancelled'`,
  },
  {
    column: 'lost',
    says: 'went to the dead letters and is none',
    sql: `select key || '/' || run as what from ${newest} e where route = 'dead_letter'
      and not exists (select from dead_letters d where d.key = e.key and d.run = e.run)`,
  },
  {
    column: 'lost',
    says: 'went to a person and nobody is asked',
    sql: `select key || '/' || run as what from ${newest} e where route = 'human_review'
      and not exists (select from review_tasks t where t.subject = e.subject and t.kind = 'exhausted')`,
  },
  {
    column: 'lost',
    says: 'went to a place that keeps nothing of it',
    sql: `select key || '/' || run as what from ${newest} e where route in ('fallback', 'best_effort')
      and (route = 'fallback' or exists (select from attempts a where a.key = e.key and a.run = e.run
        and a.candidate is not null and a.candidate <> 'null'))
      and not exists (select from records r where r.key = e.key and r.source = e.route)`,
  },
  {
    column: 'lost',
    says: 'ended and nobody is told',
    sql: `select e.key || '/' || e.run as what from extractions e where e.tenant = $1 and e.state = 'closed'
      and not exists (select from outbox o where o.key = e.key and o.run = e.run
        and o.type = 'extraction.' || e.outcome)`,
  },
  {
    column: 'lost',
    says: 'is announced to nobody although a webhook is there',
    sql: `select o.event_id as what from outbox o where o.tenant = $1
      and exists (select from webhook_endpoints w where w.state = 'active' and w.url is not null
        and w.tenant is null and w.created_at < o.at)
      and not exists (select from webhook_deliveries d where d.event_id = o.event_id and d.state <> 'given_up')`,
  },
  {
    column: 'duplicated',
    says: 'has more than one ending',
    sql: `select key || '/' || run as what from outbox where tenant = $1
      and type in ('extraction.verified', 'extraction.unverified') group by key, run having count(*) > 1`,
  },
  {
    column: 'duplicated',
    says: 'is announced more than once',
    sql: `select key || '/' || run || ' ' || type as what from outbox
      where tenant = $1 and type in ('extraction.routed', 'record.stored')
      group by key, run, type, route, verification_status having count(*) > 1`,
  },
  {
    column: 'duplicated',
    says: 'is an event whose id is not made of what it is about',
    sql: `select o.event_id as what from outbox o where o.tenant = $1 and not exists (
      select from (
        select null as detail where o.type in ('extraction.verified', 'extraction.unverified')
        union all select o.route where o.type = 'extraction.routed'
        union all select o.verification_status where o.type = 'record.stored'
        union all select v.event_id::text from review_events v
          where o.type = 'review.decided' and v.subject = o.subject and v.kind = 'decided'
      ) about
      where o.event_id = 'evt_' || left(encode(sha256(convert_to(
        concat_ws('/', o.type, o.key, o.run, about.detail), 'UTF8')), 'hex'), 32))`,
  },
  {
    column: 'duplicated',
    says: 'has a verified record beside an ending that says otherwise',
    sql: `select r.key || '/' || r.run as what from records r join extractions e on e.key = r.key and e.run = r.run
      where r.tenant = $1 and r.verification_status = 'verified' and e.outcome is distinct from 'verified'`,
  },
  {
    column: 'duplicated',
    says: 'has more than one current record',
    sql: `select subject as what from verified_records where tenant = $1 group by subject having count(*) > 1`,
  },
  {
    column: 'duplicated',
    says: 'is asked about more than once',
    sql: `select subject as what from review_tasks where tenant = $1 and kind = 'exhausted'
      group by subject having count(*) > 1`,
  },
  {
    column: 'duplicated',
    says: 'is decided more than once',
    sql: `select review || ' version ' || version as what from review_events
      where tenant = $1 and kind = 'decided' and applied_at is not null group by review, version having count(*) > 1`,
  },
  {
    column: 'duplicated',
    says: 'is parked more than once',
    sql: `select subject as what from dead_letters where tenant = $1 and state = 'parked'
      group by subject having count(*) > 1`,
  },
  {
    column: 'duplicated',
    says: 'is parked although it verified',
    sql: `select d.key as what from dead_letters d where d.tenant = $1 and d.state = 'parked' and exists
      (select from extractions e where e.subject = d.subject and e.outcome = 'verified')`,
  },
  {
    column: 'duplicated',
    says: 'is open twice',
    sql: `select subject as what from extractions where tenant = $1 and state = 'open'
      group by subject having count(*) > 1`,
  },
  {
    column: 'duplicated',
    says: 'was run more than once by one redrive',
    sql: `select subject || ' by ' || batch_id as what from extractions where tenant = $1 and batch_id is not null
      group by subject, batch_id having count(*) > 1`,
  },
  {
    column: 'duplicated',
    says: 'was paid for again although its answer was stored',
    sql: `select c.key || '/' || c.run || ' attempt ' || c.attempt as what
      from calls c join attempts a on a.key = c.key and a.run = c.run and a.attempt = c.attempt
      where c.tenant = $1 and c.started_at > a.at`,
  },
  {
    column: 'stuck',
    says: 'has not ended',
    sql: `select key || '/' || run as what from extractions where tenant = $1 and state = 'open'`,
  },
  {
    column: 'stuck',
    says: 'ended without a reason or an instant',
    sql: `select key || '/' || run as what from extractions where tenant = $1 and state = 'closed'
      and (closed_at is null or outcome is null or (outcome = 'unverified' and coalesce(reason, '') = ''))`,
  },
  {
    column: 'stuck',
    says: 'was taken by a redrive that never ran it',
    sql: `select d.key as what from dead_letters d where d.tenant = $1 and d.state = 'redriven' and not exists
      (select from extractions e where e.key = d.redriven_key and e.run = d.redriven_run and e.state = 'closed'
        and e.outcome = 'unverified' and e.reason <> 'cancelled')`,
  },
  {
    column: 'stuck',
    says: 'is still asked about although it verified since',
    sql: `select t.id as what from review_tasks t where t.tenant = $1 and t.state = 'open' and t.kind = 'exhausted'
      and exists (select from extractions e where e.subject = t.subject and e.outcome = 'verified'
        and e.closed_at > t.created_at)`,
  },
  {
    column: 'stuck',
    says: 'is an event that was not delivered',
    sql: `select event_id as what from webhook_deliveries where tenant = $1 and state <> 'delivered'`,
  },
];

const ending = `
  select case when state = 'open' then 'open' when outcome = 'verified' then 'verified'
    when reason = 'cancelled' then 'cancelled' else coalesce(route, 'nowhere') end as fate, count(*)::int as count
  from (select distinct on (subject) * from extractions where tenant = $1
    order by subject, started_at desc, run desc) last
  group by fate`;

/**
 * Asks the tables whether every document of a tenant ended once, and once only. Shares no query with the product, so
 * that both cannot be wrong in the same way.
 */
export async function audit(client: Pick<Client, 'query'>, handedIn: HandedIn): Promise<Audited> {
  const { tenant, ids, documents } = handedIn;
  const found: Record<Column, string[]> = { lost: [], duplicated: [], stuck: [] };
  for (const { column, says, sql } of questions) {
    const given = sql.includes('$2') ? [tenant, ids] : [tenant];
    const { rows } = await client.query<{ what: string }>(sql, given);
    found[column].push(...rows.map(({ what }) => `${what} ${says}`));
  }
  const { rows } = await client.query<{ fate: string; count: number }>(ending, [tenant]);
  const {
    verified = 0,
    cancelled = 0,
    open = 0,
    ...routes
  } = Object.fromEntries(rows.map(({ fate, count }) => [fate, count]));
  const ended = rows.reduce((sum, { count }) => sum + count, 0);
  if (ended < documents) found.lost.push(`${documents} documents were handed in, ${ended} are accounted for`);
  if (ended > documents)
    found.duplicated.push(`${documents} documents were handed in, and there are ${ended}`);
  return { ...found, balance: { verified, cancelled, open, routes } };
}
