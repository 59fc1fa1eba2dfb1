import type { Decision } from './decision.js';
import { unverified } from './ending.js';
import { nextEstimateMs, ofAttempt } from './estimate.js';
import type { Reason } from './reason.js';
import { isOverspent } from './spent.js';
import type { ExtractionState } from './state.js';

/**
 * What to do next, at `now` (epoch ms). The table "before an attempt": the first check that holds ends the run;
 * none holding, the attempt is made. Asking again without a new event gives the same answer until time changes it.
 */
export function decide(state: ExtractionState, now: number): Decision {
  if (state.ending !== null) return { kind: 'land', ending: state.ending };
  const { policy } = state;
  const attempt = state.attempts + 1;
  const estimateMs = nextEstimateMs(state);

  if (state.cancelRequested) return land(state, 'cancelled');
  if (state.batchBudgetExhausted && state.attempts === 0) return land(state, 'batch_budget');
  if (state.attempts >= state.cap) return land(state, 'attempt_cap');
  if (isOverspent(policy, state.tokens, state.money)) return land(state, 'token_cap');
  // Nothing above depends on time, so a pause is never sat out only to be refused by it.
  if (state.resumeAt !== null && now < state.resumeAt) return { kind: 'wait', pauseMs: state.resumeAt - now };
  if (now + estimateMs > state.deadlineAt) return land(state, 'deadline');
  if (attempt > 1) {
    if (state.permit?.attempt !== attempt) return { kind: 'permit', attempt };
    if (!state.permit.granted) return land(state, 'repair_budget');
  }
  return {
    kind: 'attempt',
    attempt,
    lane: attempt === 1 ? 'first' : 'repair',
    model: ofAttempt(policy.models, attempt),
    maxTokens: state.maxTokens,
    feedback: state.feedback,
    estimateMs,
  };
}

function land(state: ExtractionState, reason: Reason): Decision {
  return { kind: 'land', ending: unverified(state, reason, null) };
}
