import { type Kysely, type Selectable, type SelectQueryBuilder, sql } from 'kysely';
import type { Money } from '../../domain/money.js';
import type { Reason } from '../../domain/reason.js';
import { routeNames } from '../../domain/route.js';
import type { Extraction, ExtractionStore, NewExtraction, Opening } from '../../ports/extraction-store.js';
import type { RequestKey } from '../../ports/idempotency-store.js';
import type { Page, PageRequest } from '../../ports/page.js';
import { TenantFull } from '../../ports/tenant-store.js';
import { decodeCursor, pageRows, toPage } from './cursor.js';
import { type ExtractionRow, toExtraction, withSums } from './extraction-rows.js';
import { json } from './json.js';
import { land } from './landing.js';
import { beginningWith, theOne } from './prefix.js';
import { pulse } from './pulse.js';
import { fromRunRef } from './run-columns.js';
import type { Tables } from './tables.js';
import { ofTenant } from './tenant-filter.js';

type Runs = SelectQueryBuilder<Tables, 'extractions', Selectable<Tables['extractions']>>;

export function extractionStore(db: Kysely<Tables>, zeroCost: Money): ExtractionStore {
  /** One page of the matching runs. */
  const newestFirst = async (runs: Runs, page: PageRequest): Promise<Page<Extraction>> => {
    let matching = runs;
    if (page.cursor !== undefined) {
      const [at, key, run] = decodeCursor(page.cursor, ['integer', 'text', 'integer']);
      matching = matching.where(sql<boolean>`(started_at, key, run) < (${at}::int8, ${key}, ${run}::int8)`);
    }
    const cut = matching
      .orderBy('started_at', 'desc')
      .orderBy('key', 'desc')
      .orderBy('run', 'desc')
      .limit(pageRows(page.limit));
    const { rows } = await withSums(cut).execute(db);
    return toPage(rows, page.limit, sortKey, (row) => toExtraction(row, zeroCost));
  };

  return {
    open: (extraction, redrive, once, mostOpen = null) =>
      mostOpen === null
        ? openRun(db, extraction, redrive, zeroCost, once)
        : openWithin(db, extraction, redrive, mostOpen, zeroCost, once),

    async find(key, run) {
      const ofRun = run === undefined ? sql`true` : sql`run = ${run}`;
      const { rows } = await withSums(
        sql`(select distinct on (key) * from extractions
          where ${ofRun} and ${beginningWith('key', key, sql`, run desc`)})`,
      ).execute(db);
      const row = theOne(rows, key, (candidate) => candidate.key);
      return row === null ? null : toExtraction(row, zeroCost);
    },

    async fileNames(keys) {
      const rows = await db
        .selectFrom('extractions')
        .distinctOn('key')
        .select(['key', 'file_name'])
        .where('key', 'in', [...new Set(keys), ''])
        .orderBy('key')
        .orderBy('run', 'desc')
        .execute();
      return new Map(rows.map(({ key, file_name }) => [key, file_name]));
    },

    async list(filter, page) {
      let runs = db.selectFrom('extractions').selectAll();
      if (filter.tenant !== undefined || !filter.withEvaluations) runs = runs.where(ofTenant(filter.tenant));
      if (filter.state !== undefined) runs = runs.where('state', '=', filter.state);
      if (filter.outcome !== undefined) runs = runs.where('outcome', '=', filter.outcome);
      if (filter.reason !== undefined) runs = runs.where('reason', '=', filter.reason);
      if (filter.failureClass !== undefined) runs = runs.where('failure_class', '=', filter.failureClass);
      if (filter.route !== undefined) runs = runs.where('route', '=', filter.route);
      if (filter.specId !== undefined) runs = runs.where('spec_id', '=', filter.specId);
      if (filter.promptVersion !== undefined) runs = runs.where('prompt_version', '=', filter.promptVersion);
      if (filter.batchId !== undefined) runs = runs.where('batch_id', '=', filter.batchId);
      if (filter.tag !== undefined) runs = runs.where(sql<boolean>`tags @> ${[filter.tag]}::text[]`);
      if (filter.file !== undefined) runs = runs.where(named(filter.file));
      const { attemptsFrom, attemptsTo } = filter;
      // Of one number, the index has them in the order that is asked for.
      if (attemptsFrom !== undefined && attemptsFrom === attemptsTo) {
        runs = runs.where('attempts', '=', attemptsFrom);
      } else {
        if (attemptsFrom !== undefined) runs = runs.where('attempts', '>=', attemptsFrom);
        if (attemptsTo !== undefined) runs = runs.where('attempts', '<=', attemptsTo);
      }
      if (filter.startedFrom !== undefined) runs = runs.where('started_at', '>=', filter.startedFrom);
      if (filter.startedBefore !== undefined) runs = runs.where('started_at', '<', filter.startedBefore);
      return await newestFirst(runs, page);
    },

    async oldestOpen({ tenant, specId, promptVersion }, limit) {
      let runs = db.selectFrom('extractions').selectAll().where('state', '=', 'open');
      runs = runs.where(ofTenant(tenant));
      if (specId !== undefined) runs = runs.where('spec_id', '=', specId);
      if (promptVersion !== undefined) runs = runs.where('prompt_version', '=', promptVersion);
      const oldest = runs.orderBy('started_at').orderBy('key').orderBy('run').limit(limit);
      const { rows } = await withSums(oldest).execute(db);
      return rows.map((row) => toExtraction(row, zeroCost)).reverse();
    },

    async unkept({ from, before }, page) {
      const runs = db
        .selectFrom('extractions')
        .selectAll()
        .where('route', 'in', ['fallback', 'best_effort'])
        .where('erased_at', 'is', null)
        .where('closed_at', '>=', from)
        .where('closed_at', '<', before)
        .where(
          sql<boolean>`not exists (select from records r
            where r.key = extractions.key and r.source = extractions.route and r.run >= extractions.run)
          and not exists (select from extractions later
            where later.key = extractions.key and later.run > extractions.run)
          and not exists (select from records better
            where better.subject = extractions.subject and better.refuted_at is null
              and better.verification_status in ('verified', 'human_verified'))`,
        );
      return await newestFirst(runs, page);
    },

    async strayed(page) {
      const runs = db
        .selectFrom('extractions')
        .selectAll()
        .where('outcome', '=', 'unverified')
        .where('route', 'not in', [...routeNames])
        .where('erased_at', 'is', null);
      return await newestFirst(runs, page);
    },

    pulse: (tenant) => pulse(db, tenant),

    async tally(batchId) {
      const rows = await db
        .selectFrom('extractions')
        .where('batch_id', '=', batchId)
        .groupBy(['state', 'outcome', 'reason'])
        .select(['state', 'outcome', 'reason', sql<number>`count(*)`.as('count')])
        .execute();
      const unverified: Partial<Record<Reason, number>> = {};
      for (const { reason, count } of rows) if (reason !== null) unverified[reason as Reason] = count;
      const countOf = (matches: (row: (typeof rows)[number]) => boolean) => rows.find(matches)?.count ?? 0;
      return {
        open: countOf(({ state }) => state === 'open'),
        verified: countOf(({ outcome }) => outcome === 'verified'),
        unverified,
      };
    },

    land: (landing) => land(db, landing, zeroCost),
  };
}

