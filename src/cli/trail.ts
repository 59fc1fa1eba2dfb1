import { machineUser } from '../application/machine-user.js';
import { type Changed, keepTrail } from '../application/trail.js';
import type { Store } from '../ports/store.js';
import type { CliContext } from './context.js';

/** What a command is about to change. */
export interface CommandChange {
  /** The operation as the API names it, or a word of its own where the API has none. */
  readonly action: string;
  readonly subject?: string;
  /** Null, or left out: no single tenant's, or not known yet. */
  readonly tenant?: string | null;
  /** In whose name; this machine's user unless told. */
  readonly actor?: string;
}

/**
 * Carries out a change of whoever sits at this command line, and writes it down as the API does. `changed` reads from the
 * result what was changed, by its whole id.
 */
export function changing<T>(
  context: Pick<CliContext, 'now'>,
  store: Store,
  { action, subject = '', tenant = null, actor = machineUser }: CommandChange,
  work: () => Promise<T>,
  changed?: (result: T) => Changed,
): Promise<T> {
  const change = { keyId: 'cli', actor, action, subject, tenant, requestId: null };
  return keepTrail({ store, now: () => context.now() }, change, work, changed);
}
