import type { GeneratedAlways } from 'kysely';
import type { Numeric } from './columns.js';

export interface Permits {
  key: string;
  run: number;
  attempt: number;
  spec_id: string;
  granted: boolean;
  /** Null when it was granted, or denied before anybody could pause repairs. */
  denied_because: 'budget' | 'paused' | null;
  at: number;
}

export interface RepairSwitches {
  number: GeneratedAlways<number>;
  spec_id: string | null;
  paused: boolean;
  actor: string;
  reason: string | null;
  at: number;
}

export interface Traffic {
  spec_id: string;
  second: number;
  primaries: number;
}

export interface TenantRules {
  tenant: string;
  most_open: number | null;
  per_second: Numeric | null;
  set_at: number;
}

export interface Breakers {
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
