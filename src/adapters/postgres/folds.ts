import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { type FoldSelection, type FoldStore, foldedMs, summedMs } from '../../ports/fold-store.js';
import type { DocumentRow } from '../../reports/rows.js';
import { ofReport } from './report-filter.js';
import { type RunRow, toDocument } from './report-rows.js';
import { runsOf } from './reports.js';
import { inSnapshot, streamedIn } from './stream.js';
import type { Tables } from './tables.js';

const hoursOfDay = summedMs / foldedMs;

/** Folds of hours and days. What forgets them is in the migrations 0019 and 0021, with the lock that both sides take. */
export function foldStore(db: Kysely<Tables>): FoldStore {
  return {
    read: (selection, since) =>
      inSnapshot(db, async function* (transaction) {
        const { rows } = await sql<{ from: number; until: number; fold: string }>`
          select f.day as from, f.day + ${summedMs}::int8 as until, f.fold from day_folds f
          where ${ofSelection(selection)} and f.day >= ${wholeFrom(since, summedMs)}::int8
          union all
          select f.hour, f.hour + ${foldedMs}::int8, f.fold from hour_folds f
          where ${ofSelection(selection)} and f.hour >= ${wholeFrom(since, foldedMs)}::int8
            and f.hour - f.hour % ${summedMs}::int8 not in (select f.day from day_folds f
              where ${ofSelection(selection)} and f.day >= ${wholeFrom(since, summedMs)}::int8)
          order by 1`.execute(transaction);
        for (const { fold } of rows) yield { fold };
        for await (const runs of runsWithin(transaction, selection, gaps(since, rows))) yield { runs };
      }),

    async missing(selection, { since, until }) {
      const first = wholeFrom(since, foldedMs);
      const runs = ofReport({ ...selection, since: first, until });
      const { rows } = await sql<{ hour: number }>`
        select h.hour from generate_series(${first}::int8, ${until - foldedMs}::int8, ${foldedMs}::int8) h(hour)
        where (select e.started_at from extractions e where ${runs} order by e.started_at limit 1) is not null
          and h.hour not in (select f.hour from hour_folds f where ${ofSelection(selection)}
            and f.hour >= ${first}::int8)
          and h.hour not in (select e.started_at - e.started_at % ${foldedMs}::int8 from extractions e
            where e.state = 'open' and ${runs})
        order by h.hour`.execute(db);
      return rows.map(({ hour }) => hour);
    },

    async keep(selection, hours, fold) {
      await lasting(db).execute((transaction) => keepHeld(transaction, selection, hours, fold));
    },

    async keepDays(selection, { since, until }, sum) {
      const { rows } = await sql<{ day: number }>`
        select d.day from generate_series(${wholeFrom(since, summedMs)}::int8, ${until - summedMs}::int8,
          ${summedMs}::int8) d(day)
        where d.day not in (select f.day from day_folds f where ${ofSelection(selection)}
            and f.day >= ${wholeFrom(since, summedMs)}::int8)
          and (select count(*) from hour_folds f where ${ofSelection(selection)} and f.hour >= d.day
            and f.hour < d.day + ${summedMs}::int8) = ${hoursOfDay}
        order by d.day`.execute(db);
      for (const { day } of rows)
        await lasting(db).execute((transaction) => keepHeldDay(transaction, selection, day, sum));
    },

    async forget(before) {
      // Those that somebody else is about to forget are left to them.
      await sql`
        delete from hour_folds where (selection, version, hour) in (
          select selection, version, hour from hour_folds where hour < ${before}::int8 for update skip locked
        )`.execute(db);
      await sql`
        delete from day_folds where (selection, version, day) in (
          select selection, version, day from day_folds where day < ${before}::int8 for update skip locked
        )`.execute(db);
    },
  };
}

