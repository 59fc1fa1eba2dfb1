import { type Kysely, type Selectable, sql } from 'kysely';
import type { FailureClass } from '../../domain/failure-class.js';
import type { Money } from '../../domain/money.js';
import type { Policy } from '../../domain/policy.js';
import type { Reason } from '../../domain/reason.js';
import type { LetterSelection } from '../../domain/redrive.js';
import type { DeadLetter, DeadLetterStore, SettledLetters, Taking } from '../../ports/dead-letter-store.js';
import type { NewExtraction } from '../../ports/extraction-store.js';
import { decodeCursor, pageRows, toPage } from './cursor.js';
import { openRun } from './extractions.js';
import { beginningWith, theOne } from './prefix.js';
import { retried } from './retry.js';
import { toRunRef } from './run-columns.js';
import type { DeadLetterColumns } from './tables/extractions.js';
import type { Tables } from './tables.js';
import { ofEvaluations, ofTenant } from './tenant-filter.js';

export function deadLetterStore(db: Kysely<Tables>, zeroCost: Money): DeadLetterStore {
  return {
    async find(key) {
      const { rows } = await sql<Selectable<DeadLetterColumns>>`
        select * from dead_letters where ${beginningWith('key', key)}`.execute(db);
      const row = theOne(rows, key, (candidate) => candidate.key);
      return row === null ? null : toDeadLetter(row);
    },

    async list(filter, page) {
      let letters = db
        .selectFrom('dead_letters')
        .selectAll()
        .where(matching(filter))
        .where(ofTenant(filter.tenant));
      letters = letters.where('state', '=', filter.state ?? 'parked');
      if (filter.parkedUpTo !== undefined) letters = letters.where('at', '<=', filter.parkedUpTo);
      if (filter.notOfBatch !== undefined) letters = letters.where(notOfBatch(filter.notOfBatch));
      if (page.cursor !== undefined) {
        const [at, key] = decodeCursor(page.cursor, ['integer', 'text']);
        letters = letters.where(sql<boolean>`(at, key) > (${at}::int8, ${key})`);
      }
      const rows = await letters.orderBy('at').orderBy('key').limit(pageRows(page.limit)).execute();
      return toPage(rows, page.limit, (row) => [row.at, row.key], toDeadLetter);
    },

    async groups({ tenant, ...ofGroup }) {
      const parked = sql<boolean>`state = 'parked' and ${ofTenant(tenant)}`;
      // Every field but the tenant is the same throughout a group, so that its oldest letter speaks for all of it.
      const { rows } = await sql<GroupRow>`
        select oldest.*, counted.count
        from (${tenant === undefined ? countedOfAll : countedOf(tenant)}) counted
        cross join lateral (
          select spec_id, reason, failure_class, prompt_version, schema_version, at as oldest_at
          from dead_letters where ${parked} and group_hash = counted.group_hash order by at limit 1
        ) oldest
        where ${matching(ofGroup)}
        order by counted.count desc, oldest.oldest_at`.execute(db);
      return rows.map((row) => ({
        specId: row.spec_id,
        reason: row.reason as Reason,
        failureClass: row.failure_class as FailureClass | null,
        promptVersion: row.prompt_version,
        schemaVersion: row.schema_version,
        count: row.count,
        oldestAt: row.oldest_at,
      }));
    },

    take: (key, into) => take(db, key, into, zeroCost),

    settle: (takenBefore) => settle(db, takenBefore),
  };
}

const countedOf = (tenant: string) => sql`
  select group_hash, count(*) from dead_letters where state = 'parked' and tenant = ${tenant} group by group_hash`;

/** Counted along the index that has no tenants, and the few of evaluations taken away again. */
const countedOfAll = sql`
  select group_hash, whole.count - coalesce(tried.count, 0) as count
  from (select group_hash, count(*) from dead_letters where state = 'parked' group by group_hash) whole
  left join (
    select group_hash, count(*) from dead_letters where state = 'parked' and ${ofEvaluations()} group by group_hash
  ) tried using (group_hash)
  where whole.count > coalesce(tried.count, 0)`;

/** Undoes the run that was opened for a letter which turned out to be gone. */
class NotParked extends Error {}

