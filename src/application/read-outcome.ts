import type { NormalisationCount } from '../domain/attempt-report.js';
import { bestCandidate } from '../domain/best-candidate.js';
import type { FailureClass } from '../domain/failure-class.js';
import type { Reason } from '../domain/reason.js';
import type { RouteName } from '../domain/route.js';
import type { Attempt, StoredJson } from '../ports/attempt-store.js';
import type { Extraction } from '../ports/extraction-store.js';
import type { StoredRecord } from '../ports/record-store.js';
import type { Store } from '../ports/store.js';
import type { Problem } from '../verification/problem.js';
import { ApplicationError } from './application-error.js';
import { instant } from './views/instant.js';

/** How a run ended, as callers see it. The compiler makes them handle both kinds; it never changes afterwards. */
export type Outcome<Rec = StoredJson> = Verified<Rec> | Unverified<Rec>;

export interface Verified<Rec = StoredJson> {
  readonly kind: 'verified';
  readonly record: Rec;
  readonly attempts: number;
  readonly verifierVersion: string;
  readonly normalisations: readonly NormalisationCount[];
  readonly tokens: number;
}

export interface Unverified<Rec = StoredJson> {
  readonly kind: 'unverified';
  /** The best whole candidate, never from a truncated reply; null when none was ever read. It is not data. */
  readonly bestEffort: Rec | null;
  /** What keeps `bestEffort` from being data; with no candidate, what was wrong with the last reply. */
  readonly unmet: readonly Problem[];
  readonly attempts: number;
  readonly reason: Reason;
  readonly failureClass: FailureClass | null;
  readonly diagnosis: ExplainedDiagnosis | null;
  readonly tokens: number;
  /** Null only for a cancelled run, which goes nowhere. */
  readonly route: RouteName | null;
  /** Few fields, each literally printed in the document; null unless the fallback found any. */
  readonly fallback: { readonly fields: StoredJson; readonly template: string } | null;
}

/** The rules that keep a document from ending, with the words and values that prove it where there are any. */
export type ExplainedDiagnosis =
  | {
      readonly kind: 'contradiction';
      readonly rules: readonly [string, string];
      readonly pointer: string;
      readonly values: readonly [string, string] | null;
      readonly explanation: string | null;
    }
  | { readonly kind: 'oscillation'; readonly rules: readonly string[] }
  | { readonly kind: 'unreadable'; readonly fault: string };

/** One extraction with its outcome (null while it runs) and what a person made of its subject since. */
export interface ExtractionReading {
  readonly extraction: Extraction;
  readonly outcome: Outcome | null;
  /** The record a person stands for, or their rejection of this one; it is linked, it never replaces the outcome. */
  readonly humanRecord: StoredRecord | null;
}

/** Reads what the store holds of one run. Throws ApplicationError `gone` when what it said was erased. */
export async function readOutcome(store: Store, extraction: Extraction): Promise<ExtractionReading> {
  if (extraction.state === 'open') return { extraction, outcome: null, humanRecord: null };
  const [records, current] = await Promise.all([
    store.records.ofKey(extraction.key),
    store.records.current(extraction.subject),
  ]);
  const humanRecord =
    current?.status === 'human_verified' ? current : rejectionOf(extraction, records, current);
  const ofRun = (status: StoredRecord['status']) =>
    records.find((record) => record.run === extraction.run && record.status === status);
  if (extraction.outcome === 'verified') {
    return { extraction, outcome: verified(extraction, ofRun('verified')), humanRecord };
  }
  // One that ended because its document was erased said nothing that could be missing now.
  if (extraction.erasedAt !== null && extraction.reason !== 'unreadable_document') throw gone(extraction);
  const attempts = await store.attempts.list(extraction.key, extraction.run);
  return { extraction, outcome: unverified(extraction, attempts, ofRun('fallback')), humanRecord };
}

/** A person rejected what this key came to, and no later run of it has verified since. */
function rejectionOf(
  { key }: Extraction,
  records: readonly StoredRecord[],
  current: StoredRecord | null,
): StoredRecord | null {
  return current?.key === key ? null : (records.find(({ status }) => status === 'rejected') ?? null);
}

/**
 * For whoever comes back for a run: one that was erased while it ran is gone like any other. Who waited for it hears how it
 * ended. Throws ApplicationError `gone`.
 */
export function refuseErased(extraction: Extraction): void {
  if (extraction.outcome === 'unverified' && extraction.erasedAt !== null) throw gone(extraction);
}

/** Says what became of it all the same: that is counted for ever. */
function gone({ key, outcome, reason, erasedAt }: Extraction): ApplicationError {
  const ended = reason === null ? outcome : `${outcome} (${reason})`;
  const what = erasedAt === null ? 'its record is no longer kept' : `it was erased on ${instant(erasedAt)}`;
  return new ApplicationError(
    'gone',
    `Extraction ${key.slice(0, 12)} ended ${ended}; ${what}, and only its counts are left.`,
  );
}

function verified(extraction: Extraction, record: StoredRecord | undefined): Verified {
  if (record === undefined) throw gone(extraction);
  return {
    kind: 'verified',
    record: record.record,
    attempts: extraction.attempts,
    verifierVersion: record.verifierVersion,
    normalisations: record.normalisations,
    tokens: extraction.tokens,
  };
}

function unverified(
  extraction: Extraction,
  attempts: readonly Attempt[],
  fallback: StoredRecord | undefined,
): Unverified {
  const best = bestCandidate(attempts);
  return {
    kind: 'unverified',
    bestEffort: best?.candidate ?? null,
    unmet: (best ?? attempts.at(-1))?.problems ?? [],
    attempts: extraction.attempts,
    // A closed unverified row always has a reason; an unreadable one must still be shown.
    reason: extraction.reason ?? 'internal_error',
    failureClass: extraction.failureClass,
    diagnosis: explain(extraction, attempts),
    tokens: extraction.tokens,
    route: extraction.route,
    fallback:
      fallback === undefined ? null : { fields: fallback.record, template: fallback.template ?? 'unknown' },
  };
}

function explain(extraction: Extraction, attempts: readonly Attempt[]): ExplainedDiagnosis | null {
  const { diagnosis } = extraction;
  if (diagnosis === null || diagnosis.kind !== 'contradiction') return diagnosis;
  const proof = attempts.findLast(
    ({ contradiction }) =>
      contradiction !== null &&
      contradiction.pointer === diagnosis.pointer &&
      contradiction.rules.join() === diagnosis.rules.join(),
  )?.contradiction;
  return { ...diagnosis, values: proof?.values ?? null, explanation: proof?.explanation ?? null };
}
