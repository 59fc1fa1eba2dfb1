import type { TrailEntry } from '../../ports/trail-store.js';
import { instant } from './instant.js';

/** One change that somebody made. */
export interface TrailView {
  readonly at: string;
  readonly actor: string;
  readonly keyId: string;
  readonly action: string;
  readonly subject: string;
  readonly tenant: string | null;
  readonly requestId: string | null;
}

export function viewTrail({ at, actor, keyId, action, subject, tenant, requestId }: TrailEntry): TrailView {
  return { at: instant(at), actor, keyId, action, subject, tenant, requestId };
}
