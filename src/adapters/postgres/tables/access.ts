import type { GeneratedAlways } from 'kysely';

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
