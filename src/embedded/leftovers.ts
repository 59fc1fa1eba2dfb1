import { isGoneWithin, type ProcessRecord, stopProcess } from './process.js';
import { isAlive } from './process-identity.js';
import { readStackFile, removeStackFile } from './stack-file.js';

/** How long a guard may take to stop everything before we do it ourselves. */
const guardMs = 60_000;

/**
 * Ends what a supervisor that was killed has left behind in `home`. The guard is given time to do so first; if it was
 * killed too, all but Postgres is stopped here: that one is taken over as it is. Call it under the stack's lock.
 *
 * @returns whether there was anything to end.
 */
export async function repair(home: string): Promise<boolean> {
  const stack = readStackFile(home);
  if (stack === undefined) return false;
  if (stack.guard !== undefined) await isGoneWithin(stack.guard, guardMs);
  const leftovers = stack.processes.filter((record) => isAlive(record));
  await stopLeftovers(leftovers.filter((record) => record.name !== 'postgres'));
  removeStackFile(home);
  return leftovers.length > 0;
}

/** Stops processes one after the other, the last started first: each still has what it depends on while it ends. */
export async function stopLeftovers(records: readonly ProcessRecord[]): Promise<void> {
  for (const record of records.toReversed()) await stopProcess(record);
}
