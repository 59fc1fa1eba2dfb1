import type { ExplainedCase } from '../../application/explain-route.js';
import type { ExtractionReading } from '../../application/read-outcome.js';
import type { AttemptView } from '../../application/views/attempt-view.js';
import type { ExtractionSummary } from '../../application/views/extraction-view.js';
import type { Attempt } from '../../ports/attempt-store.js';
import type { DeadLetter } from '../../ports/dead-letter-store.js';
import type { Extraction } from '../../ports/extraction-store.js';
import type { ReviewTask } from '../../ports/review-store.js';
import type { StoredDocument } from '../../ports/store.js';
import type { Spec } from '../../spec/spec.js';
import type { DocumentText } from '../../verification/document-text.js';
import type { Visitor } from '../visitor.js';

/** One run with all that is known of it. */
export interface ExtractionShown {
  readonly run: ExtractionSummary;
  readonly extraction: Extraction;
  /** What a person made of it since, and who; null: nobody decided. */
  readonly reviewed: string | null;
  /** Null: what it said was erased. */
  readonly reading: ExtractionReading | null;
  readonly attempts: readonly AttemptView[];
  readonly stored: readonly Attempt[];
  readonly explained: ExplainedCase | null;
  readonly review: ReviewTask | null;
  readonly letter: DeadLetter | null;
  readonly document: StoredDocument | null;
  readonly text: DocumentText | null;
  readonly spec: Spec | null;
  /** All that this server has. */
  readonly specs: readonly Spec[];
  /** Its last run, which says how many it has had, and is the one that is run again. */
  readonly newest: Extraction;
  /** Why that one is not run again now; null: it can be. */
  readonly redriveFault: string | null;
  readonly engineUrl: string | null;
  readonly visitor: Visitor;
  readonly now: number;
  readonly told: string | undefined;
}
