import type { Generated, GeneratedAlways } from 'kysely';
import type { Json } from './columns.js';

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
