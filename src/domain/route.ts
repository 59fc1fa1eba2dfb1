import type { FailureClass } from './failure-class.js';
import type { Money } from './money.js';
import type { Reason } from './reason.js';

/** Where an exhausted document goes. */
export const routeNames = ['fallback', 'human_review', 'best_effort', 'dead_letter'] as const;
export type RouteName = (typeof routeNames)[number];

/**
 * One line of a spec's routing table. Every condition that is present must hold; none present means "always".
 * Lines are tried in order; the first that matches wins; the end of the table is `dead_letter`.
 */
export interface Route {
  readonly to: RouteName;
  readonly when?: RouteCondition;
}

export interface RouteCondition {
  readonly reasons?: readonly Reason[];
  readonly failureClasses?: readonly FailureClass[];
  /** Holds when the best candidate's amount is in this currency and not below this amount. */
  readonly amountAtLeast?: Money;
  /** Holds when (true) or unless (false) one of the spec's templates recognises the document text. */
  readonly templateRecognised?: boolean;
  /** Holds when (true) or unless (false) at least one whole candidate was read. */
  readonly hasCandidate?: boolean;
  readonly tenants?: readonly string[];
  readonly tags?: readonly string[];
  readonly pagesAtLeast?: number;
}

/** What routing may look at. Gathered once, when the run lands. */
export interface RoutingFacts {
  readonly reason: Reason;
  readonly failureClass: FailureClass | null;
  readonly repliesRead: number;
  readonly amount: Money | null;
  readonly templateRecognised: boolean;
  readonly hasCandidate: boolean;
  readonly tenant: string;
  readonly tags: readonly string[];
  readonly pages: number | null;
}
