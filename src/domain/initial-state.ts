import { ofAttempt } from './estimate.js';
import type { Policy } from './policy.js';
import { policyFault } from './policy-fault.js';
import type { ExtractionState } from './state.js';

/**
 * The state of a run that starts at `startedAt` (epoch ms) under this policy.
 * Throws RangeError, saying which bound is wrong, for a policy under which a run might not end.
 */
export function initialState(policy: Policy, startedAt: number): ExtractionState {
  const fault = policyFault(policy);
  if (fault !== null) throw new RangeError(fault);
  const maxTokens = ofAttempt(policy.tokenCeilings, 1);
  return {
    policy,
    deadlineAt: startedAt + policy.deadlineMs,
    cap: policy.attemptCap,
    attempts: 0,
    tokens: 0,
    money: [],
    settled: { tokens: 0, money: [] },
    slowestMs: 0,
    maxTokens,
    cutAtTokens: maxTokens,
    feedback: { kind: 'none' },
    lastClass: null,
    lastUnparsedHash: null,
    candidates: [],
    permit: null,
    patienceLeftMs: policy.outage.patienceMs,
    resumeAt: null,
    cancelRequested: false,
    batchBudgetExhausted: false,
    ending: null,
  };
}
