import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { AttemptVerdicts, ReportExtent, ReportStore } from '../../ports/report-store.js';
import { ofReport } from './report-filter.js';
import { type RunRow, toDocument } from './report-rows.js';
import { streamed } from './stream.js';
import type { Tables } from './tables.js';

/**
 * What reports are made of. Measuring is not done here: rows go by one after the other, so that each number has one
 * definition, and a year of them needs no more memory than a day.
 */
export function reportStore(db: Kysely<Tables>): ReportStore {
  return {
    async extent(filter) {
      const { rows } = await sql<ReportExtent>`
        select count(distinct e.key) as documents, count(*) as runs, min(e.started_at) as "firstAt",
          max(e.started_at) as "lastAt", coalesce(array_agg(distinct e.spec_id), '{}') as "specIds"
        from extractions e where ${ofReport(filter)}`.execute(db);
      const [row] = rows;
      if (row === undefined) throw new Error('Counting runs gave no row.');
      return { ...row, specIds: row.specIds.filter((id) => id !== null) };
    },

    async *runs(filter) {
      const query = sql<RunRow>`${runsOf(sql`extractions e`)} where ${ofReport(filter)}
        order by e.started_at, e.key, e.run`;
      for await (const rows of streamed(db, query)) yield rows.map(toDocument);
    },

    async verdicts(filter) {
      const { rows } = await sql<AttemptVerdicts>`
        with judged as (
          select key, run, verdict = 'wrong' as wrong from audit_verdicts
          union all
          select t.key, t.run, t.verdict <> 'approve' from review_tasks t
          where t.kind = 'sample' and t.state = 'decided'
            and not exists (select from audit_verdicts v where v.key = t.key and v.run = t.run)
        )
        select e.spec_id as "specId", coalesce(e.attempts, 1) as attempt, count(*) as decided,
          count(*) filter (where wrong) as defects
        from judged join extractions e using (key, run)
        where e.outcome = 'verified' and ${ofReport(filter)}
        group by 1, 2 order by 1, 2`.execute(db);
      return rows;
    },
  };
}

/**
 * What a report says of each row `e` of a source. Attempts and calls are looked up run by run along their keys: nothing is
 * sorted, and the first rows come at once.
 */
export function runsOf(source: RawBuilder<unknown>): RawBuilder<RunRow> {
  return sql`
    select e.spec_id, e.started_at, e.closed_at, e.deadline_at, (e.policy -> 'attemptCap')::int4 as attempt_cap,
      e.outcome, e.reason, e.route, a.attempts, c.calls
    from ${source}
    cross join lateral (
      select jsonb_agg(jsonb_build_array(x.attempt, r.result -> 'kind', r.result -> 'failureClass',
        jsonb_path_query_array(r.result, '$.problems[*].rule'), x.at, x.report -> 'durationMs', x.report -> 'tokens',
        x.report -> 'cost', x.report -> 'maxTokens', x.report -> 'usage') order by x.attempt) as attempts
      from attempts x cross join lateral (select x.report -> 'result' as result) r
      where x.key = e.key and x.run = e.run
    ) a
    cross join lateral (
      select jsonb_agg(jsonb_build_array(n.attempt, n.began, n.busy, n.calls, n.failed, n.tokens, n.cost::text,
        n.currency, n.on_wire_since, n.on_wire) order by n.attempt) as calls
      from (
        select attempt, min(started_at) as began, coalesce(sum(ended_at - started_at), 0) as busy,
          count(*) as calls, count(*) filter (where state = 'failed') as failed, sum(tokens) as tokens,
          sum(cost) as cost, max(currency) as currency,
          (array_agg(case when ended_at is null then started_at end order by call_id desc))[1] as on_wire_since,
          coalesce(jsonb_agg(jsonb_build_array(started_at, ended_at) order by call_id)
            filter (where ended_at is not null), '[]') as on_wire
        from calls where key = e.key and run = e.run group by attempt
      ) n
    ) c`;
}
