import { failureClasses } from '../domain/failure-class.js';
import { suggestion } from '../domain/nearest-word.js';
import { reasons } from '../domain/reason.js';
import { requestModes } from '../domain/request-mode.js';
import { routeNames } from '../domain/route.js';
import { minorUnitsOf } from '../verification/currencies.js';
import { toDecimal } from '../verification/decimal-text.js';
import { defaultPolicy, defaultRepairBudget } from './default-policy.js';

/** What is wrong with one value, in words after its name; null when nothing is. */
type Check = (value: unknown) => string | null;

/**
 * What is wrong with the names in a spec's policy, budget and mode: a part, a route, a reason or a class that there is
 * not. A misspelt condition would hold always, a misspelt route lead nowhere. Null: nothing is.
 */
export function policyNamesFault(definition: {
  readonly policy?: unknown;
  readonly repairBudget?: unknown;
  readonly mode?: unknown;
}): string | null {
  const { policy, repairBudget, mode } = definition;
  return (
    faultOf('policy', policy, policyCheck) ??
    faultOf('repairBudget', repairBudget, parts(Object.keys(defaultRepairBudget), {})) ??
    faultOf('mode', mode, oneOf(requestModes))
  );
}

function faultOf(name: string, value: unknown, check: Check): string | null {
  const fault = value === undefined ? null : check(value);
  return fault === null ? null : `${name}${fault}`;
}

/** Faults begin with what leads to the value (".routes"), or with a blank. */
function parts(names: readonly string[], checks: { readonly [name: string]: Check }): Check {
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return ` must be an object of ${names.join(', ')}.`;
    for (const [name, inner] of Object.entries(value)) {
      if (!names.includes(name)) return ` has no part "${name}"${suggestion(name, names)}`;
      const fault = inner === undefined ? null : (checks[name]?.(inner) ?? null);
      if (fault !== null) return `.${name}${fault}`;
    }
    return null;
  };
}

function listOf(what: string, check: Check): Check {
  return (value) => {
    if (!Array.isArray(value)) return ` must be a list of ${what}.`;
    for (const [index, item] of value.entries()) {
      const fault = check(item);
      if (fault !== null) return `[${index}]${fault}`;
    }
    return null;
  };
}

function oneOf(words: readonly string[]): Check {
  return (value) =>
    typeof value === 'string' && words.includes(value)
      ? null
      : ` cannot be ${JSON.stringify(value)}${suggestion(String(value), words)}`;
}

/** A list with nothing in it would be met by nothing. */
function someOf(what: string, words: readonly string[]): Check {
  const each = listOf(what, oneOf(words));
  return (value) =>
    Array.isArray(value) && value.length === 0 ? ` names none of the ${what}.` : each(value);
}

function a(what: string, holds: (value: unknown) => boolean): Check {
  return (value) => (holds(value) ? null : ` must be ${what}.`);
}

const isText = (value: unknown) => typeof value === 'string' && value !== '';
const aBoolean = a('true or false', (value) => typeof value === 'boolean');

const money: Check = (value) =>
  parts(['amount', 'currency'], {})(value) ??
  a(
    '{ amount, currency } with a plain decimal text and a currency code, such as "5000.00" and "EUR"',
    (given) => {
      const { amount, currency } = given as { readonly amount?: unknown; readonly currency?: unknown };
      return typeof amount === 'string' && toDecimal(amount) !== null && minorUnitsOf(currency) !== null;
    },
  )(value);

const conditions: { readonly [name: string]: Check } = {
  reasons: someOf('reasons', reasons),
  failureClasses: someOf('failure classes', failureClasses),
  amountAtLeast: money,
  templateRecognised: aBoolean,
  hasCandidate: aBoolean,
  tenants: listOf('texts', a('a text', isText)),
  tags: listOf('texts', a('a text', isText)),
  pagesAtLeast: a('a whole number', (value) => Number.isSafeInteger(value)),
};

const line = parts(['to', 'when'], {
  to: oneOf(routeNames),
  when: parts(Object.keys(conditions), conditions),
});
const wholeLine: Check = (value) =>
  line(value) ??
  ((value as { readonly to?: unknown }).to === undefined ? ' says no route: give it "to".' : null);

const policyCheck = parts(Object.keys(defaultPolicy), {
  routes: listOf('routes', wholeLine),
  models: listOf('models', a('a text', isText)),
  moneyCap: (value) => (value === null ? null : money(value)),
  transport: parts(Object.keys(defaultPolicy.transport), {}),
  outage: parts(Object.keys(defaultPolicy.outage), {}),
  tokenCeilings: listOf(
    'numbers',
    a('a number', (value) => typeof value === 'number'),
  ),
  estimateMs: listOf(
    'durations',
    a('a number', (value) => typeof value === 'number'),
  ),
});
