import type { Page, PageRequest } from './page.js';
import type { ReportFilter } from './report-store.js';

export const auditVerdicts = ['right', 'wrong'] as const;
export type AuditVerdict = (typeof auditVerdicts)[number];

/** Verified records drawn by chance, to be compared with their documents. */
export interface AuditSample {
  readonly id: string;
  readonly seed: number;
  /** How many were asked for; fewer were drawn where there were no more. */
  readonly size: number;
  readonly filter: ReportFilter;
  readonly drawnAt: number;
  readonly drawn: number;
  readonly right: number;
  readonly wrong: number;
}

export interface NewAuditSample {
  /** Made of seed, size and filter: the same draw is the same sample. */
  readonly id: string;
  readonly seed: number;
  readonly size: number;
  readonly filter: ReportFilter;
  readonly at: number;
}

/** One drawn record. `verdict` null: nobody has looked at it yet. */
export interface AuditItem {
  readonly key: string;
  readonly run: number;
  readonly tenant: string;
  readonly specId: string;
  readonly promptVersion: string;
  /** The attempt that verified it. */
  readonly attempt: number;
  readonly fileName: string | null;
  readonly verdict: AuditVerdict | null;
  readonly actor: string | null;
  readonly judgedAt: number | null;
}

/** `before`: what stood there; null when it was the first verdict. `not_drawn`: no sample holds such a record. */
export type Judged =
  | {
      readonly kind: 'judged';
      readonly key: string;
      readonly tenant: string;
      readonly before: AuditVerdict | null;
    }
  | { readonly kind: 'not_drawn' | 'ambiguous' };

export interface AuditStore {
  /**
   * Draws from the runs that verified and whose document is still there, each as likely as the other, and keeps what was
   * drawn: drawing the same id again gives the same records, whatever was verified since.
   */
  draw(sample: NewAuditSample): Promise<AuditSample>;
  /** `id` may be a unique prefix. */
  find(id: string): Promise<AuditSample | null>;
  /** Newest first; of one tenant: those that were drawn from its runs alone. */
  list(filter: { readonly tenant?: string }, page: PageRequest): Promise<Page<AuditSample>>;
  /** What was drawn, in the order of the draw. */
  items(id: string): Promise<readonly AuditItem[]>;
  /** Keeps a verdict on a drawn record, of this tenant if one is named; a later one replaces it. `key` may be a unique prefix. */
  judge(verdict: {
    readonly key: string;
    readonly tenant?: string;
    readonly verdict: AuditVerdict;
    readonly actor: string;
    readonly at: number;
  }): Promise<Judged>;
}
