import type { Role } from '../../domain/principal.js';
import type { ApiKey } from '../../ports/key-store.js';
import { instant, instantOrNull } from './instant.js';

/** A key as it is shown; its secret is nowhere. */
export interface KeyView {
  readonly id: string;
  readonly name: string;
  /** Null: all tenants. */
  readonly tenant: string | null;
  readonly roles: readonly Role[];
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
  readonly revokedAt: string | null;
}

export function viewKey({ keyId, name, tenant, roles, createdAt, lastUsedAt, revokedAt }: ApiKey): KeyView {
  return {
    id: keyId,
    name,
    tenant,
    roles,
    createdAt: instant(createdAt),
    lastUsedAt: instantOrNull(lastUsedAt),
    revokedAt: instantOrNull(revokedAt),
  };
}
