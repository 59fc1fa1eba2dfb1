import {
  ApplicationFailure,
  ApplicationFailureCategory,
  type ApplicationFailureOptions,
} from '@temporalio/common';
import type { Fault } from '../src/domain/fault.js';
import type { Spending } from '../src/domain/usage.js';
import { DocumentErased, StoreUnavailable } from '../src/ports/store.js';
import type { FaultDetails } from './contract.js';

/**
 * Failures carry stable words and counts only: their messages enter workflow history, so no text of a document, a
 * reply or a provider's answer may stand in them.
 */

const sentences: Record<Exclude<Fault, 'no_capacity'> | 'call_failed' | 'call_suspended', string> = {
  call_failed: 'a call failed on the way',
  call_suspended: 'no call is made until a probe finds the provider back',
  provider_unavailable: 'the provider could not be reached within the transport policy',
  provider_rejected: 'the provider rejects this request for good',
  spec_unavailable: 'this worker does not have the spec version',
  unreadable_document: 'the document cannot be read',
  store_unavailable: 'the store cannot be reached',
  internal_error: 'an unexpected error in the worker; its log has the details',
  deadline: 'no time is left for a call',
};

/** What happens on ordinary days: Temporal neither logs it nor counts it as a failure of the worker. */
const ordinary: ReadonlySet<keyof typeof sentences> = new Set([
  'call_failed',
  'call_suspended',
  'unreadable_document',
  'deadline',
]);

/** Ends the activity for good: no further start is made. */
export function finalFailure(fault: Exclude<Fault, 'no_capacity'>, spending?: Spending): ApplicationFailure {
  return ApplicationFailure.create({ ...optionsOf(fault, spending), nonRetryable: true });
}

/** Asks Temporal to start the activity again after `delayMs` (at least 1: the server reads 0 as "no retry"). */
export function retryableFailure(
  type: 'call_failed' | 'call_suspended' | 'store_unavailable' | 'spec_unavailable' | 'internal_error',
  delayMs: number,
  spending?: Spending,
): ApplicationFailure {
  return ApplicationFailure.create({
    ...optionsOf(type, spending),
    nextRetryDelay: Math.max(1, Math.round(delayMs)),
  });
}

function optionsOf(type: keyof typeof sentences, spending: Spending | undefined): ApplicationFailureOptions {
  return {
    message: sentences[type],
    // To a workflow both are calls that a retry may mend; it told them by this word before there were breakers.
    type: type === 'call_suspended' ? 'call_failed' : type,
    ...(spending === undefined ? {} : { details: [detailsOf(spending)] }),
    ...(ordinary.has(type) ? { category: ApplicationFailureCategory.BENIGN } : {}),
  };
}

/**
 * What leaves an activity is always one of our failures. An unknown error becomes a plain `internal_error` in
 * history; the log gets its stack frames.
 */
export function asFailure(error: unknown, start: number): ApplicationFailure {
  if (error instanceof ApplicationFailure) return error;
  if (error instanceof StoreUnavailable) return retryableFailure('store_unavailable', storePauseMs(start));
  if (error instanceof DocumentErased) return finalFailure('unreadable_document');
  return finalFailure('internal_error');
}

/** 0.5, 1, 2, 4, then 5 s: eight starts span about 22 s of a store outage. */
export function storePauseMs(start: number): number {
  return Math.min(5_000, 500 * 2 ** (start - 1));
}

function detailsOf({ tokens, cost, known }: Spending): FaultDetails {
  return { tokens, cost: { amount: cost.amount, currency: cost.currency }, known };
}