async function keepHeld(
  transaction: Transaction<Tables>,
  selection: FoldSelection,
  hours: readonly number[],
  fold: Parameters<FoldStore['keep']>[2],
): Promise<void> {
  const held = await holdFree(transaction, hours);
  const found = await fold(runsWithin(transaction, selection, stretches(held)));
  const folds = [...found].filter(([hour]) => held.includes(hour));
  await sql`
    insert into hour_folds (selection, version, hour, fold)
    select ${nameOf(selection)}, ${selection.version}::int4, hour, fold
    from unnest(${folds.map(([hour]) => hour)}::int8[], ${folds.map(([, text]) => text)}::text[]) kept(hour, fold)
    on conflict do nothing`.execute(transaction);
}

async function keepHeldDay(
  transaction: Transaction<Tables>,
  selection: FoldSelection,
  day: number,
  sum: Parameters<FoldStore['keepDays']>[2],
): Promise<void> {
  const hours = Array.from({ length: hoursOfDay }, (_, index) => day + index * foldedMs);
  if ((await holdFree(transaction, hours)).length < hoursOfDay) return;
  const { rows } = await sql<{ fold: string }>`
    select f.fold from hour_folds f where ${ofSelection(selection)} and f.hour >= ${day}::int8
      and f.hour < ${day + summedMs}::int8 order by f.hour`.execute(transaction);
  if (rows.length < hoursOfDay) return;
  await sql`
    insert into day_folds (selection, version, day, fold)
    values (${nameOf(selection)}, ${selection.version}::int4, ${day}::int8, ${sum(rows.map(({ fold }) => fold))})
    on conflict do nothing`.execute(transaction);
}

/** Nothing is waited for while locks are held, and what is folded is read by a statement that begins once they are. */
function lasting(db: Kysely<Tables>) {
  return db.transaction().setIsolationLevel('read committed');
}

/** Takes the locks of those of these hours of which nothing is being written. */
async function holdFree(
  transaction: Transaction<Tables>,
  hours: readonly number[],
): Promise<readonly number[]> {
  const { rows } = await sql<{ hour: number }>`
    select hour from unnest(${[...hours]}::int8[]) h(hour)
    where pg_try_advisory_xact_lock(hashtext('endstop folds'), (hour / ${foldedMs}::int8 % 1024)::int4)`.execute(
    transaction,
  );
  return rows.map(({ hour }) => hour);
}

/** When the first whole one of these stretches begins. */
function wholeFrom(since: number, stretchMs: number): number {
  return Math.ceil(since / stretchMs) * stretchMs;
}

/** The name of a selection, whose parts may be any text. */
function nameOf({ tenant, specId, promptVersion }: FoldSelection): string {
  return JSON.stringify([tenant ?? null, specId ?? null, promptVersion ?? null]);
}

function ofSelection(selection: FoldSelection): RawBuilder<boolean> {
  return sql`f.selection = ${nameOf(selection)} and f.version = ${selection.version}::int4`;
}

type Range = readonly [since: number, until: number];

/** What lies between these stretches, from `since` on without an end. */
function gaps(
  since: number,
  stretches: readonly { readonly from: number; readonly until: number }[],
): readonly Range[] {
  const begins = [since, ...stretches.map(({ until }) => until)];
  const ends = [...stretches.map(({ from }) => from), Number.MAX_SAFE_INTEGER];
  return begins
    .map((begin, index): Range => [begin, ends[index] as number])
    .filter(([from, until]) => from < until);
}

/** These hours, those that follow one another as one. */
function stretches(hours: readonly number[]): readonly Range[] {
  const found: [number, number][] = [];
  for (const hour of hours) {
    const last = found.at(-1);
    if (last?.[1] === hour) last[1] += foldedMs;
    else found.push([hour, hour + foldedMs]);
  }
  return found;
}

/**
 * Runs that began within any of these ranges. A statement for each: of ranges in a table the planner knows nothing, and
 * would read all runs there are.
 */
async function* runsWithin(
  transaction: Transaction<Tables>,
  selection: FoldSelection,
  ranges: readonly Range[],
): AsyncGenerator<readonly DocumentRow[], void> {
  for (const [since, until] of ranges) {
    const query = sql<RunRow>`${runsOf(sql`extractions e`)} where ${ofReport({ ...selection, since, until })}`;
    for await (const rows of streamedIn(transaction, query)) yield rows.map(toDocument);
  }
}
