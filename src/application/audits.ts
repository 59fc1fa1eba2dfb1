import { createHash } from 'node:crypto';
import type { AuditItem, AuditSample, AuditVerdict } from '../ports/audit-store.js';
import type { Page, PageRequest } from '../ports/page.js';
import type { ReportFilter } from '../ports/report-store.js';
import { type EstimatedShare, shareOf } from '../reports/estimated-share.js';
import type { Application } from './application.js';
import { ApplicationError } from './application-error.js';
import { readId } from './find-extraction.js';
import { withWindow } from './reports.js';

type Auditing = Pick<Application, 'store' | 'now' | 'tenant'>;

/** The most records that one sample holds: more than people check. */
const mostRecords = 10_000;

/** A sample with what is known by now of the records it was drawn from. */
export interface Audit extends AuditSample {
  /** Of those judged so far; the share among all that verified lies within its interval. */
  readonly defectRate: EstimatedShare;
}

/** Draws verified records by chance; the same seed, size and filter are the same sample, drawn once. */
export async function drawAudit(
  { store, now, tenant }: Auditing,
  request: { readonly size: number; readonly seed: number; readonly filter: ReportFilter },
): Promise<Audit> {
  const { size, seed } = request;
  if (size > mostRecords) {
    throw new ApplicationError('invalid_request', `A sample holds at most ${mostRecords} records.`);
  }
  const at = now();
  // A sample belongs to whoever may see all of it, so who asks is part of what is asked for.
  const filter = tenant === undefined ? request.filter : { ...request.filter, tenant };
  const id = createHash('sha256')
    .update(JSON.stringify([seed, size, entriesOf(filter)]))
    .digest('hex')
    .slice(0, 16);
  const sample = await store.audits.draw({ id, seed, size, filter: withWindow(filter, at), at });
  return withDefects(sample);
}

export async function listAudits({ store }: Auditing, page: PageRequest): Promise<Page<Audit>> {
  const { items, nextCursor } = await store.audits.list({}, page);
  return { items: items.map(withDefects), nextCursor };
}

/** @throws ApplicationError `not_found` */
export async function readAudit(
  { store }: Auditing,
  id: string,
): Promise<{ readonly audit: Audit; readonly items: readonly AuditItem[] }> {
  const audit = await store.audits.find(readId(id));
  if (audit === null)
    throw new ApplicationError('not_found', `There is no audit "${id}", or several begin so.`);
  return { audit: withDefects(audit), items: await store.audits.items(audit.id) };
}

/** What keeping one verdict came to. */
export interface JudgedRecord {
  readonly extractionId: string;
  readonly tenant: string;
  readonly verdict: AuditVerdict;
  /** Null when it was the first verdict on this record. */
  readonly before: AuditVerdict | null;
}

/**
 * Keeps a verdict on a drawn record, named by its extraction's id or a unique beginning of it; the same again changes
 * nothing.
 * @throws ApplicationError `not_found` for a record that no sample holds.
 */
export async function judgeRecord(
  { store, now }: Auditing,
  { id, verdict }: { readonly id: string; readonly verdict: AuditVerdict },
  actor: string,
): Promise<JudgedRecord> {
  const judged = await store.audits.judge({ key: readId(id), verdict, actor, at: now() });
  if (judged.kind !== 'judged') throw new ApplicationError('not_found', whyNot[judged.kind](id));
  return { extractionId: judged.key, tenant: judged.tenant, verdict, before: judged.before };
}

const whyNot = {
  ambiguous: (id: string) => `Several drawn records begin with "${id}": give more of the id.`,
  not_drawn: (id: string) =>
    `No audit has drawn "${id}": only drawn records are judged, since picked ones say nothing about the rest.`,
};

function withDefects(sample: AuditSample): Audit {
  return { ...sample, defectRate: shareOf(sample.wrong, sample.right + sample.wrong) };
}

/** In one order, whatever the order in which they were given. */
function entriesOf(filter: ReportFilter): readonly (readonly [string, unknown])[] {
  return Object.entries(filter).sort(([one], [other]) => (one < other ? -1 : 1));
}
