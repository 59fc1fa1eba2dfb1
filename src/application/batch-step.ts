import type { BatchStep, BatchStepped } from '../domain/batch.js';
import { admission, endOf } from '../domain/batch-window.js';
import type { ExtractionInput } from '../domain/extraction-input.js';
import { workflowIds } from '../domain/workflow-id.js';
import type { Batch, BatchDocument, BatchTaking } from '../ports/batch-store.js';
import type { Extraction, NewExtraction } from '../ports/extraction-store.js';
import type { Application } from './application.js';
import { freezePriors } from './freeze-priors.js';
import { inLanes } from './in-lanes.js';
import { inputOf } from './start-run.js';
import { type OnFault, unlessDown } from './unless-down.js';

/** Documents begun at once: enough to hide a round trip behind the others. */
const startsAtOnce = 5;
/** Documents looked at in one piece, so that many that need no run do not hold it up. */
const mostLookedAt = 200;

/**
 * One piece of a batch: writes down what has ended, tells runs under way what they must know, then begins the next
 * documents, as far as places and budget allow. Safe to repeat, at any point: documents it has taken do not wait any
 * more, and runs that it opened without starting them are started first.
 */
export async function batchStep(
  app: Application,
  asked: BatchStep,
  onFault: OnFault = () => undefined,
): Promise<BatchStepped> {
  const { order } = asked;
  const { batches } = app.store;
  const batch = await batches.find(order.id);
  // Whoever deletes rows by hand ends what they held.
  if (batch === null) throw new Error(`Batch ${order.id} is in no row.`);
  // A workflow that took over from one that was lost knows nothing of a cancel before it.
  const step: BatchStep = { ...asked, cancel: asked.cancel ?? (isCancelled(batch) ? 'let_finish' : null) };
  await batches.settle(order.id);
  const begun = new Beginning(app, step, batch, onFault);
  await begun.startTaken();
  await tellRuns(app, step);
  let count = await batches.count(order.id, step.cap);
  let { documents, cap } = admission(step, count);
  for (let lookedAt = 0; documents > 0 && lookedAt < mostLookedAt; ) {
    const waiting = await batches.waiting(order.id, Math.min(documents, mostLookedAt - lookedAt));
    await inLanes(waiting, startsAtOnce, (document) => begun.begin(document, cap));
    lookedAt += waiting.length;
    // Those that need no run have left their places free.
    await batches.settle(order.id);
    count = await batches.count(order.id, step.cap);
    ({ documents, cap } = admission(step, count));
  }
  const ended = endOf(step, count);
  await batches.note(
    order.id,
    ended ?? (step.cancel === null ? 'running' : 'stopping'),
    Math.min(step.cap, cap),
    app.now(),
  );
  return { count, ended };
}

function isCancelled({ state }: Batch): boolean {
  return state === 'stopping' || state === 'cancelled';
}

/** Runs that this batch did not start are never told anything. */
async function tellRuns(app: Application, { order, cap, tells, cancel }: BatchStep): Promise<void> {
  if (!tells) return;
  await inLanes(await app.store.batches.ownRuns(order.id), startsAtOnce, async ({ key }) => {
    if (cancel === 'cancel_runs') await app.engine.cancel(key);
    else await app.engine.lowerCap(key, Math.max(1, cap));
  });
}

/** Begins documents of one batch. What is measured once is measured when the first one begins. */
class Beginning {
  private readonly app: Application;
  private readonly step: BatchStep;
  private readonly batch: Batch;
  private readonly onFault: OnFault;
  private policy: Promise<NewExtraction['policy']> | null = null;

  constructor(app: Application, step: BatchStep, batch: Batch, onFault: OnFault) {
    this.app = app;
    this.step = step;
    this.batch = batch;
    this.onFault = onFault;
  }

  async startTaken(): Promise<void> {
    const { app, batch, step } = this;
    await inLanes(await app.store.batches.starting(batch.id), startsAtOnce, async ({ item, key, run }) => {
      const row = await app.store.extractions.find(key, run ?? undefined);
      if (row?.state === 'open') await this.start(item, row, step.cap);
    });
  }

  async begin(document: BatchDocument, cap: number): Promise<void> {
    const { app, batch } = this;
    const { item } = document;
    const into = await this.runOf(document);
    const taking = await unlessDown<BatchTaking | 'refused' | null>(
      () => app.store.batches.take(batch.id, item, into, batch.redrive),
      'refused',
      this.onFault,
    );
    if (taking === 'refused') await app.store.batches.refuse(batch.id, item);
    else if (taking?.part === 'own') await this.start(item, taking.extraction, cap);
  }

  private async start(item: string, row: Extraction, cap: number): Promise<void> {
    const { app, batch } = this;
    // What cannot be started is tried again by each piece, until the reconciler closes its row.
    const work = async () => {
      await app.engine.start(this.inputOf(row, cap));
      await app.store.batches.started(batch.id, item);
    };
    await unlessDown(work, undefined, this.onFault);
  }

  private async runOf({ key, subject, documentHash, fileName, tags }: BatchDocument): Promise<NewExtraction> {
    const { app, batch } = this;
    const { tenant, specId, schemaVersion, promptVersion } = batch;
    this.policy ??= freezePriors(app, specId, batch.policy);
    return {
      ...{ tenant, specId, schemaVersion, promptVersion, key, subject, documentHash, fileName },
      policy: await this.policy,
      tags: [...new Set([...batch.tags, ...tags])],
      batchId: workflowIds.batch(batch.id),
      at: app.now(),
    };
  }

  /**
   * What the batch leaves it: the cap in force and what is left of its time. The row keeps the whole bounds, so that a
   * redrive of what came too late runs under those.
   */
  private inputOf(row: Extraction, cap: number): ExtractionInput {
    const { app, step, batch } = this;
    const input = inputOf(row, app.reviewSlaMs);
    const { policy } = input;
    const deadlineAt = batch.deadlineAt ?? step.order.deadlineAt;
    const leftMs = deadlineAt === null ? policy.deadlineMs : Math.max(0, deadlineAt - app.now());
    return {
      ...input,
      policy: {
        ...policy,
        attemptCap: Math.min(policy.attemptCap, Math.max(1, cap)),
        deadlineMs: Math.min(policy.deadlineMs, leftMs),
      },
      batchBudgetGone: cap === 0,
    };
  }
}
