import { lane, type Row } from './row.js';

const all = [1, 2, 3, 4, 5, 6];
const fallen = (attempt: number) => `Attempt ${attempt}: cumulativePass must not fall`;
const nobody = 'attempt 3 rescues 0.0 per thousand, 0.0 of them right; at least 10 are wanted';
const budget = (share: string, allowed: string) =>
  `Expected repairs are ${share} % of primary calls, the repair budget is ${allowed} %: it would refuse repairs on ordinary days.`;
const keeps = (slots: number) => `cap 3 keeps ${slots} slots busy; there are at most 160`;

/** Every lane at cap 3: 1.561 s, then 0.24 repairs of 3.1 s; nobody gave the lanes slots of their own. */
const lanes = (perSecond: number, repairs: number, firstMs = 1_561, repairMs = 3_100) => ({
  ...lane('pool', (perSecond * (firstMs + repairs * repairMs)) / 1_000, firstMs + repairs * repairMs, 160),
  ...lane('first', (perSecond * firstMs) / 1_000, firstMs, null),
  ...lane('repair', (perSecond * repairs * repairMs) / 1_000, repairMs, null),
});

/** 70 a second; 81 % at once, 95 % after two attempts, and none after that; a pool of 160. */
export const monthEnd: readonly Row[] = [
  {
    ...{ input: 'peakPerSecond', to: 70.7, cap: 3, caps: all, moves: lanes(70.7, 0.24) },
    verdict: { decidedBy: [nobody, keeps(163)] },
  },
  {
    ...{ input: 'documentsPerDay', to: 1_010_000, cap: 3, caps: all },
    moves: { exhaustedPerDay: 50_500, reviewerHoursPerDay: 2_020, tokensPerDay: 0 },
  },
  {
    // 18.19 % and 5 % are repaired: 1,561 + 0.2319 x 3,100 = 2,279.89 ms keep 159.59 slots busy, and 160 are there.
    ...{ input: 'attempts.0.cumulativePass', to: 0.8181, cap: 3, caps: all },
    moves: {
      ...lanes(70, 0.2319),
      meanServiceMs: 2_279.89,
      callsPerDocument: 1.2319,
      repairShare: 0.2319,
      tokensPerDocument: 0,
      tokensPerDay: 0,
    },
    verdict: { decidedBy: [nobody], warnings: [budget('18.2', '10.0')] },
  },
  {
    // One per cent less: more would be above what the third attempt brings it to. 5.95 % make that one.
    ...{ input: 'attempts.1.cumulativePass', to: 0.9405, cap: 3, caps: all.slice(1) },
    moves: {
      ...{ 'point.reached': 0.0595, 'point.conditional': 0.0095 / 0.0595 },
      ...{ 'point.rescuedPerThousand': 9.5, rightPerThousand: 9.5 },
      ...{ ...lanes(70, 0.2495), meanServiceMs: 2_334.45, callsPerDocument: 1.2495, repairShare: 0.2495 },
      ...{ tokensPerDocument: 0, tokensPerDay: 0 },
    },
    verdict: {
      decidedBy: [
        'attempt 3 rescues 9.5 per thousand, 9.5 of them right; at least 10 are wanted',
        keeps(164),
      ],
    },
  },
  // What is the same before and after can move neither up nor down alone.
  ...[3, 4, 5].map((attempt) => ({
    ...{ input: `attempts.${attempt - 1}.cumulativePass`, to: 0.9595, cap: 3, caps: [], moves: {} },
    refused: fallen(attempt + 1),
  })),
  {
    ...{ input: 'attempts.5.cumulativePass', to: 0.9595, cap: 6, caps: [6] },
    moves: {
      ...{ 'point.cumulative': 0.9595, 'point.conditional': 0.19, 'point.rescuedPerThousand': 9.5 },
      ...{
        rightPerThousand: 9.5,
        exhaustedShare: 0.0405,
        exhaustedPerDay: 40_500,
        reviewerHoursPerDay: 1_620,
      },
    },
  },
  {
    ...{ input: 'attempts.0.meanMs', to: 1_576.61, cap: 3, caps: all },
    moves: { ...lanes(70, 0.24, 1_576.61), meanServiceMs: 2_320.61 },
    verdict: { decidedBy: [nobody, keeps(163)] },
  },
  {
    // 19 % feel 31 ms: 2,305 + 5.89.
    ...{ input: 'attempts.1.meanMs', to: 3_131, cap: 3, caps: all.slice(1) },
    moves: { ...lanes(70, 0.24, 1_561, 749.89 / 0.24), meanServiceMs: 2_310.89 },
  },
  {
    // 5 % feel 31 ms: 2,305 + 1.55.
    ...{ input: 'attempts.2.meanMs', to: 3_131, cap: 3, caps: all.slice(2) },
    moves: { ...lanes(70, 0.24, 1_561, 745.55 / 0.24), meanServiceMs: 2_306.55 },
  },
  ...[4, 5, 6].map((attempt) => ({
    ...{ input: `attempts.${attempt - 1}.meanMs`, to: 3_131, cap: 6, caps: all.slice(attempt - 1) },
    moves: { ...lanes(70, 0.39, 1_561, 1_210.55 / 0.39), meanServiceMs: 2_771.55 },
  })),
  { ...{ input: 'attempts.0.wrongShare', to: 0.01, cap: 1, caps: [] }, moves: {} },
  { ...{ input: 'attempts.1.wrongShare', to: 0.01, cap: 2, caps: [2] }, moves: { rightPerThousand: 138.6 } },
  // Of none that is rescued, none is wrong.
  ...[3, 4, 5, 6].map((attempt) => ({
    ...{ input: `attempts.${attempt - 1}.wrongShare`, to: 0.01, cap: attempt, caps: [], moves: {} },
  })),
  // A token for all, 19 % and 5 % of a million documents.
  ...[
    { attempt: 1, each: 1, day: 1_000_000 },
    { attempt: 2, each: 0.19, day: 190_000 },
    ...[3, 4, 5, 6].map((attempt) => ({ attempt, each: 0.05, day: 50_000 })),
  ].map(({ attempt, each, day }) => ({
    ...{ input: `attempts.${attempt - 1}.tokens`, to: 1, cap: 6, caps: all.slice(attempt - 1) },
    moves: { tokensPerDocument: each, tokensPerDay: day },
  })),
  // More than the load of 161.35 at cap 3, so that its wait settles.
  { ...{ input: 'slots.pool', to: 162, cap: 3, caps: all }, moves: lane('pool', 161.35, 2_305, 162) },
  {
    ...{ input: 'repairBudgetShare', to: 0.101, cap: 3, caps: all.slice(1) },
    moves: { budgetedCallsPerDocument: 1.101 },
    verdict: { warnings: [budget('19.0', '10.1')] },
  },
  {
    ...{ input: 'reviewsPerHour', to: 25.25, cap: 3, caps: all },
    moves: { reviewerHoursPerDay: 50_000 / 25.25 },
  },
  {
    ...{ input: 'limits.leastRescuedPerThousand', to: 10.1, cap: 3, caps: [], moves: {} },
    verdict: { decidedBy: [nobody.replace('least 10', 'least 10.1'), keeps(162)] },
  },
  {
    ...{ input: 'limits.mostSlots', to: 162, cap: 3, caps: [], moves: {} },
    verdict: { decidedBy: [nobody] },
  },
  {
    ...{ input: 'limits.mostWaitMs', to: 2_020, cap: 3, caps: [] },
    moves: {
      ...lane('pool', 161.35, 2_305, 160, 2_020),
      ...lane('first', 109.27, 1_561, null, 2_020),
      ...lane('repair', 52.08, 3_100, null, 2_020),
    },
  },
];
