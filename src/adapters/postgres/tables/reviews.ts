import type { Generated, GeneratedAlways } from 'kysely';
import type { NullableJson, Numeric, RunColumns } from './columns.js';

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

export interface ReviewDrafts {
  review: string;
  holder: string;
  version: number;
  values: NullableJson;
  note: string | null;
  at: number;
}
