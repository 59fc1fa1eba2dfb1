// What the API answers, as its schemas say it (a test holds them together): the client ships alone, so its words are its own.

/** Why an unverified run stopped. */
export type Reason =
  | 'cancelled'
  | 'attempt_cap'
  | 'token_cap'
  | 'deadline'
  | 'repair_budget'
  | 'verifier_fault'
  | 'refusal'
  | 'token_ceiling'
  | 'contradiction'
  | 'no_progress'
  | 'oscillation'
  | 'not_repairable'
  | 'empty_reply'
  | 'no_capacity'
  | 'provider_unavailable'
  | 'provider_rejected'
  | 'spec_unavailable'
  | 'unreadable_document'
  | 'store_unavailable'
  | 'internal_error'
  | 'batch_budget';

/** Why one attempt was not accepted. */
export type FailureClass =
  | 'truncated'
  | 'refusal'
  | 'parse'
  | 'schema'
  | 'constraint'
  | 'empty'
  | 'verifier_fault';

/** Where an exhausted document goes. */
export type RouteName = 'fallback' | 'human_review' | 'best_effort' | 'dead_letter';

export type VerificationStatus =
  | 'verified'
  | 'human_verified'
  | 'fallback'
  | 'best_effort'
  | 'needs_review'
  | 'rejected';

export type Json = null | boolean | string | number | readonly Json[] | { readonly [key: string]: Json };

/** An exact amount: a plain decimal string (no exponent, no separators) and an ISO 4217 code. */
export interface Money {
  readonly amount: string;
  readonly currency: string;
}

/** One broken rule by its stable id and the RFC 6901 pointer of the field it broke on. */
export interface Problem {
  readonly rule: string;
  readonly pointer: string;
  readonly message: string;
  /** What would have satisfied the rule, where the rule can say. */
  readonly expected: string | null;
  /** What the candidate held. */
  readonly found: string | null;
}

/** A named change that reading made to the bytes before they parsed, with how often. */
export interface Normalisation {
  readonly kind: string;
  readonly count: number;
}

/** Tokens the provider counted. Input includes cache writes and cache reads. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly thinkingTokens: number;
}

/** How a run ended. The compiler makes you handle both kinds; it never changes afterwards. */
export type Outcome<Rec = Json> = Verified<Rec> | Unverified<Rec>;

export interface Verified<Rec = Json> {
  readonly kind: 'verified';
  readonly record: Rec;
  readonly attempts: number;
  readonly verifierVersion: string;
  readonly normalisations: readonly Normalisation[];
  readonly tokens: number;
}

export interface Unverified<Rec = Json> {
  readonly kind: 'unverified';
  /** The best whole candidate, never from a truncated reply; null when none was ever read. It is not data. */
  readonly bestEffort: Rec | null;
  /** What keeps `bestEffort` from being data; with no candidate, what was wrong with the last reply. */
  readonly unmet: readonly Problem[];
  readonly attempts: number;
  readonly reason: Reason;
  readonly failureClass: FailureClass | null;
  readonly diagnosis: Diagnosis | null;
  readonly tokens: number;
  /** Null only for a cancelled run, which goes nowhere. */
  readonly route: RouteName | null;
  /** Few fields, each literally printed in the document; null unless the fallback found any. */
  readonly fallback: { readonly fields: Json; readonly template: string } | null;
}

/** The rules that keep a document from ending, with the words and values that prove it where there are any. */
export type Diagnosis =
  | {
      readonly kind: 'contradiction';
      readonly rules: readonly [string, string];
      readonly pointer: string;
      readonly values: readonly [string, string] | null;
      readonly explanation: string | null;
    }
  | { readonly kind: 'oscillation'; readonly rules: readonly string[] }
  | { readonly kind: 'unreadable'; readonly fault: string };

