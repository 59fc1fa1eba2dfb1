import type { Role } from '../domain/principal.js';

/** A key as it may be shown: its secret is nowhere. */
export interface ApiKey {
  /** 12 lower-case hex digits; stands in the secret as well. */
  readonly keyId: string;
  readonly name: string;
  /** Null: all tenants. */
  readonly tenant: string | null;
  readonly roles: readonly Role[];
  readonly createdAt: number;
  readonly revokedAt: number | null;
  /** To the minute. */
  readonly lastUsedAt: number | null;
}

export interface NewApiKey extends Pick<ApiKey, 'keyId' | 'name' | 'tenant' | 'roles'> {
  /** SHA-256 of the secret, lower-case hex. */
  readonly hash: string;
  readonly at: number;
}

export interface KeyStore {
  /** Null when an active key has this name. */
  add(key: NewApiKey): Promise<ApiKey | null>;
  /** By its whole id, also a revoked one; null when there is none. */
  find(keyId: string): Promise<(ApiKey & { readonly hash: string }) | null>;
  /** The oldest first; of one tenant, its own only. */
  list(filter: { readonly tenant?: string }): Promise<readonly ApiKey[]>;
  /** By its whole id or the name of an active key. Null when there is no such active key. */
  revoke(idOrName: string, at: number): Promise<ApiKey | null>;
  /** Remembers that it was used; writes at most once a minute for each key. */
  touch(keyId: string, at: number): Promise<void>;
  /** Whether any key is active. */
  any(): Promise<boolean>;
}
