/** What a worker process can serve: workflow tasks, and the task queues of activities. */
export const workerLanes = ['workflows', 'first', 'repair', 'store'] as const;
export type WorkerLane = (typeof workerLanes)[number];
