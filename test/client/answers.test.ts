import type { z } from '@hono/zod-openapi';
import { expect, test } from 'vitest';
import type * as client from '../../src/client/index.js';
import type { ProblemDetails } from '../../src/http/problem.js';
import type { AttemptList } from '../../src/http/schemas/attempt.js';
import type { Batch, BatchDocumentPage } from '../../src/http/schemas/batch.js';
import { FailureClass, Reason, RouteName } from '../../src/http/schemas/common.js';
import type {
  Cancelling,
  Extraction,
  ExtractionSummary,
  SubmittedExtraction,
} from '../../src/http/schemas/extraction.js';
import { type RecordDocument, VerificationStatus } from '../../src/http/schemas/record.js';

type Answer<Schema extends z.ZodType> = z.output<Schema>;

/** Each of the two can stand where the other is asked for; anything else does not compile. */
function same<Ours, Schema>(_there: (ours: Ours) => Schema, _back: (schema: Schema) => Ours): void {}

// The client ships alone, so it says for itself what the API answers: `npm run types` is red when they differ.
type Whole = Answer<typeof Extraction>;
type Outcome = NonNullable<Whole['outcome']>;
type Item = Answer<typeof BatchDocumentPage>['items'][number];
same<client.ExtractionSummary, Answer<typeof ExtractionSummary>>(
  (ours) => ours,
  (schema) => schema,
);
same<client.Outcome, Outcome>(
  (ours) => ours,
  (schema) => schema,
);
same<keyof client.Extraction, keyof Whole>(
  (ours) => ours,
  (schema) => schema,
);
same<client.Submission, Answer<typeof SubmittedExtraction>['submission']>(
  (ours) => ours,
  (schema) => schema,
);
same<client.Cancelling, Answer<typeof Cancelling>>(
  (ours) => ours,
  (schema) => schema,
);
same<client.AttemptList, Answer<typeof AttemptList>>(
  (ours) => ours,
  (schema) => schema,
);
same<client.StoredRecord, Answer<typeof RecordDocument>>(
  (ours) => ours,
  (schema) => schema,
);
same<client.Batch, Answer<typeof Batch>>(
  (ours) => ours,
  (schema) => schema,
);
same<client.BatchDocument, Item>(
  (ours) => ours,
  (schema) => schema,
);
same<client.ProblemDetails, Answer<typeof ProblemDetails>>(
  (ours) => ours,
  (schema) => schema,
);

const reasons: Readonly<Record<client.Reason, true>> = {
  ...{ cancelled: true, attempt_cap: true, token_cap: true, deadline: true, repair_budget: true },
  ...{ verifier_fault: true, refusal: true, token_ceiling: true, contradiction: true, no_progress: true },
  ...{ oscillation: true, not_repairable: true, empty_reply: true, no_capacity: true },
  ...{ provider_unavailable: true, provider_rejected: true, spec_unavailable: true },
  ...{ unreadable_document: true, store_unavailable: true, internal_error: true, batch_budget: true },
};
const failureClasses: Readonly<Record<client.FailureClass, true>> = {
  ...{ truncated: true, refusal: true, parse: true, schema: true, constraint: true, empty: true },
  verifier_fault: true,
};
const routes: Readonly<Record<client.RouteName, true>> = {
  ...{ fallback: true, human_review: true, best_effort: true, dead_letter: true },
};
const statuses: Readonly<Record<client.VerificationStatus, true>> = {
  ...{ verified: true, human_verified: true, fallback: true, best_effort: true, needs_review: true },
  rejected: true,
};

test.each([
  ['reasons', reasons, Reason.options],
  ['failure classes', failureClasses, FailureClass.options],
  ['routes', routes, RouteName.options],
  ['verification statuses', statuses, VerificationStatus.options],
])('the client knows the same %s as the API', (_, ours, options: readonly string[]) => {
  expect(Object.keys(ours).sort()).toEqual([...options].sort());
});
