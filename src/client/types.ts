import type { Attempt, ExtractionSummary, ExtractionWhole, Money, Outcome, Reason } from './answers.js';
import type { Batch, BatchDocument } from './batch-answers.js';

/** `Rec` is what a verified record of the spec looks like. */
export type Extraction<Rec = unknown> = Running<Rec> | Ended<Rec>;

export type Running<Rec = unknown> = ExtractionWhole<Rec> & {
  readonly state: 'running';
  readonly outcome: null;
};

/** Its outcome is `verified` or `unverified`: the compiler asks for both. */
export type Ended<Rec = unknown> = ExtractionWhole<Rec> & {
  readonly state: 'ended';
  readonly outcome: Outcome<Rec>;
};

/** How a submission was taken; `policyDiffers`: the run there is keeps its own bounds, not the ones asked for. */
export interface Submission {
  readonly kind: 'started' | 'attached' | 'ended';
  readonly policyDiffers: boolean;
}

export type Submitted<Rec = unknown> = Extraction<Rec> & { readonly submission: Submission };

export interface AttemptList {
  readonly id: string;
  readonly run: number;
  readonly items: readonly Attempt[];
}

/** `requested`: it stops when its call in flight ends; `ended`: it had ended before. */
export interface Cancelling {
  readonly kind: 'requested' | 'ended';
  readonly extraction: ExtractionSummary;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
}

/** What to extract from which document. */
export interface ExtractRequest {
  readonly spec: string;
  readonly document: TextDocument | BytesDocument | PagesDocument | StoredDocument;
  readonly fileName?: string;
  readonly tenant?: string;
  readonly tags?: readonly string[];
  /** Tighter bounds than the spec has. */
  readonly budgets?: Budgets;
  /** Run again what has ended unverified. */
  readonly redrive?: boolean;
  /**
   * Your own name for this request, kept for 24 hours. Unless given, each call gets one of its own, so that what is sent
   * again after a lost connection is carried out once.
   */
  readonly idempotencyKey?: string;
  /** Told when it ends, and whatever becomes of the document later; its requests are signed. */
  readonly webhookUrl?: string;
}

export interface TextDocument {
  readonly text: string;
}

export interface BytesDocument {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** For example `application/pdf`. */
  readonly mediaType: string;
}

/** A document that was handed in before, by the `documentHash` of an extraction. */
export interface StoredDocument {
  readonly sha256: string;
}

/** Scanned pages of one document, in this order: PNG, JPEG or WebP images. */
export interface PagesDocument {
  readonly pages: readonly (BytesDocument & { readonly name?: string })[];
}

/** One document of a batch. */
export interface BatchItem {
  readonly document: TextDocument | BytesDocument | StoredDocument;
  readonly fileName?: string;
  readonly tags?: readonly string[];
}

/** What to extract from which documents. */
export type BatchRequest = BatchAsked &
  (
    | {
        readonly documents: Iterable<BatchItem>;
        /** Tighter bounds for each document than the spec has. */
        readonly budgets?: Budgets;
      }
    // What is streamed says nothing but its documents.
    | { readonly documents: AsyncIterable<BatchItem>; readonly budgets?: never }
  );

interface BatchAsked {
  readonly spec: string;
  /** A name that makes the batch safe to repeat: letters, digits, ".", "_", "-". One is made up unless given. */
  readonly id?: string;
  /** For people. */
  readonly name?: string;
  readonly tenant?: string;
  readonly tags?: readonly string[];
  /** For all documents together. Above it the attempt cap is lowered; once it is gone, the rest is parked. */
  readonly tokens?: number;
  /** For all documents together. */
  readonly deadlineMs?: number;
  /** How long each document sits out a provider outage; half an hour unless given. */
  readonly patienceMs?: number;
  /** Documents under way at once. */
  readonly inFlight?: number;
  /** Run again what has ended unverified. */
  readonly redrive?: boolean;
}

/** Which documents of a batch; all unless told. */
export interface BatchDocumentFilter {
  readonly state?: BatchDocument['state'];
  readonly outcome?: 'verified' | 'unverified';
  readonly reason?: Reason;
}

/** `requested`: it begins no further document; `ended`: it had ended before. */
export interface BatchCancelling {
  readonly kind: 'requested' | 'ended';
  readonly id: Batch['id'];
}

export interface Budgets {
  readonly attemptCap?: number;
  readonly deadlineMs?: number;
  readonly tokenCap?: number;
  readonly moneyCap?: Money;
}

/** RFC 9457, as the API sends it. */
export interface ProblemDetails {
  /** Stable; tell problems apart by it. */
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly requestId: string;
  readonly errors: readonly { readonly pointer: string; readonly detail: string }[];
}
