import type { BatchCancel, BatchOrder } from '../domain/batch.js';
import type { ExtractionInput, RunRef } from '../domain/extraction-input.js';
import type { RedriveOrder, RedriveReport, RunId } from '../domain/redrive.js';
import type { RunResult } from '../domain/run-result.js';
import type { ReviewVerb } from './review-store.js';

/** What the engine knows of one workflow, for lists and links. */
export interface EngineRun {
  readonly workflowId: string;
  readonly type: string;
  readonly status: string;
  readonly startedAt: number;
  readonly closedAt: number | null;
  readonly url: string | null;
}

/** One ready-made list in the engine's own UI. */
export interface EngineView {
  readonly name: string;
  readonly says: string;
  readonly query: string;
  readonly url: string | null;
}

/** What the engine must know of a review to start its clock again, should that be gone. */
export interface ReviewClock {
  readonly subject: string;
  readonly tenant: string;
  readonly specId: string;
  /** From now until it is escalated. */
  readonly slaMs: number;
}

/** `missing`: never started, or nothing is known of it any more. */
export type WorkflowStanding = 'running' | 'ended' | 'missing';

/** Redrives of many, each a workflow of its own. */
export interface RedriveEngine {
  /** `running`: one of this id is under way and goes on under the order it was started with. */
  startRedrive(order: RedriveOrder): Promise<'started' | 'running'>;
  /**
   * What it came to so far; null when there is none of this id.
   * @throws EngineUnavailable when no worker answers for one that runs.
   */
  redriveReport(id: string): Promise<RedriveReport | null>;
  /** Asks it to run no further letter; false when none is running. */
  cancelRedrive(id: string): Promise<boolean>;
}

/** Batches, each a workflow of its own. How one fares is written in the store. */
export interface BatchEngine {
  /** `running`: one of this id is under way and goes on under the order it was started with. */
  startBatch(order: BatchOrder): Promise<'started' | 'running'>;
  standingOfBatch(id: string): Promise<WorkflowStanding>;
  /** Asks it to begin no further document; false when none is running. */
  cancelBatch(id: string, cancel: BatchCancel): Promise<boolean>;
  /** Lowers the attempt cap of a run; false when none is running. */
  lowerCap(key: string, cap: number): Promise<boolean>;
}

/** How workflows stand, and starting those again that are gone. */
export interface UpkeepEngine {
  /** `missing` also when the engine only knows of another run of the key. */
  standingOfRun(run: RunId): Promise<WorkflowStanding>;
  standingOfReview(subject: string): Promise<WorkflowStanding>;
  /** Does nothing when it runs. */
  startReview(review: ReviewClock): Promise<void>;
  /** Subjects of reviews that wait, newest first, those that began before this instant. Lags behind events. */
  waitingReviews(
    before: number,
    limit: number,
  ): Promise<readonly { readonly subject: string; readonly startedAt: number }[]>;
  /** Keeps the best effort of a run whose workflow is gone. Does nothing when that is under way. */
  startBestEffort(ref: RunRef): Promise<void>;
}

/** The durable engine that carries runs (Temporal). */
export interface Engine extends RedriveEngine, BatchEngine, UpkeepEngine {
  /** Starts the run; does nothing when a run of the same key is running. */
  start(input: ExtractionInput): Promise<void>;
  /** Resolves when the run ends; null when `timeoutMs` passes or `signal` aborts first, or it was ended from outside. */
  result(key: string, timeoutMs: number, signal?: AbortSignal): Promise<RunResult | null>;
  /** Asks the run to stop; false when none is running. */
  cancel(key: string): Promise<boolean>;
  /**
   * Tells a review that its stored decision is to be carried out; resolves when it was. A review whose workflow somebody
   * ended from outside gets a new one first.
   * @throws ReviewClosed when the review is not open any more, asks something else by now, or is busy with another decision.
   */
  decideReview(review: ReviewClock, eventId: string, verb: ReviewVerb): Promise<void>;
  /** Ends a review that the store has withdrawn; does nothing when none waits. */
  withdrawReview(subject: string): Promise<void>;
  views(): readonly EngineView[];
  /** Runs the engine's list query behind a view. Visibility lags behind events. */
  list(query: string, limit: number): Promise<readonly EngineRun[]>;
  /** Link to one workflow in the engine's UI; null when no UI is known. */
  link(workflowId: string): string | null;
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** The engine cannot be reached. The message is fit for a person. */
export class EngineUnavailable extends Error {
  override readonly name = 'EngineUnavailable';
}

/** The review cannot take this decision (any more). The message is fit for a person. */
export class ReviewClosed extends Error {
  override readonly name = 'ReviewClosed';
}
