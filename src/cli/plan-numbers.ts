import { ApplicationError } from '../application/application-error.js';
import { usualLimits } from '../application/report-plan.js';
import { isDecimal } from '../domain/decimal.js';
import type { Money } from '../domain/money.js';
import type { AttemptFigures, PlanInput, Slots } from '../planner/plan-input.js';
import { isObject, type JsonObject, readJsonObject } from './json-file.js';

/** Numbers of a plan as flags: percent and seconds, as people say them; lists separated by commas. */
export interface PlanFlags {
  readonly peak?: number;
  readonly perDay?: number;
  readonly pass?: readonly number[];
  readonly reached?: readonly number[];
  readonly seconds?: readonly number[];
  readonly p99?: readonly number[];
  readonly wrong?: readonly number[];
  readonly tokens?: readonly number[];
  readonly cost?: readonly string[];
  readonly currency?: string;
  readonly slots?: readonly number[];
  readonly budget?: number;
  readonly reviews?: number;
  readonly reviewerCost?: string;
  readonly leastRescued?: number;
  readonly mostP99?: number;
  readonly mostSlots?: number;
  readonly mostWait?: number;
}

/** What holds where neither a flag nor a file says otherwise. */
const nothingSaid: PlanInput = {
  measuredRuns: null,
  peakPerSecond: 1,
  documentsPerDay: 0,
  attempts: [],
  slots: null,
  repairBudgetShare: null,
  reviewedShare: null,
  reviewsPerHour: 25,
  reviewerPerHour: null,
  limits: usualLimits,
};

const unmeasured: AttemptFigures = {
  cumulativePass: 0,
  reached: null,
  meanMs: 0,
  p99Ms: null,
  wrongShare: null,
  tokens: 0,
  cost: null,
};

/** The numbers of `base` with those that flags name put over them. @throws ApplicationError `invalid_request` */
export function planNumbers(flags: PlanFlags, base: PlanInput | null): PlanInput {
  const input = base ?? nothingSaid;
  const { limits } = input;
  const currency = flags.currency ?? currencyOf(input) ?? 'USD';
  return {
    // What was typed instead was not measured.
    measuredRuns: flags.pass === undefined ? input.measuredRuns : null,
    peakPerSecond: flags.peak ?? input.peakPerSecond,
    documentsPerDay: flags.perDay ?? input.documentsPerDay,
    attempts: attemptsOf(flags, input.attempts, currency),
    slots: slotsOf(flags.slots) ?? input.slots,
    repairBudgetShare: flags.budget === undefined ? input.repairBudgetShare : flags.budget / 100,
    reviewedShare: input.reviewedShare,
    reviewsPerHour: flags.reviews ?? input.reviewsPerHour,
    reviewerPerHour:
      flags.reviewerCost === undefined
        ? input.reviewerPerHour
        : priceOf('--reviewer-cost', flags.reviewerCost, currency),
    limits: {
      leastRescuedPerThousand: flags.leastRescued ?? limits.leastRescuedPerThousand,
      mostP99Ms: flags.mostP99 === undefined ? limits.mostP99Ms : flags.mostP99 * 1_000,
      mostSlots: flags.mostSlots ?? limits.mostSlots,
      mostWaitMs: flags.mostWait === undefined ? limits.mostWaitMs : flags.mostWait * 1_000,
    },
  };
}

function attemptsOf(
  flags: PlanFlags,
  given: readonly AttemptFigures[],
  currency: string,
): readonly AttemptFigures[] {
  const count = flags.pass?.length ?? given.length;
  const atLeast =
    'Say --scenario, --report, --from a file, or at least --pass 78,90.1,93.8 and --seconds 2.6,4.1.';
  if (count === 0 || (given.length === 0 && flags.seconds === undefined)) throw invalid(atLeast);
  for (const name of ['reached', 'seconds', 'p99', 'wrong', 'tokens', 'cost'] as const) {
    const named = flags[name]?.length ?? 0;
    if (named > count) throw invalid(`--${name} names ${named} attempts, and there are ${count}.`);
  }
  return Array.from({ length: count }, (_, index) => {
    const before = given[Math.min(index, given.length - 1)] ?? unmeasured;
    const pass = flags.pass?.[index];
    // A list that is shorter than the attempts goes on with its last number.
    const at = <T>(list: readonly T[] | undefined) => list?.[Math.min(index, list.length - 1)];
    const reached = flags.reached?.[index];
    const seconds = at(flags.seconds);
    const p99 = flags.p99?.[index];
    const wrong = at(flags.wrong);
    const cost = at(flags.cost);
    return {
      cumulativePass: pass === undefined ? before.cumulativePass : pass / 100,
      // What reached an attempt belongs to the curve it was measured with.
      reached: reached === undefined ? (flags.pass === undefined ? before.reached : null) : reached / 100,
      meanMs: seconds === undefined ? before.meanMs : seconds * 1_000,
      p99Ms: p99 === undefined ? before.p99Ms : p99 * 1_000,
      wrongShare: wrong === undefined ? before.wrongShare : wrong / 100,
      tokens: at(flags.tokens) ?? before.tokens,
      cost: cost === undefined ? before.cost : priceOf('--cost', cost, currency),
    };
  });
}

