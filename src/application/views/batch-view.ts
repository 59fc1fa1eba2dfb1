import type { BatchCount, BatchPart, BatchState } from '../../domain/batch.js';
import { sum } from '../../domain/batch-tally.js';
import { projectedTokens } from '../../domain/batch-window.js';
import type { Reason } from '../../domain/reason.js';
import type { Batch, BatchCourse, BatchDocument } from '../../ports/batch-store.js';
import { instant, instantOrNull } from './instant.js';

/**
 * A batch and how it fares. `stopped`: its workflow is gone; the reconciler gives it another.
 * documents = waiting + underWay + verified + unverified + refused.
 */
export interface BatchView {
  readonly id: string;
  readonly name: string | null;
  readonly state: BatchState | 'stopped';
  readonly tenant: string;
  readonly spec: string;
  readonly schemaVersion: string;
  readonly promptVersion: string;
  readonly tags: readonly string[];
  /** While it is collecting: those handed in so far. */
  readonly documents: number;
  readonly waiting: number;
  readonly underWay: number;
  readonly verified: number;
  readonly unverified: number;
  readonly unverifiedBy: Readonly<Partial<Record<Reason, number>>>;
  /** No run could be started for them. */
  readonly refused: number;
  /** Documents by how they came by their run. */
  readonly runs: Readonly<Record<Exclude<BatchPart, 'refused'>, number>>;
  /** Spent by its own runs. */
  readonly tokens: number;
  readonly budgetTokens: number | null;
  /** What it comes to if the rest costs what its documents cost so far; null before any has ended, and at its end. */
  readonly projectedTokens: number | null;
  /** The cap in force for documents that begin now; 0: the budget is gone. */
  readonly attemptCap: number;
  readonly createdAt: string;
  readonly beganAt: string | null;
  readonly deadlineAt: string | null;
  readonly endedAt: string | null;
}

/** How a batch went, or goes, over time: epoch ms. */
export interface BatchCourseView {
  readonly from: number;
  readonly until: number;
  /** Tokens burnt by then. */
  readonly burnt: readonly { readonly at: number; readonly tokens: number }[];
  /** The cap that held from each instant on; the first is the one it began with. */
  readonly caps: readonly { readonly at: number; readonly cap: number }[];
}

/** Null while it has not begun. */
export function viewBatchCourse(
  { policy, beganAt, endedAt }: Batch,
  { ended, caps }: BatchCourse,
  now: number,
): BatchCourseView | null {
  if (beganAt === null) return null;
  let tokens = 0;
  return {
    from: beganAt,
    until: Math.max(beganAt, endedAt ?? now),
    burnt: ended.map((part) => {
      tokens += part.tokens;
      return { at: part.at, tokens };
    }),
    caps: [{ at: beganAt, cap: policy.attemptCap }, ...caps],
  };
}

export interface BatchDocumentView {
  readonly item: string;
  readonly fileName: string | null;
  readonly state: 'waiting' | 'running' | 'ended';
  /** How it came by its run; null: it has none yet. */
  readonly part: BatchPart | null;
  readonly outcomeKind: 'verified' | 'unverified' | null;
  readonly reason: Reason | null;
  /** The extraction; its run is null while it waits. */
  readonly id: string;
  readonly run: number | null;
  readonly documentHash: string;
  readonly attempts: number;
  readonly tokens: number;
}

export function viewBatch(batch: Batch, count: BatchCount, isStopped = false): BatchView {
  const { waiting, underWay, verified, unverified, refused, parts, tokens } = count;
  const { refused: _refused, ...runs } = parts;
  const isOver = batch.state === 'finished' || batch.state === 'cancelled';
  const unverifiedCount = sum(unverified);
  return {
    id: batch.id,
    name: batch.name,
    state: isStopped ? 'stopped' : batch.state,
    tenant: batch.tenant,
    spec: batch.specId,
    schemaVersion: batch.schemaVersion,
    promptVersion: batch.promptVersion,
    tags: batch.tags,
    documents: waiting + underWay + verified + unverifiedCount + refused,
    ...{ waiting, underWay, verified, refused, runs, tokens },
    unverified: unverifiedCount,
    unverifiedBy: unverified,
    budgetTokens: batch.budgetTokens,
    projectedTokens: isOver ? null : projectedTokens(count),
    attemptCap: batch.cap,
    createdAt: instant(batch.at),
    beganAt: instantOrNull(batch.beganAt),
    deadlineAt: instantOrNull(batch.deadlineAt),
    endedAt: instantOrNull(batch.endedAt),
  };
}

export function viewBatchDocument(document: BatchDocument): BatchDocumentView {
  const { item, fileName, state, part, outcome, reason, key, run, documentHash, attempts, tokens } = document;
  return {
    ...{ item, fileName, part, reason, run, documentHash, attempts, tokens },
    state: state === 'starting' ? 'running' : state,
    outcomeKind: outcome,
    id: key,
  };
}
