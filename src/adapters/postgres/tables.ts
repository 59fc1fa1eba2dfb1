import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

/** A jsonb column: parsed on the way out, text made by `json()` on the way in. */
type Json = ColumnType<unknown, string, string>;
type NullableJson = ColumnType<unknown, string | null, string | null>;
/** A numeric column: exact text both ways. */
type Numeric = string;

export interface RunColumns {
  key: string;
  run: number;
  tenant: string;
  subject: string;
  document_hash: string;
  spec_id: string;
  schema_version: string;
  prompt_version: string;
}

interface Documents {
  tenant: string;
  hash: string;
  media_type: string;
  /** Null: in object storage, under `object_key`. */
  bytes: Buffer | null;
  object_key: string | null;
  stored_at: number;
}

interface LooseObjects {
  object_key: string;
  due_at: number;
}

interface SpecVersions {
  spec_id: string;
  label: 'schema' | 'prompt';
  version: string;
  hash: string;
  first_seen_at: number;
}

export interface ExtractionColumns extends RunColumns {
  state: 'open' | 'closed';
  outcome: 'verified' | 'unverified' | null;
  reason: string | null;
  failure_class: string | null;
  diagnosis: NullableJson;
  route: string | null;
  attempts: number | null;
  policy: Json;
  tags: string[];
  batch_id: string | null;
  file_name: string | null;
  /** Of runs before the workers said it: what their submitter believed. */
  provider: ColumnType<string | null, never, never>;
  started_at: number;
  deadline_at: number;
  closed_at: number | null;
  erased_at: number | null;
}

export interface AttemptColumns {
  key: string;
  run: number;
  attempt: number;
  tenant: string;
  report: Json;
  problems: Json;
  contradiction: NullableJson;
  candidate: NullableJson;
  evidence: Json;
  ungrounded: string[];
  feedback: string | null;
  verifier_version: string;
  at: number;
}

export interface CallColumns {
  call_id: GeneratedAlways<number>;
  key: string;
  run: number;
  attempt: number;
  tenant: string;
  lane: string;
  model: string;
  provider: string | null;
  activity_id: string;
  state: 'open' | 'answered' | 'failed';
  fault_class: string | null;
  status: number | null;
  request_id: string | null;
  usage: NullableJson;
  tokens: number;
  cost: Numeric;
  currency: string;
  known: boolean;
  started_at: number;
  ended_at: number | null;
}

export interface RecordColumns extends RunColumns {
  source: 'model' | 'fallback' | 'best_effort' | 'human';
  verification_status: string;
  by_person: GeneratedAlways<number>;
  record: NullableJson;
  evidence: Json;
  ungrounded: string[];
  unmet: Json;
  normalisations: Json;
  verifier_version: string;
  template: string | null;
  at: number;
  refuted_at: number | null;
}

export interface DeadLetterColumns extends RunColumns {
  reason: string;
  failure_class: string | null;
  policy: Json;
  tags: string[];
  file_name: string | null;
  at: number;
  state: 'parked' | 'redriven' | 'recovered';
  redriven_key: string | null;
  redriven_run: number | null;
  /** Null once it is settled what became of the run it was redriven into. */
  taken_at: number | null;
}

export interface ReviewTaskColumns extends RunColumns {
  id: string;
  kind: Generated<'exhausted' | 'sample'>;
  state: 'open' | 'decided' | 'withdrawn';
  version: Generated<number>;
  /** What made this version. */
  change: Generated<'opened' | 'renewed' | 'reopened'>;
  reason: string | null;
  failure_class: string | null;
  best_attempt: number | null;
  amount: Numeric | null;
  currency: string | null;
  weight: GeneratedAlways<Numeric>;
  holder: string | null;
  lease_expires_at: number | null;
  created_at: number;
  due_at: number | null;
  escalated_at: number | null;
  decided_at: number | null;
  verdict: string | null;
  withdrawn_by: string | null;
  withdrawn_from: string | null;
  erased_at: number | null;
}

