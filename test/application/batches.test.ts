import { describe, expect, it } from 'vitest';
import { batchStep } from '../../src/application/batch-step.js';
import {
  addToBatch,
  type BatchRequest,
  cancelBatch,
  createBatch,
  startBatch,
} from '../../src/application/batches.js';
import { followBatch, readBatch } from '../../src/application/read-batch.js';
import { submitExtraction } from '../../src/application/submit-extraction.js';
import { workflowIds } from '../../src/domain/workflow-id.js';
import { EngineUnavailable } from '../../src/ports/engine.js';
import { type Bench, createBench, textSubmission, verifyAll } from '../support/fakes/bench.js';

const request = (changes: Partial<BatchRequest> = {}): BatchRequest => ({
  ...{ tenant: 'acme', specId: 'receipt', id: 'march', name: null, tags: [], budgets: {}, redrive: false },
  ...{ budgetTokens: null, deadlineMs: null, patienceMs: null, inFlight: 2 },
  ...changes,
});

async function handedIn(bench: Bench, count: number, changes: Partial<BatchRequest> = {}): Promise<void> {
  const batch = await createBatch(bench.app, request(changes));
  const items = Array.from({ length: count }, (_, index) => {
    const bytes = new TextEncoder().encode(`receipt ${index}`);
    const document = { kind: 'bytes' as const, mediaType: 'text/plain', bytes };
    return { item: `${index}`, document, fileName: `${index}.txt`, tags: [] };
  });
  await addToBatch(bench.app, batch, items);
}

describe('given a batch', () => {
  it('when it is created, then each document has half an hour of patience beyond its own deadline', async () => {
    const { app } = createBench();
    const spec = app.catalogue.current('receipt');
    const deadlineMs = spec?.policy.deadlineMs ?? 0;
    expect((await createBatch(app, request())).policy).toMatchObject({
      deadlineMs: deadlineMs + 1_800_000,
      outage: { patienceMs: 1_800_000, pauseMs: 30_000 },
    });
    expect((await createBatch(app, request({ id: 'hasty', patienceMs: 0 }))).policy).toMatchObject({
      deadlineMs,
      outage: { patienceMs: 0 },
    });
  });

  it('when the engine is away while a run is started, then the next piece starts it, and opens no other', async () => {
    const bench = createBench();
    await handedIn(bench, 1);
    const { start } = bench.engine;
    bench.engine.start = async () => {
      throw new EngineUnavailable('No Temporal server answers.');
    };
    await expect(startBatch(bench.app, 'march')).rejects.toBeInstanceOf(EngineUnavailable);
    expect(bench.store.rows).toHaveLength(1);
    bench.engine.start = start;
    verifyAll(bench);
    await bench.engine.advanceBatch('march');
    expect(await readBatch(bench.app, 'march')).toMatchObject({ state: 'finished', verified: 1 });
    expect(bench.store.rows).toHaveLength(1);
  });

  it('when a run was opened and its worker was lost, then it is started under what holds by now', async () => {
    const bench = createBench();
    await handedIn(bench, 1, { budgetTokens: 10_000 });
    const { batch } = await startBatch(
      { ...bench.app, engine: { ...bench.engine, startBatch: async () => 'started' } },
      'march',
    );
    const [document] = await bench.store.batches.waiting('march', 1);
    if (document === undefined) throw new Error('One was handed in.');
    const { tenant, specId, schemaVersion, promptVersion, policy } = batch;
    const into = {
      ...{ tenant, specId, schemaVersion, promptVersion, policy, tags: [], fileName: null },
      ...{ key: document.key, subject: document.subject, documentHash: document.documentHash },
      ...{ batchId: workflowIds.batch('march'), at: bench.app.now() },
    };
    await bench.store.batches.take('march', '0', into, false);
    const order = {
      ...{ id: 'march', tenant, specId, documents: 1, inFlight: 2, cap: 3, budgetTokens: 10_000 },
      ...{ attemptTokens: 3_000, deadlineAt: null },
    };
    await batchStep(bench.app, { order, cap: 0, tells: false, cancel: null });
    expect(bench.engine.started).toEqual([
      expect.objectContaining({ key: document.key, run: 1, batchBudgetGone: true }),
    ]);
    expect(await bench.store.batches.starting('march')).toEqual([]);
  });

  it('when one document cannot be run, then it is refused, and the others go on', async () => {
    const bench = createBench();
    verifyAll(bench);
    await handedIn(bench, 3);
    const { take } = bench.store.batches;
    const odd: typeof take = async (id, item, into, redrive) => {
      if (item === '1') throw new TypeError('odd data');
      return await take(id, item, into, redrive);
    };
    Object.assign(bench.store.batches, { take: odd });
    await startBatch(bench.app, 'march');
    expect(await readBatch(bench.app, 'march')).toMatchObject({
      ...{ state: 'finished', verified: 2, refused: 1, documents: 3 },
    });
  });

  it('when the cap is lowered, then its own runs are told, and nobody else', async () => {
    const bench = createBench();
    const { extraction: others } = await submitExtraction(bench.app, textSubmission('receipt 0'));
    await handedIn(bench, 3, { inFlight: 3, budgetTokens: 100_000 });
    await startBatch(bench.app, 'march');
    const window = bench.engine.batches.get('march');
    if (window === undefined) throw new Error('It runs.');
    await batchStep(bench.app, { order: window.order, cap: 2, tells: true, cancel: null });
    expect(bench.engine.lowered.map(({ cap }) => cap)).toEqual([2, 2]);
    expect(bench.engine.lowered.map(({ key }) => key)).not.toContain(others.key);
  });

  it('when its workflow is gone and it is cancelled, then it is cancelled on the spot', async () => {
    const bench = createBench();
    await handedIn(bench, 3);
    await startBatch(bench.app, 'march');
    bench.engine.gone.set(workflowIds.batch('march'), 'ended');
    expect(await readBatch(bench.app, 'march')).toMatchObject({ state: 'stopped' });
    expect((await cancelBatch(bench.app, 'march', 'let_finish')).batch.state).toBe('cancelled');
    expect((await cancelBatch(bench.app, 'march', 'let_finish')).kind).toBe('ended');
  });

  it('when it is being stopped, then asking for it again does not take that back', async () => {
    const bench = createBench();
    await handedIn(bench, 3);
    await startBatch(bench.app, 'march');
    await cancelBatch(bench.app, 'march', 'let_finish');
    expect(await startBatch(bench.app, 'march')).toMatchObject({
      ...{ kind: 'running', batch: { state: 'stopping' } },
    });
  });

  it('when nobody listens any more, then following it ends', async () => {
    const bench = createBench();
    await handedIn(bench, 1);
    await startBatch(bench.app, 'march');
    const gone = new AbortController();
    const kinds: string[] = [];
    for await (const { kind } of followBatch(bench.app, 'march', 0, gone.signal)) {
      kinds.push(kind);
      gone.abort();
    }
    expect(kinds).toEqual(['progress']);
  });
});
