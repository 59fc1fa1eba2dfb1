import type { ApiKeyColumns, TrailColumns } from './tables/access.js';
import type { BatchColumns, BatchDocumentColumns } from './tables/batches.js';
import type { Documents, LooseObjects, Retention } from './tables/documents.js';
import type {
  AttemptColumns,
  CallColumns,
  DeadLetterColumns,
  ExtractionColumns,
  RecordColumns,
  SpecVersions,
} from './tables/extractions.js';
import type { AuditItems, Audits, AuditVerdicts, Evaluations } from './tables/measures.js';
import type { ReviewDrafts, ReviewEventColumns, ReviewTaskColumns } from './tables/reviews.js';
import type { Breakers, Permits, RepairSwitches, TenantRules, Traffic } from './tables/traffic.js';

/** The tables as Kysely sees them; the migrations are their source. */
export interface Tables {
  documents: Documents;
  loose_objects: LooseObjects;
  spec_versions: SpecVersions;
  extractions: ExtractionColumns;
  attempts: AttemptColumns;
  calls: CallColumns;
  records: RecordColumns;
  verified_records: RecordColumns;
  dead_letters: DeadLetterColumns;
  review_tasks: ReviewTaskColumns;
  review_events: ReviewEventColumns;
  review_drafts: ReviewDrafts;
  permits: Permits;
  repair_gates: { spec_id: string };
  repair_switches: RepairSwitches;
  tenant_limits: TenantRules;
  traffic: Traffic;
  retention: Retention;
  api_keys: ApiKeyColumns;
  batches: BatchColumns;
  batch_documents: BatchDocumentColumns;
  audits: Audits;
  audit_items: AuditItems;
  audit_verdicts: AuditVerdicts;
  evaluations: Evaluations;
  trail: TrailColumns;
  breakers: Breakers;
  batch_caps: { batch_id: string; at: number; cap: number };
}
