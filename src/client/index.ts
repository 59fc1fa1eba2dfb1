/** What programs that talk to Endstop over HTTP import: `import { createClient } from 'endstop/client'`. */
export type {
  Attempt,
  Call,
  Diagnosis,
  Evidence,
  ExtractionSummary,
  FailureClass,
  Json,
  Money,
  Normalisation,
  Outcome,
  Problem,
  Reason,
  RouteName,
  StoredRecord,
  Unverified,
  Usage,
  VerificationStatus,
  Verified,
} from './answers.js';
export { ApiError } from './api-error.js';
export type { Batch, BatchDocument, BatchPart } from './batch-answers.js';
export type { BatchClient } from './batches.js';
export { type Client, type ClientOptions, createClient } from './client.js';
export { UnreachableError } from './transport.js';
export type {
  AttemptList,
  BatchCancelling,
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
  PagesDocument,
  ProblemDetails,
  Running,
  StoredDocument,
  Submission,
  Submitted,
  TextDocument,
} from './types.js';
