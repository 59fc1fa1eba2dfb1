import { describe, expect, test } from 'vitest';
import type { Policy } from '../../src/domain/policy.js';
import { policyFault } from '../../src/domain/policy-fault.js';
import { samplePolicy } from './sample-policy.js';

const usd = (amount: string) => ({ amount, currency: 'USD' });
const always = { to: 'human_review' } as const;

describe('a policy', () => {
  test.each<[string, Partial<Policy>]>([
    ['of everyday numbers', {}],
    ['with a money cap', { moneyCap: usd('0.25') }],
    ['with a single ceiling', { tokenCeilings: [1] }],
    [
      'with nothing but zeros where zero makes sense',
      { deadlineMs: 0, tokenCap: 0, estimateMs: [0], repairLaneWaitMs: 0 },
    ],
    ['with routes', { routes: [always, { to: 'fallback', when: { amountAtLeast: usd('10.00') } }] }],
    ['with a route on something else', { routes: [{ to: 'fallback', when: { pagesAtLeast: 2 } }] }],
  ])('%s is fine', (_, over) => {
    expect(policyFault(samplePolicy(over))).toBeNull();
  });

  test.each<[string, Partial<Policy>]>([
    ['attemptCap must', { attemptCap: 0 }],
    ['attemptCap must', { attemptCap: 1.5 }],
    ['attemptCap must', { attemptCap: Number.POSITIVE_INFINITY }],
    ['deadlineMs must', { deadlineMs: Number.NaN }],
    ['deadlineMs must', { deadlineMs: -1 }],
    ['tokenCap must', { tokenCap: Number.POSITIVE_INFINITY }],
    ['moneyCap.amount must', { moneyCap: usd('1,50') }],
    ['tokenCeilings must name', { tokenCeilings: [] }],
    ['tokenCeilings must be', { tokenCeilings: [0, 5] }],
    ['tokenCeilings must rise', { tokenCeilings: [3_000, 1_500] }],
    ['tokenCeilings must rise', { tokenCeilings: [3_000, 3_000] }],
    ['transport.maximumCalls must', { transport: { maximumCalls: 0, backoffTotalMs: 1 } }],
    ['transport.backoffTotalMs must', { transport: { maximumCalls: 1, backoffTotalMs: -1 } }],
    ['repairLaneWaitMs must', { repairLaneWaitMs: Number.NaN }],
    ['outage.patienceMs must', { outage: { patienceMs: Number.NaN, pauseMs: 1 } }],
    ['outage.pauseMs must', { outage: { patienceMs: 1, pauseMs: -1 } }],
    ['estimateMs must name', { estimateMs: [] }],
    ['estimateMs must be', { estimateMs: [1, Number.NaN] }],
    ['models must name', { models: [] }],
    ['routes: amountAtLeast', { routes: [always, { to: 'fallback', when: { amountAtLeast: usd('ten') } }] }],
  ])('is refused: %s, when it is %j', (sentence, over) => {
    expect(policyFault(samplePolicy(over))).toContain(sentence);
  });
});
