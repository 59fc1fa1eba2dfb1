import { isDecimal } from '../domain/decimal.js';
import { failureClasses } from '../domain/failure-class.js';
import { reasons } from '../domain/reason.js';
import { type RouteName, type RoutingFacts, routeNames } from '../domain/route.js';
import { ApplicationError } from './application-error.js';
import type { ExhaustedCase } from './explain-route.js';

type Check = readonly [holds: (value: unknown) => boolean, expects: string];

const oneOf = (words: readonly string[]): Check => [
  (value) => words.some((word) => word === value),
  `one of ${words.join(', ')}`,
];
const orNull = ([holds, expects]: Check): Check => [
  (value) => value === null || holds(value),
  `${expects}, or null`,
];
const listOf = ([holds, expects]: Check): Check => [
  (value) => Array.isArray(value) && value.every(holds),
  `a list, each ${expects}`,
];
const count: Check = [
  (value) => Number.isSafeInteger(value) && Number(value) >= 0,
  'a whole number, 0 or more',
];
const text: Check = [(value) => typeof value === 'string', 'a text'];
const flag: Check = [(value) => typeof value === 'boolean', 'true or false'];
const money: Check = [
  (value) => {
    const { amount, currency, ...others } = (value ?? {}) as Readonly<Record<string, unknown>>;
    const isAmount = typeof amount === 'string' && isDecimal(amount);
    return isAmount && typeof currency === 'string' && Object.keys(others).length === 0;
  },
  'an amount such as {"amount": "12.50", "currency": "EUR"}',
];

const checks: { readonly [Name in keyof RoutingFacts | 'tried' | 'spec']-?: Check } = {
  reason: oneOf(reasons),
  failureClass: orNull(oneOf(failureClasses)),
  repliesRead: count,
  amount: orNull(money),
  templateRecognised: flag,
  hasCandidate: flag,
  tenant: text,
  tags: listOf(text),
  pages: orNull(count),
  tried: listOf(oneOf(routeNames)),
  spec: text,
};

/**
 * A case as people write it down: its reason, and of the other facts those that matter. Left out are a candidate, an
 * amount, a template, pages and tags; one reply was read. `spec` says under whose table it is looked at.
 *
 * Throws ApplicationError `invalid_request` in one sentence naming the first field that cannot be used.
 */
export function readExhaustedCase(
  written: Readonly<Record<string, unknown>>,
  tenant: string,
): ExhaustedCase & { readonly spec: string | null } {
  for (const [name, value] of Object.entries(written)) {
    const check = Object.hasOwn(checks, name) ? checks[name as keyof typeof checks] : null;
    if (check === null) throw invalid(`A case has no "${name}"; it has ${Object.keys(checks).join(', ')}.`);
    if (!check[0](value)) throw invalid(`"${name}" must be ${check[1]}.`);
  }
  if (!Object.hasOwn(written, 'reason')) throw invalid(`A case needs a "reason": ${checks.reason[1]}.`);
  const { tried, spec, ...facts } = written as Partial<RoutingFacts> & {
    readonly reason: RoutingFacts['reason'];
    readonly tried?: readonly RouteName[];
    readonly spec?: string;
  };
  return {
    facts: {
      ...{ failureClass: null, repliesRead: 1, amount: null, templateRecognised: false, hasCandidate: false },
      ...{ tenant, tags: [], pages: null },
      ...facts,
    },
    tried: tried ?? [],
    spec: spec ?? null,
  };
}

function invalid(message: string): ApplicationError {
  return new ApplicationError('invalid_request', message);
}
