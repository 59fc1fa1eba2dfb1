import type { Diagnosis, Ending } from './decision.js';
import type { Reason } from './reason.js';
import type { ExtractionState } from './state.js';

/** The ending of a run that stops here for this reason, with what the state knows of its attempts. */
export function unverified(state: ExtractionState, reason: Reason, diagnosis: Diagnosis | null): Ending {
  return {
    kind: 'unverified',
    attempts: state.attempts,
    reason,
    failureClass: state.lastClass,
    diagnosis,
    // Every report is a reply that was read, of whatever class; a transport fault brings neither.
    repliesRead: state.attempts,
  };
}
