import type { FailureClass } from '../domain/failure-class.js';
import type { Reason } from '../domain/reason.js';
import type { RouteName } from '../domain/route.js';
import type { Measure } from './measure.js';
import { attemptsMade, type DocumentRow, madeAttempt, verifiedBy } from './rows.js';

/** What there was, counted apart: documents' runs, attempts, calls. They are never added to one another. */
export interface TallyReport {
  readonly runs: number;
  readonly verified: number;
  readonly unverified: number;
  readonly open: number;
  /** Attempts begun, and how many of them ended without a reply. */
  readonly attempts: number;
  readonly unanswered: number;
  /** Requests on the wire, and how many of them failed on the way. */
  readonly calls: number;
  readonly failedCalls: number;
  /** Runs by why they stopped, and where they went; attempts by why they were rejected. The most frequent first. */
  readonly reasons: readonly { readonly reason: Reason; readonly runs: number }[];
  readonly routes: readonly { readonly route: RouteName; readonly runs: number }[];
  readonly classes: readonly { readonly failureClass: FailureClass; readonly attempts: number }[];
}

export class TallyMeasure implements Measure {
  readonly state = {
    counts: {
      ...{ runs: 0, verified: 0, unverified: 0, open: 0 },
      ...{ attempts: 0, unanswered: 0, calls: 0, failedCalls: 0 },
    },
    reasons: new Map<Reason, number>(),
    routes: new Map<RouteName, number>(),
    classes: new Map<FailureClass, number>(),
  };

  add(document: DocumentRow): void {
    const { counts, reasons, routes, classes } = this.state;
    const { attempts, endedAt, reason, route } = document;
    counts.runs += 1;
    if (endedAt === null) counts.open += 1;
    else if (verifiedBy(document) === null) counts.unverified += 1;
    else counts.verified += 1;
    if (document.unanswered !== null && endedAt !== null) counts.unanswered += 1;
    counts.attempts += attemptsMade(document);
    for (let attempt = 1; attempt <= attemptsMade(document); attempt += 1) {
      const made = madeAttempt(document, attempt);
      counts.calls += made?.calls ?? 0;
      counts.failedCalls += made?.failedCalls ?? 0;
    }
    if (reason !== null) countUp(reasons, reason);
    if (route !== null) countUp(routes, route);
    for (const { failureClass } of attempts) if (failureClass !== null) countUp(classes, failureClass);
  }

  report(): TallyReport {
    const { counts, ...found } = this.state;
    return {
      ...counts,
      reasons: sorted(found.reasons).map(([reason, runs]) => ({ reason, runs })),
      routes: sorted(found.routes).map(([route, runs]) => ({ route, runs })),
      classes: sorted(found.classes).map(([failureClass, attempts]) => ({ failureClass, attempts })),
    };
  }
}

function countUp<Name>(counts: Map<Name, number>, name: Name): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function sorted<Name extends string>(counts: Map<Name, number>): [Name, number][] {
  return [...counts].sort(([one, few], [other, many]) => many - few || (one < other ? -1 : 1));
}
