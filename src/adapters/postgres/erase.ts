import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Erasure } from '../../ports/retention-store.js';
import type { Tables } from './tables.js';

/** Some documents of one tenant. */
export interface DocumentsToErase {
  readonly tenant: string;
  readonly hashes: readonly string[];
  readonly at: number;
  /** Verified records stay, with their evidence. */
  readonly keepsVerified: boolean;
}

/**
 * Takes away what documents said and leaves what became of them. Statements of their own, each of which sees what was
 * committed before it had its locks; rows are taken in the order that landing.ts names, documents before all of them.
 */
export async function eraseDocuments(
  transaction: Transaction<Tables>,
  { tenant, hashes, at, keepsVerified }: DocumentsToErase,
): Promise<Erasure> {
  const run = async <Row>(statement: RawBuilder<Row>) => (await statement.execute(transaction)).rows;
  const documents = await run(sql`
    delete from documents where tenant = ${tenant} and hash = any(${[...hashes]}::text[]) returning hash`);

  const runs = await run(sql<{ key: string; subject: string; newly: boolean }>`
    with locked as (
      select key, run, erased_at from extractions
      where tenant = ${tenant} and document_hash = any(${[...hashes]}::text[])
      order by key, run for no key update
    )
    update extractions e set erased_at = coalesce(e.erased_at, ${at}::int8), file_name = null
    from locked where e.key = locked.key and e.run = locked.run
    returning e.key, e.subject, locked.erased_at is null as newly`);
  const keys = [...new Set(runs.map(({ key }) => key))];
  const subjects = [...new Set(runs.map(({ subject }) => subject))];

  const reviews = await run(sql<{ id: string; kind: string; subject: string; was_open: boolean }>`
    with locked as (
      select id, state, holder from review_tasks where subject = any(${subjects}::text[])
      order by id for no key update
    ), changed as (
      update review_tasks t set amount = null, currency = null, erased_at = ${at}::int8, holder = null,
        lease_expires_at = null, state = case locked.state when 'open' then 'withdrawn' else locked.state end,
        withdrawn_from = case locked.state when 'open' then locked.holder else t.withdrawn_from end,
        decided_at = case locked.state when 'open' then ${at}::int8 else t.decided_at end,
        version = t.version + case locked.state when 'open' then 1 else 0 end
      from locked where t.id = locked.id
      returning t.*, locked.state = 'open' as was_open
    ), told as (
      insert into review_events (review, subject, tenant, kind, version, holder, at)
      select id, subject, tenant, 'withdrawn', version, withdrawn_from, ${at}::int8 from changed where was_open
    )
    select id, kind, subject, was_open from changed`);
  const reviewIds = reviews.map(({ id }) => id);

  // Its file may be named in both; its item only had to be another one's than the others'.
  await run(sql`
    update batch_documents d set file_name = null, item = 'erased/' || position
    from batches b where b.id = d.batch_id and b.tenant = ${tenant} and d.document_hash = any(${[...hashes]}::text[])`);
  await run(sql`delete from dead_letters where key = any(${keys}::text[])`);
  const records = await run(sql`
    delete from records where key = any(${keys}::text[]) and not (${keepsVerified}::boolean
      and verification_status in ('verified', 'human_verified') and refuted_at is null)
    returning key`);
  await run(sql`
    update attempts set candidate = null, evidence = '[]', contradiction = null, feedback = null,
      problems = ${ruleAndPlace}
    where key = any(${keys}::text[])`);
  await run(sql`
    update review_events set "values" = null, original = null, note = null
    where review = any(${reviewIds}::text[]) and num_nonnulls("values", original, note) > 0`);
  await run(sql`delete from review_drafts where review = any(${reviewIds}::text[])`);

  return {
    bytes: documents.length > 0,
    extractions: runs.filter(({ newly }) => newly).length,
    records: records.length,
    reviews: reviews.filter((review) => review.was_open).length,
    subjects: reviews.filter(({ kind }) => kind === 'exhausted').map(({ subject }) => subject),
  };
}

/** Which rules broke, and on which fields, is counted; what was found and expected there is what the document said. */
const ruleAndPlace = sql`coalesce((
  select jsonb_agg(jsonb_build_object('rule', p.problem -> 'rule', 'pointer', p.problem -> 'pointer',
    'message', 'erased', 'expected', null, 'found', null) order by p.number)
  from jsonb_array_elements(problems) with ordinality p(problem, number)), '[]')`;
