import type { BreakerStandings } from '../../application/breakers.js';
import type { Overview } from '../../application/overview.js';
import type { RepairStanding } from '../../application/repairs.js';
import type { ReviewQueue } from '../../application/review-queue.js';
import type { ExtractionSummary } from '../../application/views/extraction-view.js';
import type { Spec } from '../../spec/spec.js';
import type { Span } from '../query.js';

/** A stretch of time in figures, and how things stand now. */
export interface OverviewShown {
  readonly query: {
    readonly spec: string | undefined;
    readonly prompt: string | undefined;
    readonly time: Span;
  };
  readonly report: Overview;
  readonly queue: ReviewQueue;
  readonly repairs: readonly RepairStanding[];
  readonly breakers: BreakerStandings;
  readonly open: readonly ExtractionSummary[];
  readonly specs: readonly Spec[];
  readonly now: number;
}
