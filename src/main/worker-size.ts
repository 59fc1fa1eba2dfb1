import { availableParallelism, totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import type { Environment } from '../config-error.js';

export interface Machine {
  readonly cores: number;
  /** What this process may use: of its container, or of the whole machine. */
  readonly memoryMib: number;
  readonly heapMib: number;
}

/** Concurrent activities of each lane, and workflows kept in memory. */
export interface WorkerSize {
  readonly first: number;
  readonly repair: number;
  readonly store: number;
  readonly workflows: number;
}

const mib = 1024 * 1024;

export function thisMachine(env: Environment = process.env): Machine {
  // Without a limit the first answers with 0, or with far more than there is; a function's is in its environment alone.
  const limits = [process.constrainedMemory() / mib, Number(env['AWS_LAMBDA_FUNCTION_MEMORY_SIZE'])];
  return {
    cores: availableParallelism(),
    memoryMib: Math.min(totalmem() / mib, ...limits.filter((limit) => limit > 0)),
    heapMib: getHeapStatistics().heap_size_limit / mib,
  };
}

/**
 * Fourteen first attempts and four repairs on two cores: the lanes that `endstop plan` finds for 70 documents a second
 * over a dozen workers. A call waits for the network, so slots grow with the cores only as far as one process keeps up:
 * 13 ms of its processor a document and up to 25 ms for its PDF (both measured) are some 25 documents a second, which at
 * 2.3 s each fill 58 slots.
 */
const firstPerCore = 7;
const repairPerCore = 2;
const coresThatHelp = 8;

/** A call about a document of 20 MiB, as bytes, base64 and body: 106 to 149 MiB, measured. */
const mibPerCall = 150;
/** A worker at rest with its bundle and two PDF processes. */
const mibAtRest = 512;

/** Landing and upkeep are short statements; more of them than the ten database connections would wait for each other. */
const storePerCore = 5;

/**
 * What suits a machine when nobody says otherwise. Calls about the largest documents fit into half of its memory; a small
 * machine keeps one slot in each lane. The cached workflows follow the SDK's own formula, up to 500: a workflow takes
 * 36 KB here (docs/benchmarks.md), and more than that are never under way on one worker. Pollers are left to the SDK, which asks
 * for ten tasks at once and for no more than there are slots: other numbers and autoscaling made no difference (measured).
 */
export function workerSize({ cores, memoryMib, heapMib }: Machine): WorkerSize {
  const useful = Math.min(Math.max(1, cores), coresThatHelp);
  const calls = Math.max(2, Math.floor((memoryMib / 2 - mibAtRest) / mibPerCall));
  const repair = Math.max(1, Math.min(repairPerCore * useful, Math.floor((calls * repairPerCore) / 9)));
  return {
    first: Math.max(1, Math.min(firstPerCore * useful, calls - repair)),
    repair,
    store: Math.min(20, storePerCore * useful),
    workflows: Math.min(500, Math.max(50, Math.floor(((heapMib - 200) * 600) / 1024))),
  };
}
