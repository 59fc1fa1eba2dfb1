import type { ApiKey, KeyStore } from '../../../src/ports/key-store.js';

export function createMemoryKeys(): KeyStore {
  const keys = new Map<string, ApiKey & { readonly hash: string }>();
  const active = () => [...keys.values()].filter(({ revokedAt }) => revokedAt === null);
  return {
    add: async ({ at, ...key }) => {
      if (active().some(({ name }) => name === key.name)) return null;
      keys.set(key.keyId, { ...key, createdAt: at, revokedAt: null, lastUsedAt: null });
      return shown(keys.get(key.keyId));
    },
    find: async (keyId) => keys.get(keyId) ?? null,
    list: async ({ tenant }) =>
      [...keys.values()]
        .filter((key) => tenant === undefined || key.tenant === tenant)
        .flatMap((key) => shown(key) ?? []),
    revoke: async (idOrName, at) => {
      const key = active().find(({ keyId, name }) => keyId === idOrName || name === idOrName);
      if (key === undefined) return null;
      keys.set(key.keyId, { ...key, revokedAt: at });
      return shown(keys.get(key.keyId));
    },
    touch: async (keyId, at) => {
      const key = keys.get(keyId);
      if (key !== undefined) keys.set(keyId, { ...key, lastUsedAt: at });
    },
    any: async () => active().length > 0,
  };
}

function shown(key: (ApiKey & { readonly hash: string }) | undefined): ApiKey | null {
  if (key === undefined) return null;
  const { hash: _hash, ...rest } = key;
  return rest;
}
