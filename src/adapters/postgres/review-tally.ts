import { type Kysely, sql } from 'kysely';
import type { ReviewFilter, ReviewStore, ReviewTally, SampleVerdicts } from '../../ports/review-store.js';
import type { Tables } from './tables.js';
import { ofTenant } from './tenant-filter.js';

/** So many of the newest decisions say how long one takes. */
const newestDecisions = 200;

/** Counts behind the queue's summary and the audited defect rate. */
export function reviewTallyStore(db: Kysely<Tables>): Pick<ReviewStore, 'tally' | 'sampleVerdicts'> {
  return {
    async tally(filter, at, since) {
      const { rows } = await sql<ReviewTally>`
        with queue as (
          select count(*) as open,
            count(*) filter (where lease_expires_at > ${at}::int8) as held,
            count(*) filter (where due_at < ${at}::int8) as overdue,
            count(*) filter (where escalated_at is not null) as escalated,
            count(*) filter (where kind = 'sample') as samples,
            min(lease_expires_at) filter (where lease_expires_at > ${at}::int8) as "nextFreeAt"
          from review_tasks t where state = 'open' and ${ofFilter(filter)}
        ), inflow as (
          select count(*) as opened, min(e.at) as "firstOpenedAt"
          from review_events e join review_tasks t on t.id = e.review
          where e.kind in ('opened', 'reopened') and e.at >= ${since}::int8 and ${ofFilter(filter)}
        ), decided as (
          select e.review, e.actor, e.at
          from review_events e join review_tasks t on t.id = e.review
          where e.kind = 'decided' and e.applied_at is not null and ${ofFilter(filter)}
          order by e.at desc limit ${newestDecisions}
        ), pace as (
          select count(*) as decisions, coalesce(sum(d.at - claim.at), 0)::int8 as "decidingMs"
          from decided d cross join lateral (
            select c.at from review_events c
            where c.review = d.review and c.actor = d.actor and c.kind in ('claimed', 'stolen') and c.at <= d.at
            order by c.number desc limit 1
          ) claim
        )
        select * from queue, inflow, pace`.execute(db);
      const [row] = rows;
      if (row === undefined) throw new Error('Counting reviews gave no row.');
      return row;
    },

    async sampleVerdicts(filter, since) {
      const { rows } = await sql<SampleVerdicts>`
        select coalesce(t.best_attempt, 1) as attempts, count(*) as decided,
          count(*) filter (where t.verdict <> 'approve') as defects
        from review_tasks t
        where t.kind = 'sample' and t.state = 'decided' and t.decided_at >= ${since}::int8 and ${ofFilter(filter)}
        group by 1 order by 1`.execute(db);
      return rows;
    },
  };
}

function ofFilter({ tenant, specId }: Pick<ReviewFilter, 'tenant' | 'specId'>) {
  const own = ofTenant(tenant, 't.tenant');
  return specId === undefined ? own : sql`${own} and t.spec_id = ${specId}`;
}
