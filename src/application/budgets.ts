import { compareDecimals, isDecimal } from '../domain/decimal.js';
import type { Money } from '../domain/money.js';
import type { Policy } from '../domain/policy.js';
import { ApplicationError, type RequestFault } from './application-error.js';

/** What one request may tighten. Absent means: as the spec says. */
export interface Budgets {
  readonly attemptCap?: number;
  readonly deadlineMs?: number;
  readonly tokenCap?: number;
  readonly moneyCap?: Money;
}

const counted = ['attemptCap', 'deadlineMs', 'tokenCap'] as const;

/**
 * The spec's policy with the request's tighter bounds. Every bound is checked, so that one answer names all that is wrong.
 * Throws ApplicationError `budget_exceeds_spec` or `invalid_request`, with a pointer into the request for each fault.
 */
export function tighten(policy: Policy, budgets: Budgets): Policy {
  const malformed: RequestFault[] = [];
  const excessive: RequestFault[] = [];
  for (const name of counted) {
    const asked = budgets[name];
    if (asked === undefined) continue;
    const pointer = `/budgets/${name}`;
    if (!Number.isSafeInteger(asked) || asked < 1) {
      malformed.push({ pointer, detail: `${name} must be a whole number of at least 1.` });
    } else if (asked > policy[name]) {
      excessive.push({ pointer, detail: `${name} ${asked} is above the spec's ${policy[name]}.` });
    }
  }
  const money = budgets.moneyCap;
  if (money !== undefined) {
    const pointer = '/budgets/moneyCap';
    const cap = policy.moneyCap;
    if (!isDecimal(money.amount) || money.amount.startsWith('-') || !/^[A-Z]{3}$/.test(money.currency)) {
      malformed.push({
        pointer,
        detail: 'moneyCap must be an amount such as "0.05" and a currency such as "USD".',
      });
    } else if (cap !== null && cap.currency !== money.currency) {
      malformed.push({ pointer, detail: `moneyCap must be in ${cap.currency}, as the spec's own.` });
    } else if (cap !== null && compareDecimals(money.amount, cap.amount) > 0) {
      excessive.push({
        pointer,
        detail: `moneyCap ${money.amount} is above the spec's ${cap.amount} ${cap.currency}.`,
      });
    }
  }
  refuse('invalid_request', malformed, '');
  refuse('budget_exceeds_spec', excessive, ' A request may only tighten what the spec allows.');
  return {
    ...policy,
    attemptCap: budgets.attemptCap ?? policy.attemptCap,
    deadlineMs: budgets.deadlineMs ?? policy.deadlineMs,
    tokenCap: budgets.tokenCap ?? policy.tokenCap,
    moneyCap: money ?? policy.moneyCap,
  };
}

function refuse(
  code: 'invalid_request' | 'budget_exceeds_spec',
  faults: readonly RequestFault[],
  because: string,
): void {
  if (faults.length === 0) return;
  throw new ApplicationError(code, faults.map((fault) => fault.detail).join(' ') + because, faults);
}