/** As the index compares names: their letters small, by bytes. */
function named(beginning: string) {
  const small = sql`lower(file_name) collate "C"`;
  return sql<boolean>`${small} >= lower(${beginning}) and ${small} < lower(${beginning}) || ${'\u{10FFFF}'}`;
}

const sortKey = (row: ExtractionRow) => [row.started_at, row.key, row.run];

/** Whoever opens runs of the same tenant waits for the others here, so that none counts the same room twice. */
async function openWithin(
  db: Kysely<Tables>,
  extraction: NewExtraction,
  redrive: boolean,
  mostOpen: number,
  zeroCost: Money,
  once?: RequestKey,
): Promise<Opening> {
  const { tenant } = extraction;
  return await db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`endstop open ${tenant}`}, 0))`.execute(
      transaction,
    );
    const opening = await openRun(transaction, extraction, redrive, zeroCost, once);
    if (opening.kind !== 'opened') return opening;
    const { rows } = await sql<{ open: number }>`
      select count(*) as open from extractions where tenant = ${tenant} and state = 'open'`.execute(
      transaction,
    );
    // The one that was just opened is among them; throwing takes it back.
    if ((rows[0]?.open ?? 0) > mostOpen) throw new TenantFull();
    return opening;
  });
}

/** Opens a run, also as a part of a transaction that `db` is in. */
export async function openRun(
  db: Kysely<Tables>,
  extraction: NewExtraction,
  redrive: boolean,
  zeroCost: Money,
  once?: RequestKey,
): Promise<Opening> {
  // Whoever loses the race for the new row sees the winner's on the second look.
  for (let look = 1; look <= 5; look += 1) {
    const opening = await tryOpen(db, extraction, redrive, zeroCost, once);
    if (opening !== null) return opening;
  }
  throw new Error(`Run of ${extraction.key} neither opened nor found.`);
}

/** One statement. Null when another caller opened the key's run meanwhile, too late for this statement to see it. */
async function tryOpen(
  db: Kysely<Tables>,
  extraction: NewExtraction,
  redrive: boolean,
  zeroCost: Money,
  once: RequestKey | undefined,
): Promise<Opening | null> {
  const run = fromRunRef({ ...extraction, run: 0 });
  const { key } = extraction;
  const { rows } = await sql<ExtractionRow & { opened: boolean }>`
    with latest as materialized (
      select * from extractions where key = ${key} order by run desc limit 1
    ), free as (
      select where not exists (select from latest where state = 'open'
          or (erased_at is null and (outcome = 'verified' or not ${redrive}::boolean)))
        and not exists (select from records
          where key = ${key} and verification_status in ('verified', 'human_verified'))
    ), opened as (
      insert into extractions (key, run, tenant, subject, document_hash, spec_id, schema_version, prompt_version,
        state, policy, tags, batch_id, file_name, started_at, deadline_at)
      select ${key}, coalesce((select run from latest), 0) + 1, ${run.tenant}, ${run.subject}, ${run.document_hash},
        ${run.spec_id}, ${run.schema_version}, ${run.prompt_version}, 'open', ${json(extraction.policy)}::jsonb,
        ${[...extraction.tags]}::text[], ${extraction.batchId}, ${extraction.fileName},
        ${extraction.at}::int8, ${extraction.at + extraction.policy.deadlineMs}::int8
      from free
      on conflict do nothing
      returning *
    ), chosen as (
      select *, true as opened from opened
      union all
      select *, false as opened from latest where not exists (select from free)
    ), answered as (
      update idempotency_keys i set locked_until = null, answer = jsonb_build_object('key', chosen.key, 'run', chosen.run,
        'kind', case when chosen.opened then 'opened' when chosen.state = 'open' then 'running' else 'closed' end)
      from chosen
      where i.scope = ${once?.scope ?? null} and i.key = ${once?.key ?? null} and i.locked_until is not null
    )
    ${withSums(sql.table('chosen'))}`.execute(db);
  const row = rows[0];
  if (row === undefined) return null;
  const kind = row.opened ? 'opened' : row.state === 'open' ? 'running' : 'closed';
  return { kind, extraction: toExtraction(row, zeroCost) };
}
