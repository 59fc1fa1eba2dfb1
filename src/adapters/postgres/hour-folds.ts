import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { type FoldSelection, type FoldStore, foldedMs } from '../../ports/fold-store.js';
import type { DocumentRow } from '../../reports/rows.js';
import { ofReport } from './report-filter.js';
import { type RunRow, toDocument } from './report-rows.js';
import { runsOf } from './reports.js';
import { inSnapshot, streamedIn } from './stream.js';
import type { Tables } from './tables.js';

/** Folds of hours. The triggers that forget them are in the migration 0019, with the lock that both sides take. */
export function foldStore(db: Kysely<Tables>): FoldStore {
  return {
    read: (selection, since) =>
      inSnapshot(db, async function* (transaction) {
        const first = Math.ceil(since / foldedMs) * foldedMs;
        const { rows } = await sql<{ hour: number; fold: string }>`
          select f.hour, f.fold from hour_folds f where ${ofSelection(selection)} and f.hour >= ${first}::int8
          order by f.hour`.execute(transaction);
        for (const { fold } of rows) yield { fold };
        const hours = rows.map(({ hour }) => hour);
        for await (const runs of runsWithin(transaction, selection, gaps(since, hours))) yield { runs };
      }),

    async missing(selection, { since, until }) {
      const first = Math.ceil(since / foldedMs) * foldedMs;
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
      // Nothing is waited for while locks are held, and the runs are read by a statement that begins once they are.
      const transaction = db.transaction().setIsolationLevel('read committed');
      await transaction.execute((held) => keepHeld(held, selection, hours, fold));
    },

    async forget(before) {
      // Those that somebody else is about to forget are left to them.
      await sql`
        delete from hour_folds where (selection, version, hour) in (
          select selection, version, hour from hour_folds where hour < ${before}::int8 for update skip locked
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
  const { rows } = await sql<{ hour: number }>`
    select hour from unnest(${[...hours]}::int8[]) h(hour)
    where pg_try_advisory_xact_lock(hashtext('endstop folds'), (hour / ${foldedMs}::int8 % 1024)::int4)`.execute(
    transaction,
  );
  const held = rows.map(({ hour }) => hour);
  const found = await fold(runsWithin(transaction, selection, stretches(held)));
  const folds = [...found].filter(([hour]) => held.includes(hour));
  await sql`
    insert into hour_folds (selection, version, hour, fold)
    select ${nameOf(selection)}, ${selection.version}::int4, hour, fold
    from unnest(${folds.map(([hour]) => hour)}::int8[], ${folds.map(([, text]) => text)}::text[]) kept(hour, fold)
    on conflict do nothing`.execute(transaction);
}

/** The name of a selection, whose parts may be any text. */
function nameOf({ tenant, specId, promptVersion }: FoldSelection): string {
  return JSON.stringify([tenant ?? null, specId ?? null, promptVersion ?? null]);
}

function ofSelection(selection: FoldSelection): RawBuilder<boolean> {
  return sql`f.selection = ${nameOf(selection)} and f.version = ${selection.version}::int4`;
}

type Range = readonly [since: number, until: number];

/** What lies between these hours, from `since` on without an end. */
function gaps(since: number, hours: readonly number[]): readonly Range[] {
  const ends = [...hours, Number.MAX_SAFE_INTEGER];
  return ends
    .map((end, index): Range => [index === 0 ? since : (hours[index - 1] as number) + foldedMs, end])
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