/** Rows are taken in the order that landing.ts names: the run first, then the letter. */
async function take(db: Kysely<Tables>, key: string, into: NewExtraction, zeroCost: Money): Promise<Taking> {
  try {
    return await retried(() =>
      db.transaction().execute(async (transaction) => {
        const opening = await openRun(transaction, into, true, zeroCost);
        const { extraction } = opening;
        const taken = await transaction
          .updateTable('dead_letters')
          .set({
            state: opening.kind === 'closed' ? 'recovered' : 'redriven',
            redriven_key: extraction.key,
            redriven_run: extraction.run,
            taken_at: into.at,
          })
          .where('key', '=', key)
          .where('state', '=', 'parked')
          .$if(into.batchId !== null, (letter) => letter.where(notOfBatch(into.batchId ?? '')))
          .executeTakeFirst();
        if (taken.numUpdatedRows === 0n) throw new NotParked();
        return opening;
      }),
    );
  } catch (error) {
    if (error instanceof NotParked) return { kind: 'not_parked' };
    throw error;
  }
}

const mostSettled = 1_000;

async function settle(
  db: Kysely<Tables>,
  takenBefore: number,
): Promise<SettledLetters & { readonly more: boolean }> {
  const { rows } = await sql<{ looked: number; parked: number; recovered: number }>`
    with ended as (
      select d.key, e.outcome, e.reason, e.run is null as never_opened
      from dead_letters d
      left join extractions e on e.key = d.redriven_key and e.run = d.redriven_run
      where d.state = 'redriven' and d.taken_at < ${takenBefore}::int8 and e.state is distinct from 'open'
      order by d.taken_at, d.key limit ${mostSettled}
      for update of d skip locked
    ), settled as (
      update dead_letters d set taken_at = null, state = case
        when ended.outcome = 'verified' then 'recovered'
        when ended.never_opened or ended.reason = 'cancelled' then 'parked'
        else 'redriven' end
      from ended where d.key = ended.key and d.state = 'redriven'
      returning d.state
    )
    select count(*) as looked, count(*) filter (where state = 'parked') as parked,
      count(*) filter (where state = 'recovered') as recovered
    from settled`.execute(db);
  const { looked, parked, recovered } = rows[0] ?? { looked: 0, parked: 0, recovered: 0 };
  return { parked, recovered, more: looked === mostSettled };
}

/** Neither the run it came from nor the one that its last redrive led to was of this batch. */
function notOfBatch(batchId: string) {
  return sql<boolean>`not exists (select from extractions e
      where e.key = dead_letters.key and e.run = dead_letters.run and e.batch_id = ${batchId})
    and not exists (select from extractions e
      where e.key = redriven_key and e.run = redriven_run and e.batch_id = ${batchId})`;
}

type GroupRow = Pick<
  Selectable<DeadLetterColumns>,
  'spec_id' | 'reason' | 'failure_class' | 'prompt_version' | 'schema_version'
> & { readonly count: number; readonly oldest_at: number };

const columnOf: Readonly<Record<keyof LetterSelection, keyof DeadLetterColumns>> = {
  tenant: 'tenant',
  specId: 'spec_id',
  reason: 'reason',
  failureClass: 'failure_class',
  promptVersion: 'prompt_version',
  schemaVersion: 'schema_version',
};

/** The letter has every value that the selection names. */
function matching(selection: LetterSelection) {
  const conditions = Object.entries(columnOf).flatMap(([field, column]) => {
    const value = selection[field as keyof LetterSelection];
    return value === undefined ? [] : [sql`${sql.ref(column)} = ${value}`];
  });
  return conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(conditions, sql` and `)}`;
}

function toDeadLetter(row: Selectable<DeadLetterColumns>): DeadLetter {
  return {
    ...toRunRef(row),
    reason: row.reason as Reason,
    failureClass: row.failure_class as FailureClass | null,
    policy: row.policy as Policy,
    tags: row.tags,
    fileName: row.file_name,
    at: row.at,
    state: row.state,
    redrivenInto:
      row.redriven_key === null || row.redriven_run === null
        ? null
        : { key: row.redriven_key, run: row.redriven_run },
  };
}
