import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { BatchPart } from '../../domain/batch.js';
import type { Money } from '../../domain/money.js';
import type { BatchStore, BatchTaking, NewBatchDocument } from '../../ports/batch-store.js';
import type { Extraction, NewExtraction } from '../../ports/extraction-store.js';
import { countBatch } from './batch-count.js';
import { courseOfBatch } from './batch-course.js';
import { fromBatch, toBatch, toBatchDocument } from './batch-rows.js';
import { decodeCursor, pageRows, toPage } from './cursor.js';
import { toExtraction, withSums } from './extraction-rows.js';
import { openRun } from './extractions.js';
import { json } from './json.js';
import { beginningWith, theOne } from './prefix.js';
import { retried } from './retry.js';
import type { BatchColumns } from './tables/batches.js';
import type { Tables } from './tables.js';

export function batchStore(db: Kysely<Tables>, zeroCost: Money): BatchStore {
  const find: BatchStore['find'] = async (id) => {
    const row = await db.selectFrom('batches').selectAll().where('id', '=', id).executeTakeFirst();
    return row === undefined ? null : toBatch(row);
  };
  const there = async (id: string) => {
    const batch = await find(id);
    if (batch === null) throw new Error(`There is no batch ${id}.`);
    return batch;
  };
  const documentsOf = (id: string) => db.selectFrom('batch_documents').selectAll().where('batch_id', '=', id);

  return {
    find,

    async findNamed(name) {
      const { rows } = await sql<Selectable<BatchColumns>>`
        select * from batches where ${beginningWith('id', name)}`.execute(db);
      const row = theOne(rows, name, ({ id }) => id);
      return row === null ? null : toBatch(row);
    },

    async create(batch) {
      await db
        .insertInto('batches')
        .values(fromBatch(batch))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      return await there(batch.id);
    },

    async list(filter, page) {
      let batches = db.selectFrom('batches').selectAll();
      if (filter.tenant !== undefined) batches = batches.where('tenant', '=', filter.tenant);
      if (filter.specId !== undefined) batches = batches.where('spec_id', '=', filter.specId);
      if (filter.state !== undefined) batches = batches.where('state', 'in', [filter.state].flat());
      if (page.cursor !== undefined) {
        const [at, id] = decodeCursor(page.cursor, ['integer', 'text']);
        batches = batches.where(sql<boolean>`(at, id) < (${at}::int8, ${id})`);
      }
      const rows = await batches
        .orderBy('at', 'desc')
        .orderBy('id', 'desc')
        .limit(pageRows(page.limit))
        .execute();
      return toPage(rows, page.limit, (row) => [row.at, row.id], toBatch);
    },

    async collectAnew(id, at) {
      await db.transaction().execute(async (transaction) => {
        // Waits for documents that are just handed in, which are forgotten as well.
        const { rows } = await sql`
          update batches set at = greatest(at + 1, ${at}::int8)
          where id = ${id} and state = 'collecting' returning id`.execute(transaction);
        if (rows.length > 0)
          await transaction.deleteFrom('batch_documents').where('batch_id', '=', id).execute();
      });
      return await there(id);
    },

    async add({ id, at }, documents) {
      const { rows } = await sql<{ isOpen: boolean }>`
        with open as (
          select id from batches where id = ${id} and at = ${at}::int8 and state = 'collecting' for share
        ), added as (
        insert into batch_documents (batch_id, item, key, subject, document_hash, file_name, tags)
        select open.id, d.item, d.key, d.subject, d.document_hash, d.file_name,
          array(select jsonb_array_elements_text(d.tags))
        from open, rows from (jsonb_to_recordset(${json(documents.map(rowOf))}::jsonb)
            as (item text, key text, subject text, document_hash text, file_name text, tags jsonb)
          ) with ordinality as d(item, key, subject, document_hash, file_name, tags, place)
        order by d.place
        on conflict do nothing
        )
        select exists(select from open) as "isOpen"`.execute(db);
      return rows[0]?.isOpen === true;
    },

    async begin(id, at, { once, collected } = {}) {
      await db.transaction().execute(async (transaction) => {
        // A statement of its own: the one that counts must see what `add` committed while this waited for it.
        const { rows } = await sql<{ at: number }>`
          select at from batches where id = ${id} for no key update`.execute(transaction);
        if (collected !== undefined && rows[0]?.at !== collected.at) return;
        await sql`
          with answered as (
            update idempotency_keys i set locked_until = null,
              answer = jsonb_build_object('batch', ${id}::text, 'content', ${once?.content ?? null}::text)
            where i.scope = ${once?.scope ?? null} and i.key = ${once?.key ?? null} and i.locked_until is not null
          )
          update batches b set
            state = 'running', ended_at = null,
            documents = coalesce(b.documents, (select count(*) from batch_documents d where d.batch_id = b.id)),
            began_at = coalesce(b.began_at, ${at}::int8),
            deadline_at = coalesce(b.deadline_at, ${at}::int8 + b.deadline_ms)
          where id = ${id} and state in ('collecting', 'stopping', 'cancelled')`.execute(transaction);
      });
      return await there(id);
    },

    async discard({ id, at }) {
      const one = db.deleteFrom('batches').where('id', '=', id).where('at', '=', at);
      await one.where('state', '=', 'collecting').execute();
    },

    async note(id, state, cap, at) {
      const isEnd = state === 'cancelled' || state === 'finished';
      await sql`
        with before as materialized (
          select id, cap from batches
          where id = ${id} and (state, cap) is distinct from (${state}, ${cap}::int4) for update
        ), noted as (
          update batches b set state = ${state}, cap = ${cap}::int4, ended_at = ${isEnd ? at : null}::int8
          from before where b.id = before.id
        )
        insert into batch_caps (batch_id, at, cap)
        select id, ${at}::int8, ${cap}::int4 from before where cap <> ${cap}::int4
        on conflict (batch_id, at) do update set cap = excluded.cap`.execute(db);
    },

    async settle(id) {
      await sql`
        update batch_documents d set
          state = 'ended', outcome = e.outcome, reason = e.reason, attempts = coalesce(e.attempts, 0),
          tokens = case when d.part = 'own' then (
            select coalesce(sum(c.tokens), 0)::int8 from calls c where c.key = d.key and c.run = d.run
          ) else 0 end,
          ended = nextval('batch_endings')
        from extractions e
        where d.batch_id = ${id} and d.state in ('starting', 'running')
          and e.key = d.key and e.run = d.run and e.state = 'closed'`.execute(db);
    },

    count: (id, cap) => countBatch(db, id, cap),
    course: (id, parts, at) => courseOfBatch(db, id, parts, at),

    async waiting(id, limit) {
      const rows = await documentsOf(id)
        .where('state', '=', 'waiting')
        .orderBy('position')
        .limit(limit)
        .execute();
      return rows.map(toBatchDocument);
    },

    async starting(id) {
      const rows = await documentsOf(id).where('state', '=', 'starting').orderBy('position').execute();
      return rows.map(toBatchDocument);
    },

    take: (id, item, into, redrive) =>
      retried(() =>
        db.transaction().execute((transaction) => take(transaction, { id, item, into, redrive }, zeroCost)),
      ),

    async started(id, item) {
      await db
        .updateTable('batch_documents')
        .set({ state: 'running' })
        .where('batch_id', '=', id)
        .where('item', '=', item)
        .where('state', '=', 'starting')
        .execute();
    },

    async refuse(id, item) {
      await sql`
        update batch_documents set state = 'ended', part = 'refused', ended = nextval('batch_endings')
        where batch_id = ${id} and item = ${item} and state = 'waiting'`.execute(db);
    },

    async ownRuns(id) {
      const rows = await db
        .selectFrom('batch_documents')
        .select(['key', 'run'])
        .where('batch_id', '=', id)
        .where('state', 'in', ['starting', 'running'])
        .where('part', '=', 'own')
        .execute();
      return rows.map(({ key, run }) => ({ key, run: run ?? 1 }));
    },

    async documents(id, filter, page) {
      let rows = documentsOf(id);
      if (filter.state !== undefined) rows = rows.where('state', '=', filter.state);
      if (filter.outcome !== undefined) rows = rows.where('outcome', '=', filter.outcome);
      if (filter.reason !== undefined) rows = rows.where('reason', '=', filter.reason);
      if (page.cursor !== undefined) {
        const [position] = decodeCursor(page.cursor, ['integer']);
        rows = rows.where(sql<boolean>`position > ${position}::int8`);
      }
      const found = await rows.orderBy('position').limit(pageRows(page.limit)).execute();
      return toPage(found, page.limit, (row) => [row.position], toBatchDocument);
    },

    async endedAfter(id, place, limit) {
      const rows = await documentsOf(id).where('ended', '>', place).orderBy('ended').limit(limit).execute();
      return rows.map(toBatchDocument);
    },
  };
}

