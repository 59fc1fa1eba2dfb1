import type { FailureClass } from '../domain/failure-class.js';
import type { Money } from '../domain/money.js';
import type { Reason } from '../domain/reason.js';
import type { RoutingFacts } from '../domain/route.js';
import type { DocumentText } from '../verification/document-text.js';
import { recognisingTemplates } from './apply-templates.js';
import type { Spec } from './spec.js';

/** What is known of a run that ended unverified. */
export interface UnverifiedRun {
  readonly reason: Reason;
  readonly failureClass: FailureClass | null;
  readonly repliesRead: number;
  readonly tenant: string;
  readonly tags: readonly string[];
  /** The best whole candidate; null when none was read. */
  readonly best: { readonly candidate: unknown } | null;
  /** Null when this process does not know its version: then routing knows less. */
  readonly spec: Spec | null;
  /** Null when the document cannot be read (any more). */
  readonly document: { readonly text: DocumentText | null; readonly pages: number | null } | null;
}

/** What routing may look at. */
export function routingFacts(run: UnverifiedRun): RoutingFacts {
  const { spec, best, document } = run;
  const text = document?.text ?? null;
  return {
    reason: run.reason,
    failureClass: run.failureClass,
    repliesRead: run.repliesRead,
    amount: spec === null || best === null ? null : amountOf(spec, best.candidate),
    templateRecognised: text !== null && spec !== null && recognisingTemplates(spec, text).length > 0,
    hasCandidate: best !== null,
    tenant: run.tenant,
    tags: run.tags,
    pages: document?.pages ?? null,
  };
}

/** An unverified candidate may hold anything, so asking it for its amount may fail: then there is none. */
function amountOf(spec: Spec, candidate: unknown): Money | null {
  try {
    return spec.amount(candidate);
  } catch {
    return null;
  }
}
