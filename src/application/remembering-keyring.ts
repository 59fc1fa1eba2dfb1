import { createHash } from 'node:crypto';
import type { Principal } from '../domain/principal.js';
import { StoreUnavailable } from '../ports/store.js';
import type { Keyring } from './api-keys.js';

/** How long the store is waited for where its last answer is known. */
const patienceMs = 1_000;

/**
 * A keyring that says what it said last while the store does not answer: for what must be seen then most of all. A key
 * that the store refused is forgotten; who never got in does not get in meanwhile.
 */
export function rememberingKeyring(keyring: Keyring): Keyring {
  const principals = new Map<string, Principal>();
  let hadKeys: boolean | undefined;
  return {
    principalOfKey: async (secret) => {
      const print = createHash('sha256').update(secret).digest('hex');
      const principal = await orLast(keyring.principalOfKey(secret), principals.get(print));
      if (principal === null) principals.delete(print);
      else principals.set(print, principal);
      return principal;
    },
    hasKeys: async () => {
      hadKeys = await orLast(keyring.hasKeys(), hadKeys);
      return hadKeys;
    },
  };
}

async function orLast<T>(answer: Promise<T>, last: T | undefined): Promise<T> {
  if (last === undefined) return await answer;
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<T>((resolve) => {
    timer = setTimeout(resolve, patienceMs, last);
  });
  try {
    return await Promise.race([answer, patience]);
  } catch (error) {
    if (error instanceof StoreUnavailable) return last;
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
