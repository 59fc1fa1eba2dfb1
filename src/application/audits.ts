import { createHash } from 'node:crypto';
import type { AuditItem, AuditSample, AuditVerdict } from '../ports/audit-store.js';
import type { Page, PageRequest } from '../ports/page.js';
import type { ReportFilter } from '../ports/report-store.js';
import { type EstimatedShare, shareOf } from '../reports/estimated-share.js';
import type { Application } from './application.js';
import { ApplicationError } from './application-error.js';
import { withWindow } from './reports.js';

type Auditing = Pick<Application, 'store' | 'now' | 'tenant'>;

/** The most records that one sample holds: more than people check. */
const mostRecords = 10_000;

/** A sample with what is known by now of the records it was drawn from. */
export interface AuditView extends AuditSample {
  /** Of those judged so far; the share among all that verified lies within its interval. */
  readonly defectRate: EstimatedShare;
}

/** Draws verified records by chance; the same seed, size and filter are the same sample, drawn once. */
export async function drawAudit(
  { store, now, tenant }: Auditing,
  request: { readonly size: number; readonly seed: number; readonly filter: ReportFilter },
): Promise<AuditView> {
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
  return viewAudit(sample);
}

export async function listAudits({ store }: Auditing, page: PageRequest): Promise<Page<AuditView>> {
  const { items, nextCursor } = await store.audits.list({}, page);
  return { items: items.map(viewAudit), nextCursor };
}

/** @throws ApplicationError `not_found` */
export async function readAudit(
  { store }: Auditing,
  id: string,
): Promise<{ readonly audit: AuditView; readonly items: readonly AuditItem[] }> {
  const audit = await store.audits.find(id);
  if (audit === null)
    throw new ApplicationError('not_found', `There is no audit "${id}", or several begin so.`);
  return { audit: viewAudit(audit), items: await store.audits.items(audit.id) };
}

/** What keeping one verdict came to. */
export interface JudgedRecord {
  readonly extractionId: string;
  readonly verdict: AuditVerdict;
  /** Null when it was the first verdict on this record. */
  readonly before: AuditVerdict | null;
}

/**
 * Keeps verdicts on drawn records, one after the other; the same again changes nothing.
 * @throws ApplicationError `not_found` for a record that no sample holds; verdicts before it are kept.
 */
export async function judgeRecords(
  { store, now }: Auditing,
  verdicts: readonly { readonly id: string; readonly verdict: AuditVerdict }[],
  actor: string,
): Promise<readonly JudgedRecord[]> {
  const kept: JudgedRecord[] = [];
  for (const { id, verdict } of verdicts) {
    const judged = await store.audits.judge({ key: id, verdict, actor, at: now() });
    if (judged.kind !== 'judged') throw new ApplicationError('not_found', whyNot[judged.kind](id));
    kept.push({ extractionId: judged.key, verdict, before: judged.before });
  }
  return kept;
}

const whyNot = {
  ambiguous: (id: string) => `Several drawn records begin with "${id}": give more of the id.`,
  not_drawn: (id: string) =>
    `No audit has drawn "${id}": only drawn records are judged, since picked ones say nothing about the rest.`,
};

function viewAudit(sample: AuditSample): AuditView {
  return { ...sample, defectRate: shareOf(sample.wrong, sample.right + sample.wrong) };
}

/** In one order, whatever the order in which they were given. */
function entriesOf(filter: ReportFilter): readonly (readonly [string, unknown])[] {
  return Object.entries(filter).sort(([one], [other]) => (one < other ? -1 : 1));
}
