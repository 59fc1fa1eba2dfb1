import { describe, expect, it } from 'vitest';
import type { NewApiKey } from '../../../src/ports/key-store.js';
import { type StoreUnderTest, sha } from './fixtures.js';

let serial = 0;
const newKey = (given: Partial<NewApiKey> = {}): NewApiKey => {
  serial += 1;
  const keyId = sha(`key ${serial}`).slice(0, 12);
  return {
    keyId,
    name: `key-${serial}`,
    tenant: `keys-${serial}`,
    roles: ['read'],
    hash: sha(keyId),
    at: serial,
    ...given,
  };
};

export function keyCases(store: StoreUnderTest): void {
  describe('a key', () => {
    it('is found by its whole id with its hash, and listed without', async () => {
      const key = newKey({ roles: ['submit', 'read'] });
      const { hash, at, ...shown } = key;
      const stored = { ...shown, createdAt: at, revokedAt: null, lastUsedAt: null };
      expect(await store().keys.add(key)).toEqual(stored);
      expect(await store().keys.find(key.keyId)).toEqual({ ...stored, hash });
      expect(await store().keys.find(key.keyId.slice(0, 11))).toBeNull();
      expect(await store().keys.list({ tenant: key.tenant ?? '' })).toEqual([stored]);
      expect(await store().keys.list({})).toContainEqual(stored);
      expect(await store().keys.any()).toBe(true);
    });

    it('is of no tenant when it operates, or reads metrics and nothing else', async () => {
      for (const roles of [['operate'], ['metrics'], ['read', 'operate', 'metrics']] as const) {
        const added = await store().keys.add(newKey({ tenant: null, roles }));
        expect(added).toMatchObject({ tenant: null, roles });
      }
    });

    it('has a name that no other active key has, however many ask at once', async () => {
      const { name } = newKey();
      const added = await Promise.all(Array.from({ length: 6 }, () => store().keys.add(newKey({ name }))));
      const [key, ...more] = added.filter((one) => one !== null);
      expect(more).toEqual([]);
      expect(await store().keys.revoke(name, 77)).toEqual({ ...key, revokedAt: 77 });
      expect(await store().keys.revoke(name, 78)).toBeNull();
      expect(await store().keys.find(key?.keyId ?? '')).toMatchObject({ revokedAt: 77 });
      expect(await store().keys.add(newKey({ name }))).not.toBeNull();
    });

    it('is revoked by its id as well', async () => {
      const key = newKey();
      await store().keys.add(key);
      expect(await store().keys.revoke(key.keyId, 5)).toMatchObject({ name: key.name, revokedAt: 5 });
    });

    it('remembers to the minute when it was last used', async () => {
      const { keyId, ...key } = newKey();
      await store().keys.add({ keyId, ...key });
      const lastUsed = async () => (await store().keys.find(keyId))?.lastUsedAt;
      await store().keys.touch(keyId, 1_000_000);
      await store().keys.touch(keyId, 1_059_999);
      expect(await lastUsed()).toBe(1_000_000);
      await store().keys.touch(keyId, 1_060_000);
      expect(await lastUsed()).toBe(1_060_000);
    });
  });
}
