import { addDecimals, compareDecimals } from './decimal.js';
import type { Money } from './money.js';
import type { Policy } from './policy.js';

/** Adds a cost to its currency's sum. */
export function addCost(money: readonly Money[], cost: Money): readonly Money[] {
  const known = money.find((sum) => sum.currency === cost.currency);
  if (known === undefined) return [...money, cost];
  const sum: Money = { amount: addDecimals(known.amount, cost.amount), currency: cost.currency };
  return money.map((entry) => (entry === known ? sum : entry));
}

/**
 * True when more was spent than the policy's token cap or money cap allows. Money in another currency than the
 * cap's cannot be compared with it, so any such cost counts as over the cap rather than as free.
 */
export function isOverspent(policy: Policy, tokens: number, money: readonly Money[]): boolean {
  if (tokens > policy.tokenCap) return true;
  const cap = policy.moneyCap;
  if (cap === null) return false;
  return money.some(
    (sum) => compareDecimals(sum.amount, sum.currency === cap.currency ? cap.amount : '0') > 0,
  );
}
