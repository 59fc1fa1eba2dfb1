import type { Money } from '../domain/money.js';
import type { RequestMode } from '../domain/request-mode.js';
import type { Spending, Usage } from '../domain/usage.js';

export interface ExtractorRequest {
  readonly model: string;
  readonly maxTokens: number;
  /** Null: the adapter's model table decides. */
  readonly mode: RequestMode | null;
  /** Stable per spec version: instructions, rules, schema. Cached by the provider. */
  readonly system: string;
  readonly schema: { readonly [keyword: string]: unknown };
  readonly document: { readonly mediaType: string; readonly bytes: Uint8Array };
  readonly task: string;
  /** The last failure only, at most 2 KB; null on a first attempt. */
  readonly feedback: string | null;
}

export interface ExtractorReply {
  /** As the provider spelled it; unknown values are failures downstream. */
  readonly stopReason: string;
  /** The mode that was really used. */
  readonly mode: RequestMode;
  /** Raw bytes of the answer (text blocks joined, or the tool input as sent). */
  readonly text: string;
  readonly requestId: string | null;
  readonly usage: Usage | 'unknown';
  readonly spending: Spending;
}

export interface CallOptions {
  /** Covers headers and body. */
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

/** One vendor's model API. One call is one request on the wire; it never retries. */
export interface Extractor {
  /** Upper estimate of what this request can cost: input estimate + max_tokens. Needs no network. */
  estimate(request: ExtractorRequest): Spending;
  /** @throws CallFault for everything that is not a complete HTTP 200 message. */
  call(request: ExtractorRequest, options: CallOptions): Promise<ExtractorReply>;
  /** The server it asks: `anthropic`, `stand-in`, or the host of ANTHROPIC_BASE_URL. Stored with every call. */
  readonly provider: string;
  /** Currency of every cost this extractor reports, and its zero. */
  readonly zeroCost: Money;
}

/** Why a call brought no reply. `kind` says whether asking again can help. */
export class CallFault extends Error {
  override readonly name = 'CallFault';
  readonly kind: 'transient' | 'permanent';
  /** A stable word: rate_limited, overloaded, server_error, connection, connection_refused, unknown_host, stalled, bad_body, rejected, spend_limit, ... */
  readonly faultClass: string;
  readonly status: number | null;
  readonly retryAfterMs: number | null;
  readonly requestId: string | null;

  constructor(fault: {
    kind: 'transient' | 'permanent';
    faultClass: string;
    status: number | null;
    retryAfterMs: number | null;
    requestId: string | null;
    message: string;
  }) {
    super(fault.message);
    this.kind = fault.kind;
    this.faultClass = fault.faultClass;
    this.status = fault.status;
    this.retryAfterMs = fault.retryAfterMs;
    this.requestId = fault.requestId;
  }
}
