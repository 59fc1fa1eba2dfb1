import type { Money } from '../domain/money.js';
import type { AttemptFigures, PlanInput } from './plan-input.js';
import { fewestSlots, meanWaitMs, offeredLoad, p99WaitMs, slotsFor } from './waiting.js';
import { type YieldPoint, yieldCurve } from './yield-curve.js';

/** One stream of calls and the slots it needs or has. */
export interface LaneLoad {
  readonly lane: 'pool' | 'first' | 'repair';
  /** Mean time one call holds a slot; for the pool, the mean time of a whole document. */
  readonly serviceMs: number;
  /** Slots busy on average at the peak. */
  readonly load: number;
  /** Fewest slots that can keep up at all. */
  readonly fewestSlots: number;
  /** Fewest slots with which 99 of 100 wait no longer than the limit. */
  readonly slots: number;
  /** Slots that exist; null when nobody said. The figures below are about these, else about `slots`. */
  readonly given: number | null;
  readonly utilisation: number;
  /** Null above capacity: the wait grows with the burst instead of settling. */
  readonly meanWaitMs: number | null;
  readonly p99WaitMs: number | null;
}

/** All that follows from one attempt cap. Money is an expectation, rounded to six digits. */
export interface CapPlan {
  readonly cap: number;
  readonly point: YieldPoint;
  /** Rescued by the last attempt, less those whose record is wrong; null: nobody knows how many those are. */
  readonly rightPerThousand: number | null;
  readonly exhaustedShare: number;
  readonly exhaustedPerDay: number;
  readonly reviewerHoursPerDay: number;
  readonly reviewerCostPerDay: Money | null;
  readonly p99Ms: number | null;
  /** Over the 99th percentile of a single attempt. */
  readonly addedP99Ms: number | null;
  readonly meanServiceMs: number;
  /** All attempts of a document in one pool of slots. */
  readonly pool: LaneLoad;
  readonly first: LaneLoad;
  /** Null when no document is repaired. */
  readonly repair: LaneLoad | null;
  /** Calls per document on an ordinary day. */
  readonly callsPerDocument: number;
  /** Calls per document when every attempt of every document fails and no budget stops repairs. */
  readonly worstCallsPerDocument: number;
  /** The same, with the repair budget; equal to it without one. */
  readonly budgetedCallsPerDocument: number;
  /** Repairs per primary call: what a repair budget is compared with. A document without a first attempt has neither. */
  readonly repairShare: number;
  readonly tokensPerDocument: number;
  readonly tokensPerDay: number;
  readonly costPerDay: Money | null;
  /**
   * What the last attempt costs for each right record it brings, all of them being right where nobody knows; null for the
   * first, for none, or without a price.
   */
  readonly costPerRescue: Money | null;
}

type Step = AttemptFigures & { readonly point: YieldPoint };

/** The figures of every cap from 1 to the number of attempts known. Expects numbers in which `planFault` finds no fault. */
export function planCaps(input: PlanInput): readonly CapPlan[] {
  const steps = yieldCurve(input.attempts);
  return steps.map((last, index) => planCap(input, steps.slice(0, index + 1), last));
}

/** Mean over all documents of something that every attempt has. */
function mean(steps: readonly Step[], value: (step: Step) => number): number {
  return steps.reduce((sum, step) => sum + step.point.reached * value(step), 0);
}

function planCap(input: PlanInput, steps: readonly Step[], last: Step): CapPlan {
  const { point, p99Ms } = last;
  const cap = steps.length;
  const repairs = steps.slice(1);
  const rescued = point.rescuedPerThousand;
  const rightPerThousand =
    rescued === 0 ? 0 : last.wrongShare === null ? null : rescued * (1 - last.wrongShare);
  const exhaustedShare = 1 - point.cumulative;
  const exhaustedPerDay = exhaustedShare * input.documentsPerDay;
  const reviewerHoursPerDay = (exhaustedPerDay * (input.reviewedShare ?? 1)) / input.reviewsPerHour;
  const primaries = (steps[0] as Step).point.reached;
  const singleP99Ms = input.attempts[0]?.p99Ms ?? null;
  const tokensPerDocument = mean(steps, ({ tokens }) => tokens);
  const priceOf = ({ cost }: AttemptFigures) => Number(cost?.amount);
  const currency = last.cost?.currency ?? null;
  const money = (amount: number): Money | null =>
    currency === null || !Number.isFinite(amount) ? null : { amount: amount.toFixed(6), currency };
  return {
    cap,
    point,
    rightPerThousand,
    exhaustedShare,
    exhaustedPerDay,
    reviewerHoursPerDay,
    reviewerCostPerDay: times(input.reviewerPerHour, reviewerHoursPerDay),
    p99Ms,
    addedP99Ms: p99Ms === null || singleP99Ms === null ? null : p99Ms - singleP99Ms,
    meanServiceMs: mean(steps, ({ meanMs }) => meanMs),
    ...lanesOf(input, steps),
    callsPerDocument: mean(steps, () => 1),
    worstCallsPerDocument: cap,
    budgetedCallsPerDocument: 1 + Math.min(cap - 1, input.repairBudgetShare ?? cap - 1),
    repairShare: primaries === 0 ? 0 : mean(repairs, () => 1) / primaries,
    tokensPerDocument,
    tokensPerDay: tokensPerDocument * input.documentsPerDay,
    costPerDay: money(mean(steps, priceOf) * input.documentsPerDay),
    // Divided by nothing it is no amount, and so no money.
    costPerRescue: money((point.reached * priceOf(last) * 1_000) / (rightPerThousand ?? rescued)),
  };
}

function lanesOf(input: PlanInput, steps: readonly Step[]): Pick<CapPlan, 'pool' | 'first' | 'repair'> {
  const { slots } = input;
  const repairs = steps.slice(1);
  const perDocument = mean(repairs, () => 1);
  const documentMs = mean(steps, ({ meanMs }) => meanMs);
  const repairMs = mean(repairs, ({ meanMs }) => meanMs);
  const lanes = slots?.kind === 'lanes' ? slots : null;
  const pool = slots?.kind === 'pool' ? slots.pool : null;
  return {
    pool: laneLoad(input, 'pool', 1, documentMs, lanes === null ? pool : lanes.first + lanes.repair),
    first: laneLoad(input, 'first', 1, documentMs - repairMs, lanes === null ? null : lanes.first),
    repair:
      perDocument === 0
        ? null
        : laneLoad(
            input,
            'repair',
            perDocument,
            repairMs / perDocument,
            lanes === null ? null : lanes.repair,
          ),
  };
}

/** `perDocument`: how many calls a document brings to this lane. */
function laneLoad(
  { peakPerSecond, limits }: PlanInput,
  lane: LaneLoad['lane'],
  perDocument: number,
  serviceMs: number,
  given: number | null,
): LaneLoad {
  const load = offeredLoad(peakPerSecond * perDocument, serviceMs);
  const slots = slotsFor(load, serviceMs, limits.mostWaitMs);
  const there = given ?? slots;
  return {
    lane,
    serviceMs,
    load,
    fewestSlots: fewestSlots(load),
    slots,
    given,
    utilisation: load / there,
    meanWaitMs: meanWaitMs(load, there, serviceMs),
    p99WaitMs: p99WaitMs(load, there, serviceMs),
  };
}

function times(money: Money | null, factor: number): Money | null {
  return money === null
    ? null
    : { amount: (Number(money.amount) * factor).toFixed(6), currency: money.currency };
}