function rowOf({ documentHash, fileName, ...rest }: NewBatchDocument) {
  return { ...rest, document_hash: documentHash, file_name: fileName };
}

interface Take {
  readonly id: string;
  readonly item: string;
  readonly into: NewExtraction;
  readonly redrive: boolean;
}

/** The document's row is locked first, and nobody who holds a run's row waits for one of these. */
async function take(
  transaction: Transaction<Tables>,
  { id, item, into, redrive }: Take,
  zeroCost: Money,
): Promise<BatchTaking | null> {
  const locked = await transaction
    .selectFrom('batch_documents')
    .select('item')
    .where('batch_id', '=', id)
    .where('item', '=', item)
    .where('state', '=', 'waiting')
    .forUpdate()
    .executeTakeFirst();
  if (locked === undefined) return null;
  const taking = await partOf(transaction, into, redrive, zeroCost);
  await transaction
    .updateTable('batch_documents')
    .set({
      state: taking.part === 'own' ? 'starting' : 'running',
      part: taking.part,
      run: taking.extraction.run,
    })
    .where('batch_id', '=', id)
    .where('item', '=', item)
    .execute();
  return taking;
}

async function partOf(
  transaction: Transaction<Tables>,
  into: NewExtraction,
  redrive: boolean,
  zeroCost: Money,
): Promise<BatchTaking> {
  const before = await runOfBatch(transaction, into, zeroCost);
  if (before !== null) return { part: 'repeated', extraction: before };
  const { kind, extraction } = await openRun(transaction, into, redrive, zeroCost);
  const parts: Record<typeof kind, BatchPart> = { opened: 'own', running: 'followed', closed: 'known' };
  // Two documents with the same bytes that are taken at once: the other one was first.
  const part = kind !== 'opened' && extraction.batchId === into.batchId ? 'repeated' : parts[kind];
  return { part, extraction };
}

/** The run of this key that the batch has opened already. */
async function runOfBatch(
  transaction: Transaction<Tables>,
  { key, batchId }: NewExtraction,
  zeroCost: Money,
): Promise<Extraction | null> {
  const runs = transaction
    .selectFrom('extractions')
    .selectAll()
    .where('key', '=', key)
    .where('batch_id', '=', batchId)
    .orderBy('run', 'desc')
    .limit(1);
  const row = (await withSums(runs).execute(transaction)).rows[0];
  return row === undefined ? null : toExtraction(row, zeroCost);
}
