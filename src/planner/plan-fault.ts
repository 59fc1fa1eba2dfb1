import { isDecimal } from '../domain/decimal.js';
import type { Money } from '../domain/money.js';
import type { AttemptFigures, PlanInput, Slots } from './plan-input.js';
import { offeredLoad } from './waiting.js';
import { yieldCurve } from './yield-curve.js';

const isShare = (value: number) => value >= 0 && value <= 1;
const isCount = (value: number) => Number.isSafeInteger(value) && value >= 1;
const isAmount = (value: number) => Number.isFinite(value) && value >= 0;
const isPositive = (value: number) => Number.isFinite(value) && value > 0;
const isPrice = (money: Money | null) =>
  money === null || (isDecimal(money.amount) && money.amount[0] !== '-');

/** The most attempts a plan looks at: far above any cap that makes sense, far below what takes time. */
const mostAttempts = 100;
/** Beyond this, digits are lost, and nobody has so many of anything. */
const most = 1e12;
/** The most slots that may be busy at once: a wait is worked out slot by slot. */
const mostBusy = 20_000;

const ofAttempts: readonly (readonly [holds: (attempt: AttemptFigures) => boolean, sentence: string])[] = [
  [(each) => isShare(each.cumulativePass), 'cumulativePass must be a share between 0 and 1.'],
  [(each) => each.reached === null || isShare(each.reached), 'reached must be a share between 0 and 1.'],
  [(each) => isPositive(each.meanMs), 'meanMs must be a duration above 0.'],
  [(each) => each.p99Ms === null || isPositive(each.p99Ms), 'p99Ms must be a duration above 0.'],
  [
    (each) => each.wrongShare === null || isShare(each.wrongShare),
    'wrongShare must be a share between 0 and 1.',
  ],
  [(each) => isAmount(each.tokens), 'tokens must be 0 or more.'],
  [(each) => isPrice(each.cost), 'cost.amount must be a plain decimal text, 0 or more.'],
];

const ofInput: readonly (readonly [holds: (input: PlanInput) => boolean, sentence: string])[] = [
  [
    ({ measuredRuns }) => measuredRuns === null || isCount(measuredRuns),
    'measuredRuns must be a whole number.',
  ],
  [({ peakPerSecond }) => isPositive(peakPerSecond), 'peakPerSecond must be above 0.'],
  [({ documentsPerDay }) => isAmount(documentsPerDay), 'documentsPerDay must be 0 or more.'],
  [
    ({ attempts }) => attempts.length >= 1 && attempts.length <= mostAttempts,
    `attempts must describe 1 to ${mostAttempts} attempts.`,
  ],
  [({ slots }) => slots === null || slotCounts(slots).every(isCount), 'slots must be whole numbers from 1.'],
  [
    ({ repairBudgetShare }) => repairBudgetShare === null || isAmount(repairBudgetShare),
    'repairBudgetShare must be 0 or more.',
  ],
  [
    ({ reviewedShare }) => reviewedShare === null || isShare(reviewedShare),
    'reviewedShare must be a share between 0 and 1.',
  ],
  [({ reviewsPerHour }) => isPositive(reviewsPerHour), 'reviewsPerHour must be above 0.'],
  [({ reviewerPerHour }) => isPrice(reviewerPerHour), 'reviewerPerHour.amount must be a plain decimal text.'],
  [({ limits }) => isAmount(limits.leastRescuedPerThousand), 'leastRescuedPerThousand must be 0 or more.'],
  [({ limits }) => limits.mostP99Ms === null || isPositive(limits.mostP99Ms), 'mostP99Ms must be above 0.'],
  [
    ({ limits }) => limits.mostSlots === null || isCount(limits.mostSlots),
    'mostSlots must be a whole number.',
  ],
  [({ limits }) => isAmount(limits.mostWaitMs), 'mostWaitMs must be a duration, 0 or more.'],
  [
    (input) => new Set(pricesOf(input).map(({ currency }) => currency)).size <= 1,
    'All money of a plan must be in one currency.',
  ],
];

/** What is wrong with the numbers of a plan, in one sentence naming the number; null when a plan can be made. */
export function planFault(input: PlanInput): string | null {
  const whole = ofInput.find(([holds]) => !holds(input));
  if (whole !== undefined) return whole[1];
  for (const [index, attempt] of input.attempts.entries()) {
    const single = ofAttempts.find(([holds]) => !holds(attempt));
    if (single !== undefined) return `Attempt ${index + 1}: ${single[1]}`;
    const before = input.attempts[index - 1];
    if (before === undefined) continue;
    if (attempt.cumulativePass < before.cumulativePass) {
      return `Attempt ${index + 1}: cumulativePass must not fall: what is verified stays verified.`;
    }
    const left = 1 - before.cumulativePass;
    // The margin is for shares that went through percent and back.
    if (attempt.reached !== null && attempt.reached > left + 1e-9) {
      return `Attempt ${index + 1}: reached must not exceed what was left over before it.`;
    }
    if (attempt.cumulativePass - before.cumulativePass > (attempt.reached ?? left) + 1e-9) {
      return `Attempt ${index + 1}: more documents pass than reach it.`;
    }
  }
  if (!numbersOf(input).every((value) => value <= most)) {
    return 'No number of a plan may be above 1,000,000,000,000.';
  }
  return busyOf(input) <= mostBusy
    ? null
    : `peakPerSecond and meanMs keep more than ${mostBusy.toLocaleString('en')} slots busy at once: plan for a part of that.`;
}

/** Slots busy with all attempts there are. */
function busyOf({ peakPerSecond, attempts }: PlanInput): number {
  const documentMs = yieldCurve(attempts).reduce((sum, { point, meanMs }) => sum + point.reached * meanMs, 0);
  return offeredLoad(peakPerSecond, documentMs);
}

function slotCounts(slots: Slots): readonly number[] {
  return slots.kind === 'pool' ? [slots.pool] : [slots.first, slots.repair];
}

function numbersOf(input: PlanInput): readonly number[] {
  const { leastRescuedPerThousand, mostP99Ms, mostWaitMs } = input.limits;
  return [
    ...[input.peakPerSecond, input.documentsPerDay, input.reviewsPerHour, input.repairBudgetShare ?? 0],
    ...[leastRescuedPerThousand, mostP99Ms ?? 0, mostWaitMs],
    ...input.attempts.flatMap(({ meanMs, p99Ms, tokens }) => [meanMs, p99Ms ?? 0, tokens]),
    ...pricesOf(input).map(({ amount }) => Number(amount)),
  ];
}

function pricesOf({ attempts, reviewerPerHour }: PlanInput): readonly Money[] {
  return [reviewerPerHour, ...attempts.map(({ cost }) => cost)].filter((money) => money !== null);
}