/** One run as lists show it. Instants are ISO 8601. */
export interface ExtractionSummary {
  readonly id: string;
  readonly run: number;
  readonly state: 'running' | 'ended';
  readonly outcomeKind: 'verified' | 'unverified' | null;
  readonly reason: Reason | null;
  readonly failureClass: FailureClass | null;
  readonly route: RouteName | null;
  readonly spec: string;
  readonly schemaVersion: string;
  readonly promptVersion: string;
  readonly tenant: string;
  readonly documentHash: string;
  readonly fileName: string | null;
  readonly tags: readonly string[];
  readonly batch: string | null;
  /** The server and the model that gave the last answer; null while none answered. */
  readonly provider: string | null;
  readonly model: string | null;
  readonly attempts: number;
  readonly calls: number;
  readonly tokens: number;
  readonly cost: Money;
  readonly startedAt: string;
  readonly deadlineAt: string;
  readonly closedAt: string | null;
  readonly durationMs: number | null;
  /** When what the document said was erased; null: it is all there. */
  readonly erasedAt: string | null;
}

/** One run whole: `outcome` is null while it runs, and `humanRecord` what a person made of the document since. */
export interface ExtractionWhole<Rec = Json> extends ExtractionSummary {
  readonly outcome: Outcome<Rec> | null;
  readonly humanRecord: StoredRecord<Rec> | null;
  /** The run in the engine's own UI; null when no UI is known. */
  readonly engineUrl: string | null;
}

/** One record. Only `verified` and `human_verified` ones are data; the rest say what they lack in `unmet`. */
export interface StoredRecord<Rec = Json> {
  readonly extractionId: string;
  readonly run: number;
  readonly subject: string;
  readonly spec: string;
  readonly schemaVersion: string;
  readonly promptVersion: string;
  readonly tenant: string;
  readonly documentHash: string;
  readonly verificationStatus: VerificationStatus;
  readonly record: Rec;
  /** Where each value stands in the document. */
  readonly evidence: readonly Evidence[];
  /** Pointers of values that no text layer could ground. */
  readonly ungrounded: readonly string[];
  readonly unmet: readonly Problem[];
  readonly normalisations: readonly Normalisation[];
  readonly verifierVersion: string;
  readonly template: string | null;
  readonly at: string;
}

/** Where a value stands in the document's text layer: page from 1, character offsets within that page's text. */
export interface Evidence {
  readonly pointer: string;
  readonly page: number;
  readonly start: number;
  readonly end: number;
  /** The text as printed. */
  readonly printed: string;
  /** Other values that the same print can mean. Absent: there is one reading. */
  readonly otherReadings?: readonly string[] | undefined;
}

/** One request on the wire. Where `known` is false, tokens and cost are the upper estimate. */
export interface Call {
  readonly model: string;
  readonly provider: string | null;
  readonly state: 'open' | 'answered' | 'failed';
  readonly faultClass: string | null;
  readonly status: number | null;
  readonly requestId: string | null;
  readonly tokens: number;
  readonly cost: Money;
  readonly known: boolean;
  readonly startedAt: string;
  readonly endedAt: string | null;
}

/** One propose-and-verify round. `unanswered`: its calls failed or are under way, and no reply was read. */
export interface Attempt {
  readonly attempt: number;
  readonly result: 'accepted' | 'rejected' | 'unanswered';
  readonly lane: 'first' | 'repair' | null;
  /** The model that answered, and the server it answered from. */
  readonly model: string | null;
  readonly provider: string | null;
  readonly failureClass: FailureClass | null;
  readonly problems: readonly Problem[];
  readonly contradiction: {
    readonly rules: readonly [string, string];
    readonly pointer: string;
    readonly values: readonly [string, string];
    readonly explanation: string;
  } | null;
  readonly ungrounded: readonly string[];
  /** The token ceiling of the call: what it was sent as `max_tokens`. */
  readonly maxTokens: number | null;
  readonly promptVersion: string | null;
  readonly normalisations: readonly Normalisation[];
  readonly usage: Usage | 'unknown';
  readonly tokens: number;
  readonly cost: Money | null;
  /** The last call alone, without backoff. */
  readonly durationMs: number | null;
  readonly calls: readonly Call[];
  /** The whole candidate; null when none was read. Unverified unless `result` is `accepted`. */
  readonly candidate: Json;
  /** What the call was told about the failure before it. */
  readonly feedback: string | null;
  readonly at: string | null;
}
