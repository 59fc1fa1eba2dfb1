import type { AttemptReport } from '../domain/attempt-report.js';
import type { RunRef } from '../domain/extraction-input.js';
import type { Lane } from '../domain/lane.js';
import type { Money } from '../domain/money.js';
import type { Spending, Usage } from '../domain/usage.js';
import type { Evidence } from '../verification/evidence.js';
import type { Problem } from '../verification/problem.js';
import type { Contradiction } from '../verification/verdict.js';

/** Any JSON whose numbers are kept as strings, so that no digit is lost on the way through the store. */
export type StoredJson =
  | null
  | boolean
  | string
  | number
  | readonly StoredJson[]
  | { readonly [key: string]: StoredJson };

/** Everything known about one attempt: the report, and the texts that never enter history. */
export interface Attempt {
  readonly report: AttemptReport;
  readonly problems: readonly Problem[];
  readonly contradiction: Contradiction | null;
  /** The whole candidate; null when none was read. */
  readonly candidate: StoredJson;
  readonly evidence: readonly Evidence[];
  readonly ungrounded: readonly string[];
  /** What the call was told about the failure before it. */
  readonly feedback: string | null;
  readonly at: number;
}

export interface AttemptCommit extends Attempt {
  readonly ref: RunRef;
  readonly verifierVersion: string;
  /** When it verifies, a person is asked about it too: the review's id, and what orders the queue. Null: nobody is. */
  readonly sample: { readonly reviewId: string; readonly amount: Money | null } | null;
}

/** `report` is the stored one: the first commit of an attempt wins, a second one changes nothing. */
export interface Committed {
  readonly report: AttemptReport;
  /** True when this run's success withdrew an open review of the same subject. */
  readonly withdrewReview: boolean;
  /** How long the run had taken when this very commit ended it; absent when it did not. */
  readonly verifiedAfterMs?: number;
}

/** A request about to go on the wire. Its row is written first, so that a crash cannot hide money. */
export interface NewCall {
  readonly ref: RunRef;
  readonly attempt: number;
  readonly lane: Lane;
  readonly model: string;
  /** The server that is asked: `Extractor.provider`. */
  readonly provider: string;
  /** Temporal's activity id: failed calls are counted per activity execution. */
  readonly activityId: string;
  /** Upper estimate, counted until the true usage is known. */
  readonly estimate: Spending;
  readonly at: number;
}

export interface CallEnd {
  readonly callId: string;
  readonly state: 'answered' | 'failed';
  readonly faultClass: string | null;
  readonly status: number | null;
  readonly requestId: string | null;
  readonly usage: Usage | 'unknown';
  readonly spending: Spending;
  readonly at: number;
}

export interface Call {
  readonly callId: string;
  readonly attempt: number;
  readonly model: string;
  /** The server that was asked; null for calls of a worker that did not note it yet. */
  readonly provider: string | null;
  readonly state: 'open' | 'answered' | 'failed';
  readonly faultClass: string | null;
  readonly status: number | null;
  readonly requestId: string | null;
  readonly tokens: number;
  readonly cost: Money;
  readonly known: boolean;
  readonly startedAt: number;
  readonly endedAt: number | null;
}

/** Calls of one attempt so far. Open rows of a lost worker count as money, never as failed calls of this activity. */
export interface CallTally {
  readonly calls: number;
  readonly failedInActivity: number;
  readonly spending: Spending;
}

export interface AttemptStore {
  /** The committed result of this attempt, if there is one: it is returned instead of paying again. */
  stored(ref: RunRef, attempt: number): Promise<Committed | null>;
  /** Writes the call row; for attempt 1 it also counts a primary call into the spec's traffic. Returns the call's id. */
  beginCall(call: NewCall): Promise<string>;
  /** Writes what came of a call, and counts the calls of its attempt, this one included. Again: the same. */
  endCall(end: CallEnd): Promise<CallTally>;
  /** Problems of an attempt, for feedback; empty when there is no such attempt. */
  problems(ref: RunRef, attempt: number): Promise<readonly Problem[]>;
  /** The newest whole candidate before this attempt; null when there is none. */
  previousCandidate(ref: RunRef, beforeAttempt: number): Promise<StoredJson>;
  /**
   * One transaction: the attempt row and, when the report is accepted and the extraction row is still open
   * (compare-and-set), the closed extraction, the record, its outbox event, the closed dead letter, the withdrawn
   * review of the subject and the question about a sample.
   * @throws DocumentErased when the document was erased meanwhile: nothing is written.
   */
  commit(commit: AttemptCommit): Promise<Committed>;
  /**
   * 90th percentile of how long attempt 1, 2, ... of this spec lately took, in ms, over its newest 200 runs since `since`
   * (epoch ms). Null where fewer than ten were measured: too few to overrule what the spec declares.
   */
  recentP90Ms(specId: string, since: number): Promise<readonly (number | null)[]>;
  /** Attempts of a run in order. */
  list(key: string, run: number): Promise<readonly Attempt[]>;
  /** Calls of a run in order. */
  calls(key: string, run: number): Promise<readonly Call[]>;
}
