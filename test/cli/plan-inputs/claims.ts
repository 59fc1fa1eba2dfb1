import { lane, type Row } from './row.js';

/** Mean of a claim's repair: 1.3 s for 0.319 of them. */
export const repairMs = 1_300 / 0.319;
const all = [1, 2, 3, 4, 5];
/** The p99 wait of the lane below, which `lane` works out. */
const longWait = (wait: string, given: number) =>
  `Long waits: in the repair lane 1 of 100 calls waits longer than ${wait} s for a slot; at most 2.0 s is wanted, which takes 8 instead of ${given}.`;

/** 3.1 a second; C = 78, 90.1, 93.8, 95.3, 96; 2.6 s and 4.08 s, hard ones 5.2 s; 14 and 4 slots. */
export const claims: readonly Row[] = [
  {
    ...{ input: 'peakPerSecond', to: 3.131, cap: 3, caps: all },
    moves: {
      ...lane('pool', 3.131 * 3.9, 3_900, 18),
      ...lane('first', 3.131 * 2.6, 2_600, 14),
      ...lane('repair', 3.131 * 1.3, repairMs, 4),
    },
    verdict: {
      warnings: [
        'Above capacity: the repair lane would be busy 4.07 of 4; waits grow as long as the peak lasts.',
      ],
    },
  },
  {
    ...{ input: 'documentsPerDay', to: 4_040, cap: 3, caps: all },
    // 6.2 % of them, at 25 an hour; 1.319 attempts of 5,600 tokens each.
    moves: { exhaustedPerDay: 250.48, reviewerHoursPerDay: 10.0192, tokensPerDay: 29_841_056 },
  },
  {
    ...{ input: 'attempts.0.cumulativePass', to: 0.7878, cap: 3, caps: all },
    // 21.22 % make the second attempt: 0.3112 repairs for each document.
    moves: {
      ...lane('pool', 3.1 * (2.6 + 0.3112 * (repairMs / 1_000)), 2_600 + 0.3112 * repairMs, 18),
      ...lane('repair', 3.1 * 0.3112 * (repairMs / 1_000), repairMs, 4),
      ...{ meanServiceMs: 2_600 + 0.3112 * repairMs, callsPerDocument: 1.3112, repairShare: 0.3112 },
      ...{ tokensPerDocument: 7_342.72, tokensPerDay: 29_370_880 },
    },
    verdict: { warnings: [longWait('271.5', 4)] },
  },
  {
    ...{ input: 'attempts.1.cumulativePass', to: 0.91001, cap: 3, caps: [2, 3, 4, 5] },
    // 8.999 % make the third attempt, which rescues 93.8 - 91.001: 0.30999 repairs for each document.
    moves: {
      ...{ 'point.reached': 0.08999, 'point.conditional': 0.02799 / 0.08999 },
      ...{ 'point.rescuedPerThousand': 27.99, rightPerThousand: 27.99 },
      ...lane('pool', 3.1 * (2.6 + 0.30999 * (repairMs / 1_000)), 2_600 + 0.30999 * repairMs, 18),
      ...lane('repair', 3.1 * 0.30999 * (repairMs / 1_000), repairMs, 4),
      ...{ meanServiceMs: 2_600 + 0.30999 * repairMs, callsPerDocument: 1.30999, repairShare: 0.30999 },
      ...{ tokensPerDocument: 7_335.944, tokensPerDay: 29_343_776 },
    },
    verdict: { warnings: [longWait('221.6', 4)] },
  },
  {
    ...{ input: 'attempts.2.cumulativePass', to: 0.94738, cap: 3, caps: [3, 4, 5] },
    moves: {
      ...{ 'point.cumulative': 0.94738, 'point.conditional': 0.04638 / 0.099 },
      ...{ 'point.rescuedPerThousand': 46.38, rightPerThousand: 46.38 },
      ...{ exhaustedShare: 0.05262, exhaustedPerDay: 210.48, reviewerHoursPerDay: 8.4192 },
    },
    verdict: {
      decidedBy: [
        'attempt 4 rescues 5.6 per thousand, 2.8 of them right; at least 10 are wanted',
        'cap 4 brings the p99 to 19.2 s; at most 15.0 s is wanted',
      ],
    },
  },
  {
    // One per cent less: more would be above what the fifth attempt brings it to.
    ...{ input: 'attempts.3.cumulativePass', to: 0.94347, cap: 4, caps: [4, 5] },
    moves: {
      ...{ 'point.cumulative': 0.94347, 'point.conditional': 0.00547 / 0.062 },
      ...{ 'point.rescuedPerThousand': 5.47, rightPerThousand: 2.735 },
      ...{ exhaustedShare: 0.05653, exhaustedPerDay: 226.12, reviewerHoursPerDay: 9.0448 },
    },
    verdict: {
      decidedBy: [
        'attempt 4 rescues 5.5 per thousand, 2.7 of them right; at least 10 are wanted',
        'cap 4 brings the p99 to 19.2 s; at most 15.0 s is wanted',
      ],
    },
  },
  {
    ...{ input: 'attempts.4.cumulativePass', to: 0.9696, cap: 5, caps: [5] },
    moves: {
      ...{ 'point.cumulative': 0.9696, 'point.conditional': 0.0166 / 0.047 },
      ...{ 'point.rescuedPerThousand': 16.6, rightPerThousand: 8.3 },
      ...{ exhaustedShare: 0.0304, exhaustedPerDay: 121.6, reviewerHoursPerDay: 4.864 },
    },
  },
  {
    ...{ input: 'attempts.0.meanMs', to: 2_626, cap: 3, caps: all },
    moves: {
      ...lane('pool', 3.1 * 3.926, 3_926, 18),
      ...lane('first', 3.1 * 2.626, 2_626, 14),
      meanServiceMs: 3_926,
    },
  },
  ...[
    // 22 % and 9.9 % of the documents feel a hundredth of 4.08 s.
    { attempt: 2, more: 0.22 * 0.01 * repairMs, caps: [2, 3, 4, 5], busy: '4.06' },
    { attempt: 3, more: 0.099 * 0.01 * repairMs, caps: [3, 4, 5], busy: '4.04' },
  ].map(({ attempt, more, caps, busy }) => ({
    ...{ input: `attempts.${attempt - 1}.meanMs`, to: repairMs * 1.01, cap: 3, caps },
    moves: {
      ...lane('pool', 3.1 * (3.9 + more / 1_000), 3_900 + more, 18),
      ...lane('repair', 3.1 * (1.3 + more / 1_000), (1_300 + more) / 0.319, 4),
      meanServiceMs: 3_900 + more,
    },
    verdict: {
      warnings: [
        `Above capacity: the repair lane would be busy ${busy} of 4; waits grow as long as the peak lasts.`,
      ],
    },
  })),
  {
    // 6.2 % make it: 3,900 + 0.062 x 5,252.
    ...{ input: 'attempts.3.meanMs', to: 5_252, cap: 4, caps: [4, 5] },
    moves: {
      ...lane('pool', 3.1 * 4.225624, 4_225.624, 18),
      ...lane('repair', 3.1 * 1.625624, 1_625.624 / 0.381, 4),
      meanServiceMs: 4_225.624,
    },
  },
  {
    // 4.7 % make it: 3,900 + 0.062 x 5,200 + 0.047 x 5,252.
    ...{ input: 'attempts.4.meanMs', to: 5_252, cap: 5, caps: [5] },
    moves: {
      ...lane('pool', 3.1 * 4.469244, 4_469.244, 18),
      ...lane('repair', 3.1 * 1.869244, 1_869.244 / 0.428, 4),
      meanServiceMs: 4_469.244,
    },
  },
  { ...{ input: 'attempts.0.p99Ms', to: 6_161, cap: 3, caps: [1, 3, 4, 5] }, moves: { addedP99Ms: 5_839 } },
  {
    ...{ input: 'attempts.2.p99Ms', to: 12_120, cap: 3, caps: [3] },
    moves: { p99Ms: 12_120, addedP99Ms: 6_020 },
  },
  {
    ...{ input: 'attempts.3.p99Ms', to: 19_392, cap: 4, caps: [4] },
    moves: { p99Ms: 19_392, addedP99Ms: 13_292 },
    verdict: {
      decidedBy: [
        'attempt 4 rescues 15.0 per thousand, 7.5 of them right; at least 10 are wanted',
        'cap 4 brings the p99 to 19.4 s; at most 15.0 s is wanted',
      ],
    },
  },
  {
    ...{ input: 'attempts.4.p99Ms', to: 24_745, cap: 5, caps: [5] },
    moves: { p99Ms: 24_745, addedP99Ms: 18_645 },
  },
  // The first attempt rescues nobody, so nothing is rescued wrongly by it.
  { ...{ input: 'attempts.0.wrongShare', to: 0.01, cap: 1, caps: [] }, moves: {} },
  { ...{ input: 'attempts.1.wrongShare', to: 0.01, cap: 2, caps: [2] }, moves: { rightPerThousand: 119.79 } },
  { ...{ input: 'attempts.2.wrongShare', to: 0.01, cap: 3, caps: [3] }, moves: { rightPerThousand: 36.63 } },
  {
    ...{ input: 'attempts.3.wrongShare', to: 0.505, cap: 4, caps: [4] },
    moves: { rightPerThousand: 7.425 },
    verdict: {
      decidedBy: [
        'attempt 4 rescues 15.0 per thousand, 7.4 of them right; at least 10 are wanted',
        'cap 4 brings the p99 to 19.2 s; at most 15.0 s is wanted',
      ],
    },
  },
  { ...{ input: 'attempts.4.wrongShare', to: 0.505, cap: 5, caps: [5] }, moves: { rightPerThousand: 3.465 } },
  // 5,600 x 1.319 and 56 for all, 22 %, 9.9 %, 6.2 % and 4.7 % of the documents.
  ...[
    { attempt: 1, cap: 3, caps: all, each: 7_442.4, day: 29_769_600 },
    { attempt: 2, cap: 3, caps: [2, 3, 4, 5], each: 7_398.72, day: 29_594_880 },
    { attempt: 3, cap: 3, caps: [3, 4, 5], each: 7_391.944, day: 29_567_776 },
    { attempt: 4, cap: 4, caps: [4, 5], each: 7_737.072, day: 30_948_288 },
    { attempt: 5, cap: 5, caps: [5], each: 7_999.432, day: 31_997_728 },
  ].map(({ attempt, cap, caps, each, day }) => ({
    ...{ input: `attempts.${attempt - 1}.tokens`, to: 5_656, cap, caps },
    moves: { tokensPerDocument: each, tokensPerDay: day },
  })),
  {
    ...{ input: 'slots.first', to: 15, cap: 3, caps: all },
    moves: { ...lane('pool', 12.09, 3_900, 19), ...lane('first', 8.06, 2_600, 15) },
  },
  {
    ...{ input: 'slots.repair', to: 5, cap: 3, caps: all },
    moves: { ...lane('pool', 12.09, 3_900, 19), ...lane('repair', 4.03, repairMs, 5) },
    verdict: { warnings: [longWait('17.0', 5)] },
  },
  {
    ...{ input: 'repairBudgetShare', to: 0.404, cap: 3, caps: [2, 3, 4, 5] },
    moves: { budgetedCallsPerDocument: 1.404 },
  },
  {
    ...{ input: 'reviewsPerHour', to: 25.25, cap: 3, caps: all },
    moves: { reviewerHoursPerDay: 248 / 25.25 },
  },
  {
    ...{ input: 'limits.leastRescuedPerThousand', to: 10.1, cap: 3, caps: [], moves: {} },
    verdict: {
      decidedBy: [
        'attempt 4 rescues 15.0 per thousand, 7.5 of them right; at least 10.1 are wanted',
        'cap 4 brings the p99 to 19.2 s; at most 15.0 s is wanted',
      ],
    },
  },
  {
    ...{ input: 'limits.mostP99Ms', to: 15_150, cap: 3, caps: [], moves: {} },
    verdict: {
      decidedBy: [
        'attempt 4 rescues 15.0 per thousand, 7.5 of them right; at least 10 are wanted',
        'cap 4 brings the p99 to 19.2 s; at most 15.2 s is wanted',
      ],
    },
  },
  {
    // 20 ms more patience needs as many slots, at every cap: only the slots that are needed could move.
    ...{ input: 'limits.mostWaitMs', to: 2_020, cap: 3, caps: [] },
    moves: { 'pool.slots': 18, 'first.slots': 12, 'repair.slots': 8 },
  },
];
