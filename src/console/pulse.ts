import { createHash } from 'node:crypto';
import type { Application } from '../application/application.js';

/** One look at what changes, for all open pages together. */
export interface Pulse {
  readonly everyMs: number;
  /** The same text as long as nothing changed that a page could show. Throws StoreUnavailable, which ends a stream. */
  read(app: Application): Promise<string>;
}

export function createPulse(everyMs = 2_000): Pulse {
  const looks = new Map<string | null, { readonly at: number; readonly text: Promise<string> }>();
  return {
    everyMs,
    read({ store, now, tenant = null }) {
      const at = now();
      const last = looks.get(tenant);
      if (last !== undefined && at - last.at < everyMs / 2) return last.text;
      const text = store.extractions.pulse(null).then(short);
      looks.set(tenant, { at, text });
      return text;
    },
  };
}

/** Readers need to know that something is new, not how much there is. */
function short(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
