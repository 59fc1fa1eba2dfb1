import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ApplicationError } from '../../src/application/application-error.js';
import { type Budgets, tighten } from '../../src/application/budgets.js';
import { policyFault } from '../../src/domain/policy-fault.js';
import { receiptSpec } from '../support/fakes/receipt-spec.js';

/** attemptCap 3, deadlineMs 60000, tokenCap 60000, moneyCap 0.50 USD. */
const { policy } = receiptSpec();

const refusal = (budgets: Budgets): ApplicationError => {
  try {
    tighten(policy, budgets);
  } catch (error) {
    if (error instanceof ApplicationError) return error;
    throw error;
  }
  throw new Error('The budgets were accepted.');
};

describe('given budgets of one request', () => {
  it('when none is named, then the policy of the spec holds', () => {
    expect(tighten(policy, {})).toEqual(policy);
  });

  it('when they are tighter or equal, then they hold and nothing else changes', () => {
    const budgets = {
      attemptCap: 2,
      deadlineMs: 60_000,
      tokenCap: 1,
      moneyCap: { amount: '0.5', currency: 'USD' },
    };
    expect(tighten(policy, budgets)).toEqual({ ...policy, ...budgets });
  });

  it('when some are looser, then every one of them is named at its place', () => {
    const error = refusal({
      attemptCap: 4,
      deadlineMs: 60_001,
      moneyCap: { amount: '0.51', currency: 'USD' },
    });
    expect(error.code).toBe('budget_exceeds_spec');
    expect(error.faults).toEqual([
      { pointer: '/budgets/attemptCap', detail: "attemptCap 4 is above the spec's 3." },
      { pointer: '/budgets/deadlineMs', detail: "deadlineMs 60001 is above the spec's 60000." },
      { pointer: '/budgets/moneyCap', detail: "moneyCap 0.51 is above the spec's 0.50 USD." },
    ]);
  });

  it.each<[string, Budgets]>([
    ['no attempt at all', { attemptCap: 0 }],
    ['half an attempt', { attemptCap: 1.5 }],
    ['a deadline that is no number', { deadlineMs: Number.NaN }],
    ['endless tokens', { tokenCap: Number.POSITIVE_INFINITY }],
    ['money with an exponent', { moneyCap: { amount: '1e-2', currency: 'USD' } }],
    ['negative money', { moneyCap: { amount: '-0.10', currency: 'USD' } }],
    ['money in a currency that cannot be compared', { moneyCap: { amount: '0.10', currency: 'EUR' } }],
  ])('when one asks for %s, then it is refused', (_what, budgets) => {
    expect(refusal(budgets).code).toBe('invalid_request');
  });

  it('whatever is asked, no bound is ever above the spec and every run still ends', () => {
    const number = fc.oneof(fc.integer({ min: -2, max: 70_000 }), fc.double());
    fc.assert(
      fc.property(
        fc.record({ attemptCap: number, deadlineMs: number, tokenCap: number }, { requiredKeys: [] }),
        (budgets) => {
          try {
            const tightened = tighten(policy, budgets);
            expect(policyFault(tightened)).toBeNull();
            for (const name of ['attemptCap', 'deadlineMs', 'tokenCap'] as const) {
              expect(tightened[name]).toBeLessThanOrEqual(policy[name]);
              expect(tightened[name]).toBe(budgets[name] ?? policy[name]);
            }
          } catch (error) {
            expect(error).toBeInstanceOf(ApplicationError);
          }
        },
      ),
    );
  });
});
