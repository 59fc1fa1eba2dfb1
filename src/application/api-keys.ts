import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { environmentPrincipal, type Principal, type Role, reservedNames } from '../domain/principal.js';
import type { ApiKey } from '../ports/key-store.js';
import type { Application } from './application.js';
import { ApplicationError } from './application-error.js';
import { assertLabels } from './intake.js';

type Keys = Pick<Application, 'store' | 'now'>;

export interface NewKey {
  readonly name: string;
  /** Null: all tenants, for keys that operate or read metrics only. */
  readonly tenant: string | null;
  readonly roles: readonly Role[];
}

const nameForm = /^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$/;
/** What the secret looks like; secret scanners may search for it. */
const secretForm = /^endstop_([0-9a-f]{12})_[A-Za-z0-9_-]{43}$/;

/**
 * Makes a key. The secret is shown to whoever asked for it, this once; only its hash is stored.
 * Throws ApplicationError `invalid_request` for a name, tenant or roles that cannot be used.
 */
export async function createKey(
  { store, now }: Keys,
  { name, tenant, roles }: NewKey,
): Promise<{ readonly key: ApiKey; readonly secret: string }> {
  if (!nameForm.test(name) || reservedNames.includes(name)) {
    throw invalid(
      `A key's name is 1 to 64 letters, digits, ".", "_", "@" or "-", starting with a letter or digit, and not ${reservedNames.join(' or ')}.`,
    );
  }
  if (tenant !== null) assertLabels({ tenant, tags: [], mediaType: null });
  if (roles.length === 0) throw invalid('A key needs at least one role.');
  if (tenant !== null && roles.includes('metrics')) {
    throw invalid('Metrics count all tenants together: make a key with the role "metrics" for all of them.');
  }
  if (tenant === null && !roles.includes('operate') && roles.some((role) => role !== 'metrics')) {
    throw invalid(
      'Only a key with the role "operate", or with no role but "metrics", may be for all tenants: name one tenant for this key.',
    );
  }
  const keyId = randomBytes(6).toString('hex');
  const secret = `endstop_${keyId}_${randomBytes(32).toString('base64url')}`;
  const hash = digest(secret).toString('hex');
  const key = await store.keys.add({ keyId, name, tenant, roles: [...new Set(roles)], hash, at: now() });
  if (key !== null) return { key, secret };
  throw invalid(`There is an active key named "${name}": revoke it first, or choose another name.`);
}

/** From now on the key opens nothing. Throws ApplicationError `not_found` when no active key has this id or name. */
export async function revokeKey({ store, now }: Keys, idOrName: string): Promise<ApiKey> {
  const key = await store.keys.revoke(idOrName, now());
  if (key !== null) return key;
  throw new ApplicationError(
    'not_found',
    'No active key has this id or name; `endstop keys list` shows them.',
  );
}

/** Tells whose key a secret is. */
export interface Keyring {
  /** Null: nobody's, or it was revoked. Takes the same time whatever part of it is right. */
  principalOfKey(secret: string): Promise<Principal | null>;
  /** Whether there is any key. */
  hasKeys(): Promise<boolean>;
}

/** `environmentKey`: what ENDSTOP_API_KEY holds; it has all roles and sees all tenants. */
export function createKeyring(app: Keys, environmentKey: string | null): Keyring {
  const environment = environmentKey === null ? null : digest(environmentKey);
  const touched = new Map<string, number>();
  /** Writing is not waited for, and is no reason to refuse anybody. */
  const touch = (keyId: string) => {
    const at = app.now();
    if (at - (touched.get(keyId) ?? 0) < 60_000) return;
    touched.set(keyId, at);
    app.store.keys.touch(keyId, at).catch(() => undefined);
  };
  return {
    async principalOfKey(secret) {
      const given = digest(secret);
      if (environment !== null && timingSafeEqual(given, environment)) return environmentPrincipal;
      const keyId = secretForm.exec(secret)?.[1];
      if (keyId === undefined) return null;
      const key = await app.store.keys.find(keyId);
      if (key === null || !timingSafeEqual(given, Buffer.from(key.hash, 'hex'))) return null;
      if (key.revokedAt !== null) return null;
      touch(keyId);
      return { keyId, name: key.name, tenant: key.tenant, roles: key.roles };
    },
    hasKeys: async () => environment !== null || (await app.store.keys.any()),
  };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function invalid(message: string): ApplicationError {
  return new ApplicationError('invalid_request', message);
}
