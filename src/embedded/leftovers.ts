import { isGoneWithin, type ProcessRecord, stopProcess } from './process.js';
import { isAlive } from './process-identity.js';
import { readStackFile, removeStackFile } from './stack-file.js';

/** How long a guard may take to stop everything before we do it ourselves. */
const guardMs = 60_000;

/**
 * Ends what a supervisor that was killed has left behind in `home`. The guard is given time to do so first; if it was
 * killed too, all but Postgres is stopped here: that one is taken over as it is. Call it under the stack's lock.
 *
 * @param onProgress told in words when there is anything to end.
 */
export async function repair(home: string, onProgress: (message: string) => void): Promise<void> {
  const stack = readStackFile(home);
  if (stack === undefined) return;
  if (stack.processes.some(isAlive)) onProgress('ending what an earlier run has left behind');
  if (stack.guard !== undefined) await isGoneWithin(stack.guard, guardMs);
  await stopLeftovers(stack.processes.filter((record) => record.name !== 'postgres'));
  removeStackFile(home);
}

/** Stops processes one after the other, the last started first: each still has what it depends on while it ends. */
export async function stopLeftovers(records: readonly ProcessRecord[]): Promise<void> {
  for (const record of records.toReversed()) await stopProcess(record);
}
