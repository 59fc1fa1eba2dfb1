import type { FailureClass } from './failure-class.js';
import type { Reason } from './reason.js';
import type { RouteName } from './route.js';

/** What the extraction workflow returns: references and counts. The store holds the rest. */
export interface RunResult {
  readonly key: string;
  readonly run: number;
  readonly outcome: 'verified' | 'unverified';
  readonly reason: Reason | null;
  readonly failureClass: FailureClass | null;
  readonly attempts: number;
  readonly tokens: number;
  readonly route: RouteName | null;
}
