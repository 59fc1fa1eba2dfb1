import type { FailureClass } from '../../domain/failure-class.js';
import type { AuditItem, AuditVerdict } from '../../ports/audit-store.js';
import type { EstimatedShare } from '../../reports/estimated-share.js';
import type { Audit } from '../audits.js';
import { instant, instantOrNull } from './instant.js';

/** A sample of verified records, what it was drawn from, and what people said of them so far. */
export interface AuditView {
  readonly id: string;
  readonly seed: number;
  readonly size: number;
  readonly drawnAt: string;
  readonly spec: string | null;
  readonly version: string | null;
  readonly failureClass: FailureClass | null;
  readonly tenant: string | null;
  readonly since: string | null;
  readonly until: string | null;
  readonly drawn: number;
  readonly right: number;
  readonly wrong: number;
  readonly defectRate: EstimatedShare;
}

export function viewAudit({
  id,
  seed,
  size,
  drawnAt,
  filter,
  drawn,
  right,
  wrong,
  defectRate,
}: Audit): AuditView {
  return {
    ...{ id, seed, size, drawnAt: instant(drawnAt) },
    spec: filter.specId ?? null,
    version: filter.promptVersion ?? null,
    failureClass: filter.failureClass ?? null,
    tenant: filter.tenant ?? null,
    since: instantOrNull(filter.since ?? null),
    until: instantOrNull(filter.until ?? null),
    ...{ drawn, right, wrong, defectRate },
  };
}

/** One drawn record; `id` is its extraction. */
export interface AuditRecordView {
  readonly id: string;
  readonly run: number;
  readonly tenant: string;
  readonly spec: string;
  readonly promptVersion: string;
  readonly attempt: number;
  readonly fileName: string | null;
  readonly verdict: AuditVerdict | null;
  readonly actor: string | null;
  readonly judgedAt: string | null;
}

export function viewAuditRecord({ key, specId, judgedAt, ...item }: AuditItem): AuditRecordView {
  return { ...item, id: key, spec: specId, judgedAt: instantOrNull(judgedAt) };
}
