import type { Json } from './columns.js';

export interface Audits {
  id: string;
  seed: number;
  size: number;
  filter: Json;
  drawn_at: number;
}

export interface AuditItems {
  audit: string;
  place: number;
  key: string;
  run: number;
}

export interface AuditVerdicts {
  key: string;
  run: number;
  verdict: 'right' | 'wrong';
  actor: string;
  at: number;
}

export interface Evaluations {
  id: string;
  spec_id: string;
  schema_version: string;
  prompt_version: string;
  tenant: string;
  truth_set: string;
  ended_at: number;
  evaluation: Json;
}
