import type { ContentfulStatusCode } from 'hono/utils/http-status';

/** One kind of problem, as its page at /problems/<slug> says it. */
export interface ProblemType {
  readonly status: ContentfulStatusCode;
  readonly title: string;
  /** When it comes about. */
  readonly when: string;
  /** What whoever asked can do. */
  readonly remedy: string;
}

/**
 * Every kind of problem that an answer can name. The part after /problems/ is for ever: programs tell problems apart by
 * it.
 */
export const problemTypes = {
  'bad-cursor': {
    status: 400,
    title: 'The cursor cannot be used',
    when: 'A list was asked to go on at a cursor that it did not give out.',
    remedy: 'Start again without a cursor, and use nextCursor of each page as it is.',
  },
  'budget-exceeds-spec': {
    status: 422,
    title: 'A budget is looser than the spec allows',
    when: 'A request may tighten the bounds of its spec, never loosen them.',
    remedy: 'Lower the budgets that errors[] points at, or leave them out.',
  },
  'document-too-large': {
    status: 413,
    title: 'The document is too large',
    when: 'A document may have 20 MiB, counted as bytes; in base64 that is 26.7 MiB. Nothing of it is stored.',
    remedy: 'Send a smaller document, or its parts as documents of their own.',
  },
  forbidden: {
    status: 403,
    title: 'The key may not do this',
    when: 'The key lacks the role that the operation needs, names another tenant than its own, or acts in another name. Without a key: the request does not come from this machine.',
    remedy: 'Use a key with the role that the API description names for the operation.',
  },
  gone: {
    status: 410,
    title: 'No longer kept',
    when: 'What the document said was erased, or its time to be kept has passed. Counts remain.',
    remedy: 'Hand the document in again when it is needed.',
  },
  'idempotency-conflict': {
    status: 409,
    title: 'The same request is under way',
    when: 'A request with this Idempotency-Key has not been answered yet.',
    remedy: 'Send it again after Retry-After seconds; the answer will be that of the first one.',
  },
  'idempotency-mismatch': {
    status: 422,
    title: 'The Idempotency-Key was used for something else',
    when: 'A key names one request for 24 hours; this one has another body.',
    remedy: 'Use a new Idempotency-Key for each new request.',
  },
  'idempotency-unsupported': {
    status: 400,
    title: 'The operation takes no Idempotency-Key',
    when: 'The header was sent to an operation that would not heed it: only POST /v1/extractions and POST /v1/batches do.',
    remedy:
      'Leave the header out. A redrive is safe to repeat under its name, an audit under its seed; other operations say what repeating them does.',
  },
  'internal-error': {
    status: 500,
    title: 'Internal error',
    when: 'Something that nobody foresaw; the log has it under the request id.',
    remedy: 'Report it with the request id.',
  },
  'invalid-parameter': {
    status: 400,
    title: 'A parameter cannot be used',
    when: 'A path, query or header parameter is malformed, out of bounds, or not known to the operation.',
    remedy: 'Correct what errors[] points at.',
  },
  'invalid-request': {
    status: 422,
    title: 'The request cannot be used',
    when: 'The body can be read, but one of its fields is missing, malformed, out of bounds or not known.',
    remedy: 'Correct the fields that errors[] points at.',
  },
  'label-changed': {
    status: 409,
    title: 'A version label changed its meaning',
    when: 'The spec that this server loaded has other content under a version label than it had before.',
    remedy: 'Give the changed spec a new version, or load the one that the label stood for.',
  },
  'lease-lost': {
    status: 409,
    title: 'The review is not yours any more',
    when: 'The lease on the review ran out or was taken over.',
    remedy: 'Claim the review again.',
  },
  'malformed-body': {
    status: 400,
    title: 'The body cannot be read',
    when: 'The body is not what its content type says: broken JSON, text that is not UTF-8, nesting without end, half a character, a name given twice in one object.',
    remedy: 'Send well-formed JSON in UTF-8, or a multipart form where one is taken.',
  },
  'media-type-mismatch': {
    status: 415,
    title: 'The document is not what it is said to be',
    when: 'The bytes of the document are of another kind than the media type that came with them.',
    remedy: 'Send the media type that the bytes have.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'Method not allowed',
    when: 'The path is there, but not for this method.',
    remedy: 'Use a method that the Allow header lists.',
  },
  'not-found': {
    status: 404,
    title: 'Not found',
    when: 'Nothing of the asked tenant has this id, or several things have an id that begins like this; or there is nothing at this path.',
    remedy: 'Check the id; use more of its digits.',
  },
  'not-redrivable': {
    status: 409,
    title: 'Nothing to run again',
    when: 'The extraction is verified, or no worker knows the spec version that it would run under.',
    remedy: 'Name another prompt version, or leave it as it is.',
  },
  'precondition-failed': {
    status: 412,
    title: 'It is not as it was',
    when: 'An If-Match header names another version than there is.',
    remedy: 'Read it again and decide anew.',
  },
  'range-not-satisfiable': {
    status: 416,
    title: 'It has no such bytes',
    when: 'A range of bytes was asked for that begins after the last of them.',
    remedy: 'Ask for a range within the length that Content-Range says, or leave Range out.',
  },
  'rate-limited': {
    status: 429,
    title: 'Too many requests',
    when: 'The key has used up its requests for now.',
    remedy: 'Send it again after Retry-After seconds.',
  },
  'request-timeout': {
    status: 408,
    title: 'The request took too long to arrive',
    when: 'Headers or body did not come in time.',
    remedy: 'Send the request again over a better connection.',
  },
  'headers-too-large': {
    status: 431,
    title: 'The headers are too large',
    when: 'Path, query and headers together are more than 16 KiB.',
    remedy: 'Send less of them.',
  },
  'batch-changed': {
    status: 409,
    title: 'Another request handed in the documents of this batch',
    when: 'Two requests handed documents in under one id at the same time: those of the later one are the batch.',
    remedy: 'Read the batch. Send other documents under another id.',
  },
  'review-changed': {
    status: 412,
    title: 'The review changed meanwhile',
    when: 'The decision was made on an earlier version of the question.',
    remedy: 'Read the review again and decide anew.',
  },
  'review-held': {
    status: 409,
    title: 'Someone else holds the review',
    when: 'A person works on a review alone until the lease runs out.',
    remedy: 'Wait until leaseExpiresAt, or take it over with a reason.',
  },
  'review-not-open': {
    status: 409,
    title: 'The review is not open',
    when: 'It was decided or withdrawn.',
    remedy: 'Read it to see what became of it.',
  },
  'too-large': {
    status: 413,
    title: 'The body is too large',
    when: 'A body may have 32 MiB where documents are handed in, 4 MiB elsewhere.',
    remedy: 'Send less.',
  },
  'too-many': {
    status: 429,
    title: 'More than the tenant may have',
    when: 'The tenant has as many extractions open as it may have, or hands documents in faster than it may.',
    remedy: 'Send it again after Retry-After seconds; an operator can raise the limits of the tenant.',
  },
  'too-many-streams': {
    status: 503,
    title: 'Too many open streams',
    when: 'The number of event streams that may be open is bounded, in all and for each key.',
    remedy: 'Close streams that are not needed, or ask for the status instead.',
  },
  unauthorized: {
    status: 401,
    title: 'A key is needed',
    when: 'The request has no key, or one that opens nothing.',
    remedy: 'Send "Authorization: Bearer <key>" with a key of `endstop keys create`.',
  },
  unavailable: {
    status: 503,
    title: 'Not available',
    when: 'The database or the engine does not answer, or more documents arrive than the engine takes.',
    remedy: 'Send it again after Retry-After seconds.',
  },
  undecodable: {
    status: 422,
    title: 'A value cannot be decrypted',
    when: 'A value of a workflow history was encrypted with a key that is not configured, or was changed since.',
    remedy: 'Add the key to ENDSTOP_CODEC_KEYS.',
  },
  'unknown-spec': {
    status: 422,
    title: 'Unknown spec',
    when: 'No spec of this name is loaded here.',
    remedy: 'Use one of those that the detail lists.',
  },
  'unmet-rules': {
    status: 422,
    title: 'Rules do not hold',
    when: 'The values of a decision break rules of the spec that were not overridden by name.',
    remedy: 'Correct the values, or override each rule by name and say why.',
  },
  'unsupported-media-type': {
    status: 415,
    title: 'Unsupported media type',
    when: 'The body has a content type, a charset or a content encoding that the operation does not take.',
    remedy: 'Send plain application/json in UTF-8, or multipart/form-data where the API description says so.',
  },
} as const satisfies Record<string, ProblemType>;

export type ProblemSlug = keyof typeof problemTypes;

/** The stable `type` of a problem: a reference to its page on this server. */
export function problemTypeOf(slug: string): string {
  return `/problems/${slug}`;
}
