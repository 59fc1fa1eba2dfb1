import type { PlanInput } from '../../../src/planner/plan-input.js';
import { planScenarios } from '../../../src/planner/scenarios.js';
import { repairMs } from './claims.js';
import { lane, type Row } from './row.js';

const eur = (amount: string) => ({ amount, currency: 'EUR' });
const prices = ['0.01', '0.02', '0.02', '0.03', '0.03'].map(eur);
const reached = [1, 0.22, 0.099, 0.062, 0.047];

/** The claims with what their publication does not say: who makes an attempt, prices, and the most slots there can be. */
export const pricedClaims: PlanInput = {
  ...planScenarios.claims,
  attempts: planScenarios.claims.attempts.map((each, index) => ({
    ...each,
    reached: reached[index] ?? null,
    cost: prices[index] ?? null,
  })),
  reviewedShare: 1,
  reviewerPerHour: eur('40'),
  limits: { ...planScenarios.claims.limits, mostSlots: 13 },
};

const all = [1, 2, 3, 4, 5];
const lines = [
  'attempt 4 rescues 15.0 per thousand, 7.5 of them right; at least 10 are wanted',
  'cap 4 brings the p99 to 19.2 s; at most 15.0 s is wanted',
];

/** Inputs that the claims do not have. One attempt of a document costs 0.01, 0.0044, 0.00198, 0.00186 and 0.00141 EUR. */
export const ofPricedClaims: readonly Row[] = [
  {
    // 99 % make a first attempt: of those calls, 0.319 / 0.99 are followed by a repair.
    ...{ input: 'attempts.0.reached', to: 0.99, cap: 3, caps: all },
    moves: {
      ...lane('pool', 3.1 * 3.874, 3_874, 18),
      ...lane('first', 3.1 * 2.574, 2_574, 14),
      ...{ meanServiceMs: 3_874, callsPerDocument: 1.309, repairShare: 0.319 / 0.99 },
      ...{ tokensPerDocument: 7_330.4, tokensPerDay: 29_321_600, 'costPerDay.amount': '65.120000' },
    },
  },
  {
    // 21.78 % and 9.9 % are repaired.
    ...{ input: 'attempts.1.reached', to: 0.2178, cap: 3, caps: [2, 3, 4, 5] },
    moves: {
      ...lane('pool', 3.1 * (2.6 + 0.3168 * (repairMs / 1_000)), 2_600 + 0.3168 * repairMs, 18),
      ...lane('repair', 3.1 * 0.3168 * (repairMs / 1_000), repairMs, 4),
      ...{ meanServiceMs: 2_600 + 0.3168 * repairMs, callsPerDocument: 1.3168, repairShare: 0.3168 },
      ...{ tokensPerDocument: 7_374.08, tokensPerDay: 29_496_320, 'costPerDay.amount': '65.344000' },
    },
    verdict: {
      warnings: [
        'Above capacity: the repair lane would be busy 4.00 of 4; waits grow as long as the peak lasts.',
      ],
    },
  },
  {
    // 22 % and 9.801 %; 0.09801 x 0.02 EUR for 37 in a thousand.
    ...{ input: 'attempts.2.reached', to: 0.09801, cap: 3, caps: [3, 4, 5] },
    moves: {
      ...{ 'point.reached': 0.09801, 'point.conditional': 0.037 / 0.09801 },
      ...lane('pool', 3.1 * (2.6 + 0.31801 * (repairMs / 1_000)), 2_600 + 0.31801 * repairMs, 18),
      ...lane('repair', 3.1 * 0.31801 * (repairMs / 1_000), repairMs, 4),
      ...{ meanServiceMs: 2_600 + 0.31801 * repairMs, callsPerDocument: 1.31801, repairShare: 0.31801 },
      ...{ tokensPerDocument: 7_380.856, tokensPerDay: 29_523_424 },
      ...{ 'costPerDay.amount': '65.440800', 'costPerRescue.amount': '0.052978' },
    },
    verdict: {
      warnings: [
        'Above capacity: the repair lane would be busy 4.02 of 4; waits grow as long as the peak lasts.',
      ],
    },
  },
  {
    // 3,900 + 0.06138 x 5,200; 0.06138 x 0.03 EUR for 7.5 in a thousand.
    ...{ input: 'attempts.3.reached', to: 0.06138, cap: 4, caps: [4, 5] },
    moves: {
      ...{ 'point.reached': 0.06138, 'point.conditional': 0.015 / 0.06138 },
      ...lane('pool', 3.1 * 4.219176, 4_219.176, 18),
      ...lane('repair', 3.1 * 1.619176, 1_619.176 / 0.38038, 4),
      ...{ meanServiceMs: 4_219.176, callsPerDocument: 1.38038, repairShare: 0.38038 },
      ...{ tokensPerDocument: 7_730.128, tokensPerDay: 30_920_512 },
      ...{ 'costPerDay.amount': '72.885600', 'costPerRescue.amount': '0.245520' },
    },
  },
  {
    // 3,900 + 322.4 + 0.04653 x 5,200; 0.04653 x 0.03 EUR for 3.5 in a thousand.
    ...{ input: 'attempts.4.reached', to: 0.04653, cap: 5, caps: [5] },
    moves: {
      ...{ 'point.reached': 0.04653, 'point.conditional': 0.007 / 0.04653 },
      ...lane('pool', 3.1 * 4.464356, 4_464.356, 18),
      ...lane('repair', 3.1 * 1.864356, 1_864.356 / 0.42753, 4),
      ...{ meanServiceMs: 4_464.356, callsPerDocument: 1.42753, repairShare: 0.42753 },
      ...{ tokensPerDocument: 7_994.168, tokensPerDay: 31_976_672 },
      ...{ 'costPerDay.amount': '78.543600', 'costPerRescue.amount': '0.398829' },
    },
  },
  // 4,000 documents a day, and a hundredth more of one price.
  {
    ...{ input: 'attempts.0.cost.amount', to: '0.0101', cap: 3, caps: all },
    moves: { 'costPerDay.amount': '65.920000' },
  },
  {
    ...{ input: 'attempts.1.cost.amount', to: '0.0202', cap: 2, caps: [2, 3, 4, 5] },
    moves: { 'costPerDay.amount': '57.776000', 'costPerRescue.amount': '0.036727' },
  },
  {
    ...{ input: 'attempts.2.cost.amount', to: '0.0202', cap: 3, caps: [3, 4, 5] },
    moves: { 'costPerDay.amount': '65.599200', 'costPerRescue.amount': '0.054049' },
  },
  {
    ...{ input: 'attempts.3.cost.amount', to: '0.0303', cap: 4, caps: [4, 5] },
    moves: { 'costPerDay.amount': '73.034400', 'costPerRescue.amount': '0.250480' },
  },
  {
    ...{ input: 'attempts.4.cost.amount', to: '0.0303', cap: 5, caps: [5] },
    moves: { 'costPerDay.amount': '78.656400', 'costPerRescue.amount': '0.406886' },
  },
  {
    // Three in four of 248, at 25 an hour and 40 EUR.
    ...{ input: 'reviewedShare', to: 0.75, cap: 3, caps: all },
    moves: { reviewerHoursPerDay: 7.44, 'reviewerCostPerDay.amount': '297.600000' },
  },
  {
    // 9.92 hours.
    ...{ input: 'reviewerPerHour.amount', to: '40.4', cap: 3, caps: all },
    moves: { 'reviewerCostPerDay.amount': '400.768000' },
  },
  {
    // Cap 4 keeps 14 busy.
    ...{ input: 'limits.mostSlots', to: 14, cap: 3, caps: [], moves: {} },
    verdict: { decidedBy: lines },
  },
];
