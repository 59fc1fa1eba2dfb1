import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { judgeRatio } from './findings.js';

/**
 * Young objects get room for the largest input, and garbage is collected between the samples: otherwise the collector
 * decides the ratios. Under Node's defaults `JSON.parse` alone takes 2.5 to 6 times as long for twice the size where
 * its result outgrows the nursery, and one size pays for what another left behind.
 */
const heap = ['--expose-gc', '--min-semi-space-size=128', '--max-semi-space-size=128'];

/** Runs the program at `url` again with that heap, and ends this process with its exit code; nothing when it has it. */
export function needHeap(url: string): void {
  if (heap.every((setting) => process.execArgv.includes(setting))) return;
  const again = [...process.execArgv, ...heap, fileURLToPath(url)];
  process.exit(spawnSync(process.execPath, again, { stdio: 'inherit' }).status ?? 1);
}

export interface Rounds {
  readonly counted: number;
  readonly warmUp: number;
  /** Asking for the time costs some 50 microseconds: short work is repeated within one sample. */
  readonly callsPerSample: number;
}

/**
 * Median milliseconds on the processor of each contender, so that a sample is not longer for having been interrupted
 * by a neighbour. They run in turns: a slow moment of the machine hits all of them.
 */
export function medians<Name extends string>(
  contenders: Record<Name, () => unknown>,
  { counted, warmUp, callsPerSample }: Rounds,
): Record<Name, number> {
  const names = Object.keys(contenders) as Name[];
  const samples = new Map(names.map((name) => [name, [] as number[]]));
  for (let round = -warmUp; round < counted; round += 1) {
    for (const name of names) {
      globalThis.gc?.({ type: 'minor' });
      const before = process.cpuUsage();
      for (let call = 0; call < callsPerSample; call += 1) contenders[name]();
      const { user, system } = process.cpuUsage(before);
      if (round >= 0) samples.get(name)?.push((user + system) / 1000 / callsPerSample);
    }
  }
  const middle = (taken: number[]) =>
    taken.sort((one, other) => one - other)[taken.length >> 1] ?? Number.NaN;
  return Object.fromEntries(names.map((name) => [name, middle(samples.get(name) ?? [])])) as Record<
    Name,
    number
  >;
}

/** Prints whether a ratio holds, and makes the process fail when it does not. */
export function judge(what: string, ratio: number, limit: number): void {
  judgeRatio(what, ratio, { atMost: limit });
}
