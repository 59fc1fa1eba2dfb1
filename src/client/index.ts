/** What programs that talk to Endstop over HTTP import: `import { createClient } from 'endstop/client'`. */
export { ApiError } from './api-error.js';
export type { BatchClient } from './batches.js';
export { type Client, type ClientOptions, createClient } from './client.js';
export { UnreachableError } from './transport.js';
export type {
  Attempt,
  AttemptList,
  Batch,
  BatchCancelling,
  BatchDocument,
  BatchDocumentFilter,
  BatchItem,
  BatchRequest,
  Budgets,
  BytesDocument,
  CallOptions,
  Cancelling,
  Ended,
  Extraction,
  ExtractRequest,
  FailureClass,
  Money,
  Outcome,
  PagesDocument,
  Problem,
  ProblemDetails,
  Reason,
  RouteName,
  Running,
  StoredDocument,
  StoredRecord,
  Submission,
  Submitted,
  TextDocument,
  Unverified,
  Verified,
} from './types.js';
