import { ActivityFailure, ApplicationFailure, TimeoutFailure } from '@temporalio/workflow';
import type { FaultDetails } from '../activities/contract.js';
import { type Fault, faults } from '../src/domain/fault.js';
import type { Spending } from '../src/domain/usage.js';

/** Type of a failed call that Temporal should retry; it reaches the workflow only when no retry fits any more. */
const failedCall = 'call_failed';

/**
 * Reads how an attempt ended without a report. Told apart by `timeoutType`: `retryState` differs between servers.
 * `laneWaitIsShorter`: the wait for a slot of the lane was to end before the deadline. Where it was not, the server
 * reports a task that nobody took until the deadline as if that wait had ended.
 */
export function faultOf(
  error: unknown,
  laneWaitIsShorter = false,
): { readonly fault: Fault; readonly spending: Spending | null } {
  if (!(error instanceof ActivityFailure)) return { fault: 'internal_error', spending: null };
  const { cause } = error;
  if (cause instanceof TimeoutFailure)
    return { fault: timeoutFault(cause, laneWaitIsShorter), spending: null };
  if (!(cause instanceof ApplicationFailure)) return { fault: 'internal_error', spending: null };
  const fault =
    cause.type === failedCall ? 'provider_unavailable' : faults.find((known) => known === cause.type);
  return { fault: fault ?? 'internal_error', spending: spendingOf(cause.details?.[0]) };
}

function timeoutFault(timeout: TimeoutFailure, laneWaitIsShorter: boolean): Fault {
  switch (timeout.timeoutType) {
    case 'SCHEDULE_TO_START':
      return laneWaitIsShorter ? 'no_capacity' : 'deadline';
    case 'SCHEDULE_TO_CLOSE':
    case 'START_TO_CLOSE':
      // An activity may take all that is left of the deadline, so both mean that it passed.
      return 'deadline';
    default:
      return 'internal_error';
  }
}

/** A lost worker tells nothing. The store's call rows hold the estimate; the run's own sum has to do without. */
function spendingOf(details: unknown): Spending | null {
  if (typeof details !== 'object' || details === null || !('tokens' in details)) return null;
  const { tokens, cost, known } = details as FaultDetails;
  return { tokens, cost, known };
}
