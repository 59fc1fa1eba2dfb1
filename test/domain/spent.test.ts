import { describe, expect, test } from 'vitest';
import { addCost, isOverspent } from '../../src/domain/spent.js';
import { samplePolicy } from './sample-policy.js';

const usd = (amount: string) => ({ amount, currency: 'USD' });
const eur = (amount: string) => ({ amount, currency: 'EUR' });

describe('money spent', () => {
  test('is summed per currency, to the digit', () => {
    const costs = [usd('0.000123'), eur('2'), usd('0.1'), eur('0.50')];
    expect(costs.reduce(addCost, [])).toEqual([usd('0.100123'), eur('2.50')]);
  });

  test('may reach its cap and not pass it', () => {
    const policy = samplePolicy({ moneyCap: usd('1.00') });
    expect(isOverspent(policy, 0, [usd('1.000')])).toBe(false);
    expect(isOverspent(policy, 0, [usd('1.0000001')])).toBe(true);
  });

  test('in a currency the cap is not in is over it, unless it is nothing', () => {
    const policy = samplePolicy({ moneyCap: usd('1.00') });
    expect(isOverspent(policy, 0, [usd('0.5'), eur('0.01')])).toBe(true);
    expect(isOverspent(policy, 0, [usd('0.5'), eur('0.00')])).toBe(false);
  });

  test('has no bound where the policy names none', () => {
    expect(isOverspent(samplePolicy({ moneyCap: null }), 0, [usd('999999')])).toBe(false);
  });

  test('is no text but a plain decimal', () => {
    expect(() => addCost([usd('1')], usd('1e3'))).toThrow(RangeError);
  });
});

test('tokens may reach their cap and not pass it', () => {
  const policy = samplePolicy({ tokenCap: 1_000 });
  expect(isOverspent(policy, 1_000, [])).toBe(false);
  expect(isOverspent(policy, 1_001, [])).toBe(true);
});
