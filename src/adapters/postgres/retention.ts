import { type Kysely, sql } from 'kysely';
import type { ObjectStorage } from '../../ports/object-storage.js';
import type { RetentionRule, RetentionStore, SweepAsk, SweepStep } from '../../ports/retention-store.js';
import { eraseDocuments } from './erase.js';
import { removeLooseObjects } from './loose-objects.js';
import { retried } from './retry.js';
import type { Tables } from './tables.js';

/** Documents that one step looks at: 50 of the largest are half a million rows of bytes, a second or two. */
const documentsAtOnce = 50;
const recordsAtOnce = 500;

export function retentionStore(db: Kysely<Tables>, objects: ObjectStorage | null): RetentionStore {
  return {
    removeLooseObjects: (at) => removeLooseObjects(db, objects, at),

    async holdings(tenant, documentHash) {
      const { rows } = await sql<HoldingsRow>`
        with runs as (
          select key, subject, state, erased_at from extractions
          where tenant = ${tenant} and document_hash = ${documentHash}
        )
        select (select stored_at from documents where tenant = ${tenant} and hash = ${documentHash}) as stored_at,
          (select count(*) from runs) as extractions,
          (select count(*) from runs where state = 'open') as running,
          (select count(*) from records where key in (select key from runs)) as records,
          (select count(*) from review_tasks
            where state = 'open' and subject in (select subject from runs)) as open_reviews,
          (select max(erased_at) from runs) as erased_at`.execute(db);
      const [row] = rows;
      if (row === undefined || (row.stored_at === null && row.extractions === 0)) return null;
      return {
        tenant,
        documentHash,
        storedAt: row.stored_at,
        extractions: row.extractions,
        running: row.running,
        records: row.records,
        openReviews: row.open_reviews,
        erasedAt: row.erased_at,
      };
    },

    async holders(documentHash) {
      // From tenant to tenant along the indexes that begin with it: none begins with the hash alone.
      const { rows } = await sql<{ tenant: string }>`
        with recursive names as (
          select least((select min(tenant) from documents), (select min(tenant) from extractions)) as tenant
          union all
          select least((select min(tenant) from documents d where d.tenant > names.tenant),
            (select min(tenant) from extractions e where e.tenant > names.tenant))
          from names where names.tenant is not null
        )
        select tenant from names
        where exists (select from documents d where d.tenant = names.tenant and d.hash = ${documentHash})
          or exists (select from extractions e
            where e.tenant = names.tenant and e.document_hash = ${documentHash} and e.erased_at is null)
        order by tenant`.execute(db);
      return rows.map(({ tenant }) => tenant);
    },

    erase: (tenant, documentHash, at) =>
      retried(() =>
        db
          .transaction()
          .execute((transaction) =>
            eraseDocuments(transaction, { tenant, hashes: [documentHash], at, keepsVerified: false }),
          ),
      ),

    async rules() {
      const rows = await db.selectFrom('retention').selectAll().orderBy('tenant').execute();
      return rows.map(
        (row): RetentionRule => ({
          tenant: row.tenant,
          documentDays: row.document_days,
          recordDays: row.record_days,
          setAt: row.set_at,
        }),
      );
    },

    async set({ tenant, documentDays, recordDays, setAt }) {
      const days = { document_days: documentDays, record_days: recordDays, set_at: setAt };
      await db
        .insertInto('retention')
        .values({ tenant, ...days })
        .onConflict((conflict) => conflict.column('tenant').doUpdateSet(days))
        .execute();
    },

    async unset(tenant) {
      const { numDeletedRows } = await db
        .deleteFrom('retention')
        .where('tenant', '=', tenant)
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },

    forgetDocuments: (ask) => retried(() => forgetDocuments(db, ask)),
    forgetRecords: (ask) => retried(() => forgetRecords(db, ask)),
  };
}

interface HoldingsRow {
  readonly stored_at: number | null;
  readonly extractions: number;
  readonly running: number;
  readonly records: number;
  readonly open_reviews: number;
  readonly erased_at: number | null;
}

function forgetDocuments(db: Kysely<Tables>, { tenant, before, after, at }: SweepAsk): Promise<SweepStep> {
  return db.transaction().execute(async (transaction) => {
    // One that somebody hands in at this moment is passed by, and young again.
    const { rows: old } = await sql<{ hash: string; stored_at: number }>`
      select hash, stored_at from documents
      where tenant = ${tenant} and stored_at < ${before}::int8
        and (stored_at, hash) > (${after?.at ?? -1}::int8, ${after?.name ?? ''})
      order by stored_at, hash limit ${documentsAtOnce}::int8
      for update skip locked`.execute(transaction);
    const hashes = old.map(({ hash }) => hash);
    const { rows: used } = await sql<{ document_hash: string }>`
      select distinct e.document_hash from extractions e
      where e.tenant = ${tenant} and e.document_hash = any(${hashes}::text[]) and (e.state = 'open' or exists (
        select from review_tasks t where t.subject = e.subject and t.state = 'open'))`.execute(transaction);
    const inUse = new Set(used.map((row) => row.document_hash));
    const due = hashes.filter((hash) => !inUse.has(hash));
    if (due.length > 0) await eraseDocuments(transaction, { tenant, hashes: due, at, keepsVerified: true });
    const last = old.at(-1);
    return {
      erased: due.length,
      kept: inUse.size,
      next: last === undefined ? null : { at: last.stored_at, name: last.hash },
    };
  });
}

async function forgetRecords(db: Kysely<Tables>, { tenant, before, after }: SweepAsk): Promise<SweepStep> {
  const [key = '', source = ''] = after?.name.split('/') ?? [];
  const { rows } = await sql<{ at: number; key: string; source: string; erased: boolean }>`
    with old as (
      select ctid, at, key, source, document_hash from records
      where tenant = ${tenant} and at < ${before}::int8
        and (at, key, source) > (${after?.at ?? -1}::int8, ${key}, ${source})
      order by at, key, source limit ${recordsAtOnce}::int8
    ), erased as (
      -- By their place, so that the step never reads the table; a record that moves at this moment waits for the next.
      delete from records where ctid = any(array(select ctid from old where not exists (
        select from documents d where d.tenant = ${tenant} and d.hash = old.document_hash)))
      returning key, source
    )
    select old.at, old.key, old.source, erased.key is not null as erased
    from old left join erased using (key, source)
    order by old.at, old.key, old.source`.execute(db);
  const last = rows.at(-1);
  const erased = rows.filter((row) => row.erased).length;
  return {
    erased,
    kept: rows.length - erased,
    next: last === undefined ? null : { at: last.at, name: `${last.key}/${last.source}` },
  };
}
