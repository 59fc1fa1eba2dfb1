import type { ColumnType, GeneratedAlways } from 'kysely';
import type { Json, NullableJson, Numeric, RunColumns } from './columns.js';

export interface SpecVersions {
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
