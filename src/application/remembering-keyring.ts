import { createHash } from 'node:crypto';
import type { Principal } from '../domain/principal.js';
import { StoreUnavailable } from '../ports/store.js';
import type { Keyring } from './api-keys.js';

/** How long the store is waited for where its last answer is known. */
const patienceMs = 1_000;
/** How old that answer may be: a key may have been revoked meanwhile. */
const oldestMs = 15 * 60_000;

/**
 * A keyring that says for a quarter of an hour whom the store let in, while that does not answer: for what must be seen
 * then most of all. Whoever never got in does not get in meanwhile, and neither does who has no key: there may be one by
 * now. A refusal counts from when it arrives, however late.
 * @param now epoch ms
 */
export function rememberingKeyring(keyring: Keyring, now: () => number): Keyring {
  const known = new Map<string, { readonly at: number; readonly principal: Principal }>();
  let questions = 0;
  let refused = 0;

  const ask = async (secret: string, print: string): Promise<Principal | null> => {
    const at = now();
    questions += 1;
    const question = questions;
    const principal = await keyring.principalOfKey(secret);
    if (principal === null) {
      known.delete(print);
      refused = Math.max(refused, question);
      // An answer that a later refusal overtook may be from before the key was revoked.
    } else if (question > refused) known.set(print, { at, principal });
    return principal;
  };

  return {
    principalOfKey: (secret) => {
      const print = createHash('sha256').update(secret).digest('hex');
      const answer = ask(secret, print);
      const last = known.get(print);
      if (last === undefined) return answer;
      const age = now() - last.at;
      return age >= 0 && age < oldestMs ? orLast(answer, last.principal) : answer;
    },
    hasKeys: () => keyring.hasKeys(),
  };
}

/** `last` where the answer is late or the store is away. */
async function orLast<T>(answer: Promise<T>, last: T): Promise<T> {
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
