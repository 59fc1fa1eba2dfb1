/** What a caller can get wrong, or find in the way. Each maps to one exit code and one problem type. */
export type ApplicationErrorCode =
  | 'invalid_request'
  | 'media_type_mismatch'
  | 'document_too_large'
  | 'budget_exceeds_spec'
  | 'unknown_spec'
  | 'request_in_flight'
  | 'request_differs'
  | 'busy'
  | 'not_found'
  | 'gone'
  | 'batch_changed'
  | 'label_changed'
  | 'not_redrivable'
  | 'review_not_open'
  | 'review_held'
  | 'review_changed'
  | 'lease_lost'
  | 'unmet_rules'
  | 'too_many'
  | 'unavailable';

/** One thing wrong with a request, at the RFC 6901 pointer of the field it is about ('' is the whole request). */
export interface RequestFault {
  readonly pointer: string;
  readonly detail: string;
}

/** The message is one sentence for a person and holds no document text, no candidate and no secret. */
export class ApplicationError extends Error {
  override readonly name = 'ApplicationError';
  readonly code: ApplicationErrorCode;
  readonly faults: readonly RequestFault[];
  /** When the same request may be let in; null: it is not a matter of time. */
  readonly retryAfterMs: number | null;

  constructor(
    code: ApplicationErrorCode,
    message: string,
    faults: readonly RequestFault[] = [],
    retryAfterMs: number | null = null,
  ) {
    super(message);
    this.code = code;
    this.faults = faults;
    this.retryAfterMs = retryAfterMs;
  }
}