export interface ReviewEventColumns {
  event_id: Generated<string>;
  number: GeneratedAlways<number>;
  review: string;
  subject: string;
  tenant: string;
  kind: string;
  actor: string | null;
  verb: string | null;
  values: NullableJson;
  original: NullableJson;
  note: string | null;
  overrides: Generated<string[]>;
  version: number | null;
  holder: string | null;
  lease_expires_at: number | null;
  /** As `<key>/<run>`. */
  by_run: string | null;
  at: number;
  applied_at: number | null;
}

interface ReviewDrafts {
  review: string;
  holder: string;
  version: number;
  values: NullableJson;
  note: string | null;
  at: number;
}

interface Retention {
  tenant: string;
  document_days: number;
  record_days: number | null;
  set_at: number;
}

interface Permits {
  key: string;
  run: number;
  attempt: number;
  spec_id: string;
  granted: boolean;
  /** Null when it was granted, or denied before anybody could pause repairs. */
  denied_because: 'budget' | 'paused' | null;
  at: number;
}

interface TenantRules {
  tenant: string;
  most_open: number | null;
  per_second: Numeric | null;
  set_at: number;
}

interface RepairSwitches {
  number: GeneratedAlways<number>;
  spec_id: string | null;
  paused: boolean;
  actor: string;
  reason: string | null;
  at: number;
}

interface Traffic {
  spec_id: string;
  second: number;
  primaries: number;
}

export interface ApiKeyColumns {
  key_id: string;
  name: string;
  tenant: string | null;
  roles: string[];
  hash: string;
  created_at: number;
  revoked_at: number | null;
  last_used_at: number | null;
}

export interface BatchColumns {
  id: string;
  tenant: string;
  name: string | null;
  spec_id: string;
  schema_version: string;
  prompt_version: string;
  policy: Json;
  tags: string[];
  redrive: boolean;
  in_flight: number;
  budget_tokens: number | null;
  deadline_ms: number | null;
  state: 'collecting' | 'running' | 'stopping' | 'cancelled' | 'finished';
  cap: number;
  documents: number | null;
  at: number;
  began_at: number | null;
  deadline_at: number | null;
  ended_at: number | null;
}

export interface BatchDocumentColumns {
  batch_id: string;
  item: string;
  position: GeneratedAlways<number>;
  key: string;
  subject: string;
  document_hash: string;
  file_name: string | null;
  tags: string[];
  state: Generated<'waiting' | 'starting' | 'running' | 'ended'>;
  part: 'own' | 'followed' | 'known' | 'repeated' | 'refused' | null;
  run: number | null;
  outcome: 'verified' | 'unverified' | null;
  reason: string | null;
  attempts: Generated<number>;
  tokens: Generated<number>;
  ended: number | null;
}

interface Audits {
  id: string;
  seed: number;
  size: number;
  filter: Json;
  drawn_at: number;
}

interface AuditItems {
  audit: string;
  place: number;
  key: string;
  run: number;
}

interface Evaluations {
  id: string;
  spec_id: string;
  schema_version: string;
  prompt_version: string;
  tenant: string;
  truth_set: string;
  ended_at: number;
  evaluation: Json;
}

interface Breakers {
  worker: string;
  model: string;
  provider: string;
  state: 'closed' | 'open' | 'half_open';
  since: number;
  cause: string | null;
  next_probe_at: number | null;
  changed_at: number;
  seen_at: number;
}

interface AuditVerdicts {
  key: string;
  run: number;
  verdict: 'right' | 'wrong';
  actor: string;
  at: number;
}

export interface TrailColumns {
  entry_id: GeneratedAlways<number>;
  key_id: string;
  actor: string;
  action: string;
  subject: string;
  tenant: string | null;
  request_id: string | null;
  at: number;
}

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
