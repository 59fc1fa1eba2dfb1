import { compareDecimals, isDecimal } from './decimal.js';
import type { Money } from './money.js';
import { isSystemic } from './reason.js';
import type { Route, RouteCondition, RouteName, RoutingFacts } from './route.js';

/**
 * Where a document goes that ended unverified: the first route that matches and was not tried yet; the end of the
 * table is `dead_letter`. A reason that says nothing about the document goes there whatever the table says, and a
 * cancelled run goes nowhere (null).
 */
export function chooseRoute(
  routes: readonly Route[],
  facts: RoutingFacts,
  tried: readonly RouteName[],
): RouteName | null {
  if (facts.reason === 'cancelled') return null;
  if (isSystemic(facts.reason, facts.repliesRead)) return 'dead_letter';
  const route = routes.find(({ to, when }) => !tried.includes(to) && matches(when ?? {}, facts));
  return route?.to ?? 'dead_letter';
}

/** Every condition that is present must hold; a fact that is not known meets none. */
function matches(when: RouteCondition, facts: RoutingFacts): boolean {
  return (
    isAmong(when.reasons, facts.reason) &&
    isAmong(when.failureClasses, facts.failureClass) &&
    isAmong(when.tenants, facts.tenant) &&
    (when.tags === undefined || when.tags.some((tag) => facts.tags.includes(tag))) &&
    isEqual(when.templateRecognised, facts.templateRecognised) &&
    isEqual(when.hasCandidate, facts.hasCandidate) &&
    (when.pagesAtLeast === undefined || (facts.pages !== null && facts.pages >= when.pagesAtLeast)) &&
    (when.amountAtLeast === undefined || isAtLeast(facts.amount, when.amountAtLeast))
  );
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
