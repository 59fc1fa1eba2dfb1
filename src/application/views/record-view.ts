import type { NormalisationCount } from '../../domain/attempt-report.js';
import type { StoredJson } from '../../ports/attempt-store.js';
import type { StoredRecord, VerificationStatus } from '../../ports/record-store.js';
import type { Evidence } from '../../verification/evidence.js';
import type { Problem } from '../../verification/problem.js';
import { instant } from './instant.js';
import { inSpecOrder, type KnownSpecs } from './spec-order.js';

/** One record. Only `verified` and `human_verified` ones are data; the rest say what they lack in `unmet`. */
export interface RecordView<Rec = StoredJson> {
  readonly extractionId: string;
  readonly run: number;
  readonly subject: string;
  readonly spec: string;
  readonly schemaVersion: string;
  readonly promptVersion: string;
  readonly tenant: string;
  readonly documentHash: string;
  readonly verificationStatus: VerificationStatus;
  readonly record: Rec;
  /** Where each value stands in the document. */
  readonly evidence: readonly Evidence[];
  /** Pointers of values that no text layer could ground. */
  readonly ungrounded: readonly string[];
  readonly unmet: readonly Problem[];
  readonly normalisations: readonly NormalisationCount[];
  readonly verifierVersion: string;
  readonly template: string | null;
  readonly at: string;
}

/** Fields in the order of the spec. */
export function viewRecord(row: StoredRecord, specs: KnownSpecs): RecordView {
  return {
    extractionId: row.key,
    run: row.run,
    subject: row.subject,
    spec: row.specId,
    schemaVersion: row.schemaVersion,
    promptVersion: row.promptVersion,
    tenant: row.tenant,
    documentHash: row.documentHash,
    verificationStatus: row.status,
    record: inSpecOrder(specs, row, row.record),
    evidence: row.evidence,
    ungrounded: row.ungrounded,
    unmet: row.unmet,
    normalisations: row.normalisations,
    verifierVersion: row.verifierVersion,
    template: row.template,
    at: instant(row.at),
  };
}
