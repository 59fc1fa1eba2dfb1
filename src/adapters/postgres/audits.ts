import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { AuditItem, AuditSample, AuditStore, AuditVerdict } from '../../ports/audit-store.js';
import type { ReportFilter } from '../../ports/report-store.js';
import { decodeCursor, pageRows, toPage } from './cursor.js';
import { json } from './json.js';
import { beginningWith, theOne } from './prefix.js';
import { ofReport } from './report-filter.js';
import { retried } from './retry.js';
import type { Tables } from './tables.js';

interface SampleRow {
  readonly id: string;
  readonly seed: number;
  readonly size: number;
  readonly filter: ReportFilter;
  readonly drawn_at: number;
  readonly drawn: number;
  readonly right: number;
  readonly wrong: number;
}

export function auditStore(db: Kysely<Tables>): AuditStore {
  return {
    async draw({ id, seed, size, filter, at }) {
      await retried(() =>
        sql`
          with new as (
            insert into audits (id, seed, size, filter, drawn_at)
            values (${id}, ${seed}::int8, ${size}::int4, ${json(filter)}::jsonb, ${at}::int8)
            on conflict (id) do nothing returning id
          )
          insert into audit_items (audit, place, key, run)
          select new.id, row_number() over (order by drawn.luck, drawn.key, drawn.run), drawn.key, drawn.run
          from new, lateral (
            select e.key, e.run, md5(${String(seed)} || '/' || e.key || '/' || e.run) as luck
            from extractions e
            where e.outcome = 'verified' and e.erased_at is null and ${ofReport(filter)}
            order by luck, e.key, e.run limit ${size}::int4
          ) drawn`.execute(db),
      );
      const [sample] = await samples(db, sql`a.id = ${id}`);
      if (sample === undefined) throw new Error('A sample that was drawn is not there.');
      return sample;
    },

    async find(id) {
      const found = await samples(db, beginningWith('a.id', id));
      return theOne(found, id, (sample) => sample.id);
    },

    async list({ tenant }, page) {
      const [at, id] =
        page.cursor === undefined ? [null, ''] : decodeCursor(page.cursor, ['integer', 'text']);
      const ofTenant = tenant === undefined ? sql`true` : sql`a.filter ->> 'tenant' = ${tenant}`;
      const before = at === null ? sql`true` : sql`(a.drawn_at, a.id) < (${at}::int8, ${id})`;
      const rows = await samples(
        db,
        sql`${ofTenant} and ${before} order by a.drawn_at desc, a.id desc limit ${pageRows(page.limit)}`,
      );
      return toPage(
        rows,
        page.limit,
        ({ drawnAt, id }) => [drawnAt, id],
        (sample) => sample,
      );
    },

    async items(id) {
      const { rows } = await sql<AuditItem>`
        select i.key, i.run, e.tenant, e.spec_id as "specId", e.prompt_version as "promptVersion",
          coalesce(e.attempts, 1) as attempt, e.file_name as "fileName", v.verdict, v.actor, v.at as "judgedAt"
        from audit_items i join extractions e using (key, run) left join audit_verdicts v using (key, run)
        where i.audit = ${id} order by i.place`.execute(db);
      return rows;
    },

    judge: ({ key, tenant, verdict, actor, at }) =>
      retried(async () => {
        const { rows } = await sql<{ key: string; run: number; tenant: string }>`
          select distinct on (i.key) i.key, i.run, e.tenant from audit_items i join extractions e using (key, run)
          where ${tenant === undefined ? sql`true` : sql`e.tenant = ${tenant}`}
            and ${beginningWith('i.key', key, sql`, i.run desc`)}`.execute(db);
        const drawn = theOne(rows, key, (row) => row.key);
        if (drawn === null) return { kind: rows.length > 1 ? 'ambiguous' : 'not_drawn' };
        const told = await sql<{ before: AuditVerdict | null }>`
          with stood as (select verdict from audit_verdicts where key = ${drawn.key} and run = ${drawn.run})
          insert into audit_verdicts as v (key, run, verdict, actor, at)
          values (${drawn.key}, ${drawn.run}, ${verdict}, ${actor}, ${at}::int8)
          -- The same verdict again changes nothing: who said it first keeps having said it.
          on conflict (key, run) do update set verdict = excluded.verdict,
            actor = case when v.verdict = excluded.verdict then v.actor else excluded.actor end,
            at = case when v.verdict = excluded.verdict then v.at else excluded.at end
          returning (select verdict from stood) as before`.execute(db);
        return { kind: 'judged', key: drawn.key, tenant: drawn.tenant, before: told.rows[0]?.before ?? null };
      }),
  };
}

async function samples(db: Kysely<Tables>, which: RawBuilder<unknown>): Promise<readonly AuditSample[]> {
  const { rows } = await sql<SampleRow>`
    select a.*, n.drawn, n."right", n.wrong
    from audits a cross join lateral (
      select count(*) as drawn, count(*) filter (where v.verdict = 'right') as "right",
        count(*) filter (where v.verdict = 'wrong') as wrong
      from audit_items i left join audit_verdicts v using (key, run) where i.audit = a.id
    ) n
    where ${which}`.execute(db);
  return rows.map(({ drawn_at, ...row }) => ({ ...row, drawnAt: drawn_at }));
}
