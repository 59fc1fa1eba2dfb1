import type { BatchStep, BatchStepped } from '../../../src/domain/batch.js';
import {
  afterStep as afterBatchStep,
  type BatchWindow,
  beginBatch,
  cancelBatch,
  nextStep as nextBatchStep,
} from '../../../src/domain/batch-window.js';
import type { ExtractionInput, RunRef } from '../../../src/domain/extraction-input.js';
import type { RedriveStep, RedriveStepped } from '../../../src/domain/redrive.js';
import {
  afterStep,
  beginRedrive,
  cancelRedrive,
  nextStep,
  type RedriveWindow,
  reportOf,
} from '../../../src/domain/redrive-window.js';
import type { RunResult } from '../../../src/domain/run-result.js';
import { workflowIds } from '../../../src/domain/workflow-id.js';
import {
  type Engine,
  EngineUnavailable,
  type ReviewClock,
  ReviewClosed,
  type WorkflowStanding,
} from '../../../src/ports/engine.js';
import type { Extraction } from '../../../src/ports/extraction-store.js';
import type { MemoryStore } from './memory-store.js';

/** How a started run ends at once; null leaves it running. */
export type Script = (input: ExtractionInput) => Partial<Extraction> | null;

export interface ScriptedEngine extends Engine {
  readonly started: ExtractionInput[];
  readonly decided: { readonly subject: string; readonly eventId: string; readonly verb: string }[];
  /** Subjects whose review was ended. */
  readonly withdrawn: string[];
  /** While true, nothing answers. */
  down: boolean;
  script: Script;
  /** Carries out one piece of a redrive, as a worker would. */
  step: (step: RedriveStep) => Promise<RedriveStepped>;
  /** Carries out one piece of a batch, as a worker would. */
  batchStep: (step: BatchStep) => Promise<BatchStepped>;
  /** Batches under way or over, by id. */
  readonly batches: Map<string, BatchWindow>;
  /** Has a batch go on until nothing happens by itself any more. */
  advanceBatch(id: string): Promise<void>;
  /** Runs that were told to lower their cap. */
  readonly lowered: { readonly key: string; readonly cap: number }[];
  /** Workflows that somebody ended from outside, by id; those that run are known without. */
  readonly gone: Map<string, Exclude<WorkflowStanding, 'running'>>;
  readonly startedReviews: ReviewClock[];
  readonly startedBestEfforts: RunRef[];
  /** Reviews whose workflow waits. */
  readonly waiting: { readonly subject: string; readonly startedAt: number }[];
}

export const ui = 'http://ui.test/namespaces/default/workflows';