function slotsOf(given: readonly number[] | undefined): Slots | null {
  if (given === undefined) return null;
  const [first, repair, ...more] = given;
  if (first === undefined || more.length > 0)
    throw invalid('--slots takes one number, or two: first,repair.');
  return repair === undefined ? { kind: 'pool', pool: first } : { kind: 'lanes', first, repair };
}

function currencyOf({ attempts, reviewerPerHour }: PlanInput): string | undefined {
  return reviewerPerHour?.currency ?? attempts.find(({ cost }) => cost !== null)?.cost?.currency;
}

function priceOf(flag: string, amount: string, currency: string): Money {
  if (!isDecimal(amount)) throw invalid(`${flag} takes plain decimals such as 0.0125.`);
  return { amount, currency };
}

/** Which flag says a number of a plan. */
const flagOf: Readonly<Record<string, keyof PlanFlags>> = {
  peakPerSecond: 'peak',
  documentsPerDay: 'perDay',
  attempts: 'pass',
  cumulativePass: 'pass',
  reached: 'reached',
  meanMs: 'seconds',
  p99Ms: 'p99',
  wrongShare: 'wrong',
  tokens: 'tokens',
  'cost.amount': 'cost',
  slots: 'slots',
  repairBudgetShare: 'budget',
  reviewsPerHour: 'reviews',
  'reviewerPerHour.amount': 'reviewerCost',
  leastRescuedPerThousand: 'leastRescued',
  mostP99Ms: 'mostP99',
  mostSlots: 'mostSlots',
  mostWaitMs: 'mostWait',
};

/** A fault of a plan, with flags in place of the numbers that they said or, without a base, would have to say. */
export function inFlags(fault: string, flags: PlanFlags, base: PlanInput | null): string {
  return fault.replace(
    /^(Attempt \d+: )?([\w.]+)( and (?=meanMs))?(meanMs)?/,
    (_, at = '', one, and = '', other) => {
      const names = other === undefined ? [one] : [one, other];
      return at + names.map((name) => flagName(name, flags, base)).join(and);
    },
  );
}

function flagName(name: string, flags: PlanFlags, base: PlanInput | null): string {
  const flag = flagOf[name];
  if (flag === undefined || (base !== null && flags[flag] === undefined)) return name;
  return `--${flag.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/**
 * Reads the numbers of a plan from a JSON file: what `endstop plan --json` prints as `input`, or part of it.
 * @throws ApplicationError `invalid_request` in one sentence naming the field
 */
export async function readPlanFile(
  path: string,
): Promise<{ readonly input: PlanInput; readonly saysPeak: boolean }> {
  const { attempts, slots, limits, ...rest } = await readJsonObject(path);
  const list = attempts ?? [];
  if (!Array.isArray(list)) throw invalid(`"attempts" in ${path} must be a list.`);
  const input = merged(path, '', rest, nothingSaid, {
    attempts: list.map((each, at) => merged(path, `attempts[${at}].`, asObject(path, each), unmeasured, {})),
    slots: slots === undefined || slots === null ? null : readSlots(path, asObject(path, slots)),
    limits: merged(path, 'limits.', asObject(path, limits ?? {}), nothingSaid.limits, {}),
  });
  return { input, saysPeak: 'peakPerSecond' in rest };
}

/** `fallback` with the numbers and prices of `given` put over it; `parts` were read already. */
function merged<T extends object>(
  path: string,
  at: string,
  given: JsonObject,
  fallback: T,
  parts: Partial<T>,
): T {
  for (const [key, value] of Object.entries(given)) {
    if (!(key in fallback)) throw invalid(`${path} has a field "${at}${key}" that no plan knows.`);
    const isMoney = key === 'cost' || key === 'reviewerPerHour';
    const known: unknown = (fallback as JsonObject)[key];
    const fits = isMoney
      ? isMoneyLike(value)
      : typeof value === 'number' || (value === null && known === null);
    if (!fits && !(isMoney && value === null)) {
      const wanted = isMoney ? 'an amount, as text, with a currency' : 'a number';
      throw invalid(`"${at}${key}" in ${path} must be ${wanted}.`);
    }
  }
  return { ...fallback, ...given, ...parts };
}

function isMoneyLike(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { amount, currency } = value;
  return typeof amount === 'string' && isDecimal(amount) && typeof currency === 'string';
}

function readSlots(path: string, { kind, pool, first, repair }: JsonObject): Slots {
  if (kind === 'pool' && typeof pool === 'number') return { kind, pool };
  if (kind === 'lanes' && typeof first === 'number' && typeof repair === 'number') {
    return { kind, first, repair };
  }
  throw invalid(`"slots" in ${path} must be a pool, or lanes with first and repair.`);
}

function asObject(path: string, value: unknown): JsonObject {
  if (isObject(value)) return value;
  throw invalid(`${path} must hold an object with the numbers of a plan.`);
}

function invalid(message: string): ApplicationError {
  return new ApplicationError('invalid_request', message);
}
