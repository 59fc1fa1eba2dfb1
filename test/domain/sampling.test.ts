import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { isSampled } from '../../src/domain/sampling.js';

const keys = Array.from({ length: 4_000 }, (_, n) =>
  createHash('sha256').update(`document ${n}`).digest('hex'),
);
const sampled = (share: number) => keys.filter((key) => isSampled(key, share));

it('takes none of a share of 0 and all of a share of 1', () => {
  expect(sampled(0)).toEqual([]);
  expect(sampled(1)).toEqual(keys);
  expect(isSampled('f'.repeat(64), 1)).toBe(true);
  expect(isSampled('0'.repeat(64), 0)).toBe(false);
});

it('takes about the share that is asked for, and the same ones every time', () => {
  const fifth = sampled(0.2);
  // Four standard deviations of a binomial of 4,000 at 0.2 are 101.
  expect(Math.abs(fifth.length - 800)).toBeLessThan(101);
  expect(sampled(0.2)).toEqual(fifth);
});

it('takes all of a smaller share into a larger one, so that raising it repeats no question', () => {
  const larger = new Set(sampled(0.3));
  expect(sampled(0.1).every((key) => larger.has(key))).toBe(true);
});