/** An engine whose runs end as the script says, by closing their row in the memory store. */
export function createScriptedEngine(store: MemoryStore): ScriptedEngine {
  const running = new Set<string>();
  const check = () => {
    if (engine.down) throw new EngineUnavailable('No Temporal server answers at localhost:7233.');
  };
  const redrives = new Map<string, RedriveWindow>();
  /** Piece by piece, until it is over or waits for runs to end. */
  const advance = async (id: string) => {
    for (let idle = 0; idle < 3; ) {
      const window = redrives.get(id);
      const step = window === undefined ? null : nextStep(window);
      if (window === undefined || step === null) return;
      const next = afterStep(window, await engine.step(step));
      redrives.set(id, next);
      idle = next.idleLooks > window.idleLooks ? idle + 1 : 0;
    }
  };
  const engine: ScriptedEngine = {
    started: [],
    decided: [],
    withdrawn: [],
    down: false,
    script: () => null,
    step: () => Promise.reject(new Error('No worker carries out the pieces of a redrive here.')),
    batchStep: () => Promise.reject(new Error('No worker carries out the pieces of a batch here.')),
    batches: new Map(),
    advanceBatch: async (id) => {
      for (let before = ''; ; ) {
        const window = engine.batches.get(id);
        const step = window === undefined ? null : nextBatchStep(window);
        if (window === undefined || step === null) return;
        const stepped = await engine.batchStep(step);
        engine.batches.set(id, afterBatchStep(window, step, stepped));
        const now = JSON.stringify([stepped, step.cap]);
        if (now === before) return;
        before = now;
      }
    },
    lowered: [],
    gone: new Map(),
    startedReviews: [],
    startedBestEfforts: [],
    waiting: [],
    startRedrive: async (order) => {
      check();
      const window = redrives.get(order.id);
      if (window !== undefined && reportOf(window).state === 'running') return 'running';
      redrives.set(order.id, beginRedrive(order));
      await advance(order.id);
      return 'started';
    },
    redriveReport: async (id) => {
      check();
      await advance(id);
      const window = redrives.get(id);
      return window === undefined ? null : reportOf(window);
    },
    cancelRedrive: async (id) => {
      check();
      const window = redrives.get(id);
      if (window === undefined || reportOf(window).state !== 'running') return false;
      redrives.set(id, cancelRedrive(window));
      return true;
    },
    startBatch: async (order) => {
      check();
      const window = engine.batches.get(order.id);
      if (window !== undefined && window.ended === null && !engine.gone.has(workflowIds.batch(order.id)))
        return 'running';
      engine.gone.delete(workflowIds.batch(order.id));
      engine.batches.set(order.id, beginBatch(order));
      await engine.advanceBatch(order.id);
      return 'started';
    },
    standingOfBatch: async (id) => {
      check();
      const window = engine.batches.get(id);
      if (window === undefined) return 'missing';
      return engine.gone.get(workflowIds.batch(id)) ?? (window.ended === null ? 'running' : 'ended');
    },
    cancelBatch: async (id, cancel) => {
      check();
      const window = engine.batches.get(id);
      if (window === undefined || window.ended !== null || engine.gone.has(workflowIds.batch(id)))
        return false;
      engine.batches.set(id, cancelBatch(window, cancel));
      await engine.advanceBatch(id);
      return true;
    },
    lowerCap: async (key, cap) => {
      check();
      engine.lowered.push({ key, cap });
      return running.has(key);
    },
    standingOfRun: async ({ key }) => {
      check();
      const gone = engine.gone.get(workflowIds.extraction(key));
      if (gone !== undefined) running.delete(key);
      return gone ?? (running.has(key) ? 'running' : 'ended');
    },
    standingOfReview: async (subject) => {
      check();
      return engine.gone.get(workflowIds.humanReview(subject)) ?? 'running';
    },
    waitingReviews: async () => {
      check();
      return engine.waiting;
    },
    startBestEffort: async (ref) => {
      check();
      engine.startedBestEfforts.push(ref);
    },
    startReview: async (review) => {
      check();
      engine.gone.delete(workflowIds.humanReview(review.subject));
      engine.startedReviews.push(review);
    },
    start: async (input) => {
      check();
      engine.gone.delete(workflowIds.extraction(input.key));
      if (running.has(input.key)) return;
      engine.started.push(input);
      const ending = engine.script(input);
      if (ending === null) running.add(input.key);
      else store.end(input.key, ending);
    },
    result: async (key) => {
      check();
      const row = await store.extractions.find(key);
      return row === null || row.state === 'open' ? null : resultOf(row);
    },
    cancel: async (key) => {
      check();
      if (!running.delete(key)) return false;
      store.end(key, { outcome: 'unverified', reason: 'cancelled' });
      return true;
    },
    decideReview: async ({ subject }, eventId, verb) => {
      check();
      const applied = await store.reviews.apply(eventId, [], 'receipt@1', 0);
      if (applied !== 'applied') throw new ReviewClosed('This review is not open any more.');
      engine.decided.push({ subject, eventId, verb });
    },
    withdrawReview: async (subject) => {
      check();
      engine.withdrawn.push(subject);
    },
    views: () => [
      { name: 'exhausted', says: 'Every run that ended unverified.', query: 'EndstopOutcome = "x"', url: ui },
    ],
    list: async () => [],
    link: (workflowId) => `${ui}/${encodeURIComponent(workflowId)}`,
    ping: async () => check(),
    close: async () => undefined,
  };
  return engine;
}

export const linkOf = (key: string) => `${ui}/${encodeURIComponent(workflowIds.extraction(key))}`;

function resultOf(row: Extraction): RunResult {
  return {
    key: row.key,
    run: row.run,
    outcome: row.outcome ?? 'unverified',
    reason: row.reason,
    failureClass: row.failureClass,
    attempts: row.attempts,
    tokens: row.tokens,
    route: row.route,
  };
}
