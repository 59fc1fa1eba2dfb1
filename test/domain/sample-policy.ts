import type { Policy } from '../../src/domain/policy.js';

/** Small round numbers, so that a spec can say what it means; `over` replaces single bounds. */
export function samplePolicy(over: Partial<Policy> = {}): Policy {
  return {
    attemptCap: 3,
    deadlineMs: 60_000,
    tokenCap: 60_000,
    moneyCap: null,
    tokenCeilings: [1_500, 3_000, 4_000],
    transport: { maximumCalls: 3, backoffTotalMs: 8_000 },
    repairLaneWaitMs: 5_000,
    outage: { patienceMs: 0, pauseMs: 10_000 },
    estimateMs: [2_000],
    models: ['model-a'],
    routes: [],
    ...over,
  };
}
