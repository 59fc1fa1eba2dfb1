import { type Kysely, type Selectable, type SelectQueryBuilder, sql } from 'kysely';
import type { FailureClass } from '../../domain/failure-class.js';
import type { Policy } from '../../domain/policy.js';
import type { Reason } from '../../domain/reason.js';
import type { DeadLetter, DeadLetterFilter, DeadLetterStore } from '../../ports/dead-letter-store.js';
import { decodeCursor, pageRows, toPage } from './cursor.js';
import { prefixRange, theOne } from './prefix.js';
import { toRunRef } from './run-columns.js';
import type { DeadLetterColumns, Tables } from './tables.js';

export function deadLetterStore(db: Kysely<Tables>): DeadLetterStore {
  return {
    async find(key) {
      const { from, to } = prefixRange(key);
      const rows = await db
        .selectFrom('dead_letters')
        .selectAll()
        .where('key', '>=', from)
        .where('key', '<', to)
        .orderBy('key')
        .limit(2)
        .execute();
      const row = theOne(rows, key, (candidate) => candidate.key);
      return row === null ? null : toDeadLetter(row);
    },

    async list(filter, page) {
      let letters = filtered(db.selectFrom('dead_letters'), filter).selectAll();
      letters = letters.where('state', '=', filter.state ?? 'parked');
      if (page.cursor !== undefined) {
        const [at, key] = decodeCursor(page.cursor, ['integer', 'text']);
        letters = letters.where(sql<boolean>`(at, key) > (${at}::int8, ${key})`);
      }
      const rows = await letters.orderBy('at').orderBy('key').limit(pageRows(page.limit)).execute();
      return toPage(rows, page.limit, (row) => [row.at, row.key], toDeadLetter);
    },

    async groups(filter) {
      const rows = await filtered(db.selectFrom('dead_letters'), filter)
        .where('state', '=', 'parked')
        .groupBy(['spec_id', 'reason', 'failure_class', 'prompt_version', 'schema_version'])
        .select(['spec_id', 'reason', 'failure_class', 'prompt_version', 'schema_version'])
        .select([sql<number>`count(*)`.as('count'), sql<number>`min(at)`.as('oldest_at')])
        .orderBy('count', 'desc')
        .orderBy('oldest_at')
        .execute();
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

    take: (key) => move(db, key, 'parked', 'redriven'),

    async giveBack(key) {
      await move(db, key, 'redriven', 'parked');
    },
  };
}

type State = DeadLetter['state'];

/** Compare-and-set on the letter's state. */
async function move(db: Kysely<Tables>, key: string, from: State, to: State): Promise<boolean> {
  const moved = await db
    .updateTable('dead_letters')
    .set({ state: to })
    .where('key', '=', key)
    .where('state', '=', from)
    .executeTakeFirst();
  return moved.numUpdatedRows === 1n;
}

type Letters = SelectQueryBuilder<Tables, 'dead_letters', object>;

function filtered(letters: Letters, filter: DeadLetterFilter): Letters {
  let query = letters;
  if (filter.tenant !== undefined) query = query.where('tenant', '=', filter.tenant);
  if (filter.specId !== undefined) query = query.where('spec_id', '=', filter.specId);
  if (filter.reason !== undefined) query = query.where('reason', '=', filter.reason);
  if (filter.failureClass !== undefined) query = query.where('failure_class', '=', filter.failureClass);
  if (filter.promptVersion !== undefined) query = query.where('prompt_version', '=', filter.promptVersion);
  if (filter.schemaVersion !== undefined) query = query.where('schema_version', '=', filter.schemaVersion);
  return query;
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
  };
}
