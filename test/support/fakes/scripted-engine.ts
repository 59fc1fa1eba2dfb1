import type { ExtractionInput } from '../../../src/domain/extraction-input.js';
import type { RunResult } from '../../../src/domain/run-result.js';
import { workflowIds } from '../../../src/domain/workflow-id.js';
import { type Engine, EngineUnavailable, ReviewClosed } from '../../../src/ports/engine.js';
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
}

export const ui = 'http://ui.test/namespaces/default/workflows';

/** An engine whose runs end as the script says, by closing their row in the memory store. */
export function createScriptedEngine(store: MemoryStore): ScriptedEngine {
  const running = new Set<string>();
  const check = () => {
    if (engine.down) throw new EngineUnavailable('No Temporal server answers at localhost:7233.');
  };
  const engine: ScriptedEngine = {
    started: [],
    decided: [],
    withdrawn: [],
    down: false,
    script: () => null,
    start: async (input) => {
      check();
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
