import type { Lane } from './lane.js';

/** The task queues, fixed by name so that every worker, deployment file and page means the same ones. */
export const taskQueues = {
  workflows: 'endstop-workflows',
  first: 'endstop-first',
  repair: 'endstop-repair',
  store: 'endstop-store',
} as const satisfies Record<Lane | 'workflows' | 'store', string>;
