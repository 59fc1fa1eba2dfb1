import { compareDecimals, isDecimal } from './decimal.js';
import type { Money } from './money.js';
import { isSystemic } from './reason.js';
import { type Route, type RouteCondition, type RouteName, type RoutingFacts, routeNames } from './route.js';

/**
 * Where a document goes that ended unverified: the first route that matches and was not tried yet; the end of the
 * table is `dead_letter`, and so is a route that there is not, since a table may have been stored before it was checked.
 * A reason that says nothing about the document goes there whatever the table says, and a
 * cancelled run goes nowhere (null).
 */
export function chooseRoute(
  routes: readonly Route[],
  facts: RoutingFacts,
  tried: readonly RouteName[],
): RouteName | null {
  if (facts.reason === 'cancelled') return null;
  if (isSystemic(facts.reason, facts.repliesRead)) return 'dead_letter';
  const route = routes.find(
    ({ to, when }) => !tried.includes(to) && unmetConditions(when ?? {}, facts).length === 0,
  );
  return placeOf(route?.to);
}

function placeOf(to: RouteName | undefined): RouteName {
  return to !== undefined && routeNames.includes(to) ? to : 'dead_letter';
}

export type ConditionName = keyof RouteCondition;

/** One line of the table against the facts. */
export interface ExplainedLine {
  readonly to: RouteName;
  readonly when: RouteCondition;
  /** Conditions that do not hold; none: the line matches. */
  readonly unmet: readonly ConditionName[];
  /** This route was taken before and found no place for the document. */
  readonly tried: boolean;
  /** It decides. At most one line does. */
  readonly taken: boolean;
}

/**
 * `cancelled`, `systemic`: the table has no say; `line`: one of its lines decides; `end_of_table`: none matches that
 * was not tried.
 */
export interface RouteExplanation {
  readonly route: RouteName | null;
  readonly decidedBy: 'cancelled' | 'systemic' | 'line' | 'end_of_table';
  readonly lines: readonly ExplainedLine[];
}

/** Why `chooseRoute` answers as it does, line by line. */
export function explainRoute(
  routes: readonly Route[],
  facts: RoutingFacts,
  tried: readonly RouteName[],
): RouteExplanation {
  const lines = routes.map(({ to, when = {} }) => ({
    to,
    when,
    unmet: unmetConditions(when, facts),
    tried: tried.includes(to),
  }));
  const isCancelled = facts.reason === 'cancelled';
  const hasNoSay = isCancelled || isSystemic(facts.reason, facts.repliesRead);
  const first = hasNoSay ? -1 : lines.findIndex((line) => line.unmet.length === 0 && !line.tried);
  const explained = lines.map((line, at) => ({ ...line, taken: at === first }));
  if (isCancelled) return { route: null, decidedBy: 'cancelled', lines: explained };
  if (hasNoSay) return { route: 'dead_letter', decidedBy: 'systemic', lines: explained };
  const taken = lines[first];
  if (taken === undefined) return { route: 'dead_letter', decidedBy: 'end_of_table', lines: explained };
  return { route: placeOf(taken.to), decidedBy: 'line', lines: explained };
}

/** Every condition that is present must hold; a fact that is not known meets none. */
const holds: { readonly [Name in ConditionName]-?: (when: RouteCondition, facts: RoutingFacts) => boolean } =
  {
    reasons: (when, facts) => isAmong(when.reasons, facts.reason),
    failureClasses: (when, facts) => isAmong(when.failureClasses, facts.failureClass),
    tenants: (when, facts) => isAmong(when.tenants, facts.tenant),
    tags: ({ tags }, facts) => tags === undefined || tags.some((tag) => facts.tags.includes(tag)),
    templateRecognised: (when, facts) => isEqual(when.templateRecognised, facts.templateRecognised),
    hasCandidate: (when, facts) => isEqual(when.hasCandidate, facts.hasCandidate),
    pagesAtLeast: ({ pagesAtLeast }, { pages }) =>
      pagesAtLeast === undefined || (pages !== null && pages >= pagesAtLeast),
    amountAtLeast: ({ amountAtLeast }, { amount }) =>
      amountAtLeast === undefined || isAtLeast(amount, amountAtLeast),
  };

const conditionNames = Object.keys(holds) as readonly ConditionName[];

function unmetConditions(when: RouteCondition, facts: RoutingFacts): readonly ConditionName[] {
  return conditionNames.filter((name) => !holds[name](when, facts));
}

function isAmong<T>(allowed: readonly T[] | undefined, fact: T | null): boolean {
  return allowed === undefined || (fact !== null && allowed.includes(fact));
}

function isEqual(wanted: boolean | undefined, fact: boolean): boolean {
  return wanted === undefined || wanted === fact;
}

/** The amount comes from an unverified candidate, so it may be any text: what is no decimal is not at least anything. */
function isAtLeast(amount: Money | null, threshold: Money): boolean {
  return (
    amount !== null &&
    amount.currency === threshold.currency &&
    isDecimal(amount.amount) &&
    compareDecimals(amount.amount, threshold.amount) >= 0
  );
}
