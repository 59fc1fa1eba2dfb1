import type { RunRef } from '../domain/extraction-input.js';
import type { RepairBudget } from '../domain/repair-budget.js';
import type { AttemptStore } from './attempt-store.js';
import type { AuditStore } from './audit-store.js';
import type { BatchStore } from './batch-store.js';
import type { BreakerStore } from './breaker-store.js';
import type { DeadLetterStore } from './dead-letter-store.js';
import type { EvaluationStore } from './evaluation-store.js';
import type { ExtractionStore } from './extraction-store.js';
import type { FoldStore } from './fold-store.js';
import type { GaugeStore } from './gauge-store.js';
import type { IdempotencyStore } from './idempotency-store.js';
import type { KeyStore } from './key-store.js';
import type { RecordStore } from './record-store.js';
import type { ReportStore } from './report-store.js';
import type { RetentionStore } from './retention-store.js';
import type { ReviewStore } from './review-store.js';
import type { TenantStore } from './tenant-store.js';
import type { TrailStore } from './trail-store.js';
import type { WebhookStore } from './webhook-store.js';

export interface StoredDocument {
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

export interface DocumentStore {
  /** Stores bytes once per (tenant, SHA-256), as old as their last submission. Returns the lower-case hex hash. */
  put(document: StoredDocument & { readonly tenant: string; readonly at: number }): Promise<string>;
  /** Which of these hashes this tenant has stored. */
  stored(tenant: string, hashes: readonly string[]): Promise<ReadonlySet<string>>;
  /** As old as this instant from now on; false when this tenant does not have it. */
  touch(tenant: string, hash: string, at: number): Promise<boolean>;
  /** Null when this tenant never stored it, or it was erased. */
  load(tenant: string, hash: string): Promise<StoredDocument | null>;
}

/** Contents behind a spec's version labels, as SHA-256 hex. */
export interface SpecLabels {
  readonly specId: string;
  readonly schemaVersion: string;
  readonly schemaHash: string;
  /** How the rules behind the schema's label were made; null: whoever made the spec did not say. */
  readonly rulesHash: string | null;
  readonly promptVersion: string;
  readonly promptHash: string;
}

export type LabelCheck =
  | { readonly kind: 'honest' }
  | { readonly kind: 'changed'; readonly label: 'schema' | 'prompt'; readonly version: string };

/** A label, and the content that it has stood for since it was first used (epoch ms). */
export interface UsedLabel {
  readonly label: 'schema' | 'prompt';
  readonly version: string;
  readonly hash: string;
  readonly firstUsedAt: number;
}

export interface SpecVersionStore {
  /** Remembers what stands behind a label the first time it is seen, and refuses a label whose content changed. */
  register(labels: SpecLabels, at: number): Promise<LabelCheck>;
  /** The same question without remembering anything: labels never seen are honest. */
  check(labels: SpecLabels): Promise<LabelCheck>;
  /** Every label of a spec that was ever used, the newest first. */
  used(specId: string): Promise<readonly UsedLabel[]>;
}

export interface TrafficStore {
  /**
   * A permit for one repair, exact under concurrency and shared by all workers. Asking again for the same
   * (key, run, attempt) returns the first answer. Granted permits are not refunded.
   */
  takePermit(ask: {
    readonly ref: RunRef;
    readonly attempt: number;
    readonly budget: RepairBudget;
    readonly at: number;
  }): Promise<boolean>;
  /** Once it resolves, no worker gets a permit that this forbids. */
  switchRepairs(change: RepairSwitch): Promise<void>;
  /** The newest switch of all specs together (`specId` null) and of each spec that was ever switched. */
  switches(): Promise<readonly RepairSwitch[]>;
  /** What happened to a spec's repairs since this instant (epoch ms). */
  repairTraffic(specId: string, since: number): Promise<RepairTraffic>;
}

/** An operator pauses or resumes the repairs of one spec, or of all (`specId` null). All of these are kept. */
export interface RepairSwitch {
  readonly specId: string | null;
  readonly paused: boolean;
  readonly actor: string;
  readonly reason: string | null;
  readonly at: number;
}

/** Primary calls, and what became of those who asked for a permit. */
export interface RepairTraffic {
  readonly primaries: number;
  readonly granted: number;
  readonly deniedByBudget: number;
  readonly deniedByPause: number;
}

/** Everything durable. One adapter (Postgres); one contract suite. */
export interface Store {
  readonly documents: DocumentStore;
  readonly specVersions: SpecVersionStore;
  readonly extractions: ExtractionStore;
  readonly attempts: AttemptStore;
  readonly records: RecordStore;
  readonly deadLetters: DeadLetterStore;
  readonly reviews: ReviewStore;
  readonly reports: ReportStore;
  readonly folds: FoldStore;
  readonly audits: AuditStore;
  readonly evaluations: EvaluationStore;
  readonly traffic: TrafficStore;
  readonly tenants: TenantStore;
  readonly batches: BatchStore;
  readonly retention: RetentionStore;
  readonly webhooks: WebhookStore;
  readonly gauges: GaugeStore;
  readonly breakers: BreakerStore;
  readonly keys: KeyStore;
  readonly trail: TrailStore;
  readonly idempotency: IdempotencyStore;
  /** Resolves when the database answers and its schema is the one this code expects; throws StoreUnavailable otherwise. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** The document of a run was erased: nothing can be added to it any more. */
export class DocumentErased extends Error {
  override readonly name = 'DocumentErased';

  constructor() {
    super('The document of this run was erased.');
  }
}

/** The store cannot be reached, or is not migrated. The message is fit for a person and names no secret. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
}
