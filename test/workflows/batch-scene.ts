import { addToBatch, type BatchRequest, createBatch, startBatch } from '../../src/application/batches.js';
import { followBatch } from '../../src/application/read-batch.js';
import type { BatchView } from '../../src/application/views/batch-view.js';
import { workflowIds } from '../../src/domain/workflow-id.js';
import type { BatchDocument } from '../../src/ports/batch-store.js';
import type { Extraction } from '../../src/ports/extraction-store.js';
import type { Spec } from '../../src/spec/spec.js';
import type { Turn } from '../support/model-relay.js';
import { claimText } from '../support/papers.js';
import type { Scene } from './scene.js';

/** A batch of text documents in a scene, each with the turns that its calls meet. */
export interface BatchScene {
  readonly texts: readonly string[];
  start(): Promise<string>;
  /** Follows it until it does not run any more. */
  ended(): Promise<BatchView>;
  documents(): Promise<readonly BatchDocument[]>;
  /** Its own runs, in no order. */
  runs(): Promise<readonly Extraction[]>;
  /** Calls that reached the model server, over all documents. */
  calls(): number;
}

const defaults: Omit<BatchRequest, 'specId' | 'id'> = {
  ...{ tenant: 'test', name: null, tags: [], budgets: {}, redrive: false },
  ...{ budgetTokens: null, deadlineMs: null, patienceMs: 0, inFlight: 4 },
};

export async function prepareBatch(
  scene: Scene,
  id: string,
  spec: Spec,
  turns: readonly (readonly Turn[])[],
  changes: Partial<BatchRequest> = {},
): Promise<BatchScene> {
  const { app } = scene.house;
  const texts = turns.map((plan) => {
    const text = claimText({});
    scene.models.plan(text, plan);
    return text;
  });
  const batch = await createBatch(app, { ...defaults, id, specId: spec.id, tenant: id, ...changes });
  await addToBatch(
    app,
    batch,
    texts.map((text, index) => ({
      item: `${index}`,
      document: { kind: 'bytes', mediaType: 'text/plain', bytes: Buffer.from(text) },
      fileName: `claim-${index}.txt`,
      tags: [],
    })),
  );
  return {
    texts,
    start: async () => (await startBatch(app, id)).kind,
    ended: async () => {
      let last: BatchView | null = null;
      for await (const news of followBatch(app, id)) if (news.kind === 'progress') last = news.batch;
      if (last === null) throw new Error('The batch told nothing.');
      return last;
    },
    documents: async () => (await app.store.batches.documents(id, {}, { limit: 200 })).items,
    runs: async () =>
      (await app.store.extractions.list({ batchId: workflowIds.batch(id) }, { limit: 200 })).items,
    calls: () => texts.reduce((sum, text) => sum + scene.models.calls(text).length, 0),
  };
}
