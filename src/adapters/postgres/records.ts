import { type Kysely, type Selectable, sql } from 'kysely';
import type { NormalisationCount } from '../../domain/attempt-report.js';
import type { StoredJson } from '../../ports/attempt-store.js';
import type {
  PersonStatus,
  RecordFilter,
  RecordStore,
  StoredRecord,
  VerificationStatus,
} from '../../ports/record-store.js';
import type { Evidence } from '../../verification/evidence.js';
import type { Problem } from '../../verification/problem.js';
import { decodeCursor, pageRows, toPage } from './cursor.js';
import { json, jsonOrNull } from './json.js';
import { fromRunRef, toRunRef } from './run-columns.js';
import { streamed } from './stream.js';
import type { RecordColumns } from './tables/extractions.js';
import type { Tables } from './tables.js';
import { ofTenant } from './tenant-filter.js';

/** Where an unverified record came from. Verified and rejected ones have doors of their own: commit and review. */
const sources: Partial<Record<VerificationStatus, RecordColumns['source']>> = {
  fallback: 'fallback',
  best_effort: 'best_effort',
  needs_review: 'model',
};

export function recordStore(db: Kysely<Tables>): RecordStore {
  return {
    async put(record) {
      const source = sources[record.status];
      if (source === undefined)
        throw new Error(`A record becomes "${record.status}" by a commit or a review, not by being put.`);
      const content = {
        run: record.run,
        verification_status: record.status,
        record: jsonOrNull(record.record),
        evidence: json(record.evidence),
        ungrounded: [...record.ungrounded],
        unmet: json(record.unmet),
        normalisations: json(record.normalisations),
        verifier_version: record.verifierVersion,
        template: record.template,
        at: record.at,
      };
      await db.transaction().execute(async (transaction) => {
        // Locked, so that an erasure comes before this or sees all of it.
        const run = await transaction
          .selectFrom('extractions')
          .select('key')
          .where('key', '=', record.key)
          .where('run', '=', record.run)
          .where('erased_at', 'is', null)
          .forShare()
          .executeTakeFirst();
        if (run === undefined) return;
        await transaction
          .insertInto('records')
          .values({ ...fromRunRef(record), source, ...content })
          .onConflict((conflict) =>
            conflict
              .columns(['key', 'source'])
              .doUpdateSet(content)
              .where('records.verification_status', '<>', 'verified')
              // A worker that was thought lost may come late: an older run never replaces a newer one's.
              .where('records.run', '<=', record.run),
          )
          .execute();
      });
    },

    async current(subject) {
      const row = await db
        .selectFrom('verified_records')
        .selectAll()
        .where('subject', '=', subject)
        .executeTakeFirst();
      return row === undefined ? null : toRecord(row);
    },

    async settledByPerson(keys) {
      const rows = await db
        .selectFrom('records')
        .select(['key', 'verification_status'])
        .where('key', 'in', [...new Set(keys), ''])
        .where('verification_status', 'in', ['human_verified', 'rejected'])
        .execute();
      return new Map(rows.map((row) => [row.key, row.verification_status as PersonStatus]));
    },

    async ofKey(key) {
      const rows = await db
        .selectFrom('records')
        .selectAll()
        .where('key', '=', key)
        .orderBy('source')
        .execute();
      return rows.map(toRecord);
    },

    async list(filter, page) {
      let records = filtered(db, filter);
      if (page.cursor !== undefined) {
        const [at, key, source] = decodeCursor(page.cursor, ['integer', 'text', 'text']);
        records = records.where(sql<boolean>`(at, key, source) < (${at}::int8, ${key}, ${source})`);
      }
      const rows = await records.limit(pageRows(page.limit)).execute();
      return toPage(rows, page.limit, (row) => [row.at, row.key, row.source], toRecord);
    },

    async *stream(filter) {
      for await (const rows of streamed(db, filtered(db, filter))) yield rows.map(toRecord);
    },
  };
}

/** Newest first. */
function filtered(db: Kysely<Tables>, filter: RecordFilter) {
  const { statuses } = filter;
  let records =
    statuses === undefined
      ? db.selectFrom('verified_records as r').selectAll()
      : db
          .selectFrom('records as r')
          .selectAll()
          .where('verification_status', 'in', [...statuses])
          // Verified, but a person found it wrong: its correction or rejection is listed instead.
          .where('refuted_at', 'is', null);
  records = records.where(ofTenant(filter.tenant));
  if (filter.specId !== undefined) records = records.where('spec_id', '=', filter.specId);
  if (filter.subject !== undefined) records = records.where('subject', '=', filter.subject);
  if (filter.since !== undefined) records = records.where('at', '>=', filter.since);
  return records.orderBy('at', 'desc').orderBy('key', 'desc').orderBy('source', 'desc');
}

function toRecord(row: Selectable<RecordColumns>): StoredRecord {
  return {
    ...toRunRef(row),
    status: row.verification_status as VerificationStatus,
    record: row.record as StoredJson,
    evidence: row.evidence as readonly Evidence[],
    ungrounded: row.ungrounded,
    unmet: row.unmet as readonly Problem[],
    normalisations: row.normalisations as readonly NormalisationCount[],
    verifierVersion: row.verifier_version,
    template: row.template,
    at: row.at,
  };
}
