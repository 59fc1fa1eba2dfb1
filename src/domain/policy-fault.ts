import { isDecimal } from './decimal.js';
import type { Policy } from './policy.js';

const isDuration = (ms: number) => Number.isFinite(ms) && ms >= 0;
const isCount = (count: number) => Number.isSafeInteger(count) && count >= 1;
const isRising = (values: readonly number[]) => values.every((value, i) => value > (values[i - 1] ?? 0));

/** Each bound with what it must be. A bound that is not a number would never be reached, and the run never end. */
const bounds: readonly (readonly [holds: (policy: Policy) => boolean, sentence: string])[] = [
  [(p) => isCount(p.attemptCap), 'attemptCap must be a whole number of at least 1.'],
  [(p) => isDuration(p.deadlineMs), 'deadlineMs must be a duration in milliseconds, 0 or more.'],
  [(p) => isDuration(p.tokenCap), 'tokenCap must be a number of tokens, 0 or more.'],
  [
    (p) => p.moneyCap === null || isDecimal(p.moneyCap.amount),
    'moneyCap.amount must be a plain decimal text.',
  ],
  [(p) => p.tokenCeilings.length > 0, 'tokenCeilings must name at least one ceiling.'],
  [(p) => p.tokenCeilings.every(isCount), 'tokenCeilings must be whole numbers of at least 1.'],
  [(p) => isRising(p.tokenCeilings), 'tokenCeilings must rise.'],
  [(p) => isCount(p.transport.maximumCalls), 'transport.maximumCalls must be a whole number of at least 1.'],
  [(p) => isDuration(p.transport.backoffTotalMs), 'transport.backoffTotalMs must be a duration, 0 or more.'],
  [(p) => isDuration(p.repairLaneWaitMs), 'repairLaneWaitMs must be a duration, 0 or more.'],
  [(p) => isDuration(p.outage.patienceMs), 'outage.patienceMs must be a duration, 0 or more.'],
  [(p) => isDuration(p.outage.pauseMs), 'outage.pauseMs must be a duration, 0 or more.'],
  [(p) => p.estimateMs.length > 0, 'estimateMs must name the expected duration of at least one attempt.'],
  [(p) => p.estimateMs.every(isDuration), 'estimateMs must be durations, 0 or more.'],
  [(p) => p.models.length > 0, 'models must name at least one model.'],
  [
    (p) =>
      p.routes.every(({ when }) => when?.amountAtLeast === undefined || isDecimal(when.amountAtLeast.amount)),
    'routes: amountAtLeast.amount must be a plain decimal text.',
  ],
];

/** What is wrong with a policy, in one sentence naming the bound; null when every run under it ends. */
export function policyFault(policy: Policy): string | null {
  return bounds.find(([holds]) => !holds(policy))?.[1] ?? null;
}
