import { describe, expect, it } from 'vitest';
import { addToBatch, cancelBatch, createBatch, startBatch } from '../../src/application/batches.js';
import { readBatch } from '../../src/application/read-batch.js';
import { reconcile, reconcileAll } from '../../src/application/reconcile.js';
import { nothingMended } from '../../src/domain/reconciliation.js';
import { workflowIds } from '../../src/domain/workflow-id.js';
import { type Bench, createBench } from '../support/fakes/bench.js';

const workflowId = workflowIds.batch('march');

/** A batch of three documents, two of which are under way, after twenty seconds. */
async function begun(): Promise<Bench> {
  const bench = createBench();
  const batch = await createBatch(bench.app, {
    ...{ tenant: 'acme', specId: 'receipt', id: 'march', name: null, tags: [], budgets: {}, redrive: false },
    ...{ budgetTokens: null, deadlineMs: null, patienceMs: null, inFlight: 2 },
  });
  const items = ['a', 'b', 'c'].map((item) => {
    const document = { kind: 'bytes', mediaType: 'text/plain', bytes: Buffer.from(item) } as const;
    return { item, document, fileName: null, tags: [] };
  });
  await addToBatch(bench.app, batch, items);
  await startBatch(bench.app, 'march');
  bench.pass(20_000);
  return bench;
}

const batches = (bench: Bench) => reconcile(bench.app, { part: 'batches', cursor: null });

describe('given a batch that has begun', () => {
  it('when its workflow runs, then it is left alone', async () => {
    const bench = await begun();
    expect(await reconcileAll(bench.app)).toEqual(nothingMended);
  });

  it('when its workflow is gone, then it gets another, once, under its first deadline', async () => {
    const bench = await begun();
    bench.engine.gone.set(workflowId, 'ended');
    const before = bench.engine.batches.get('march')?.order;
    expect(await reconcileAll(bench.app)).toEqual({ ...nothingMended, restartedBatches: 1 });
    expect(await readBatch(bench.app, 'march')).toMatchObject({ state: 'running', underWay: 2, waiting: 1 });
    expect(bench.engine.batches.get('march')?.order).toEqual(before);
    expect(await reconcileAll(bench.app)).toEqual(nothingMended);
    expect(bench.engine.started).toHaveLength(2);
  });

  it('when it is only asked what is astray, then nothing is started', async () => {
    const bench = await begun();
    bench.engine.gone.set(workflowId, 'missing');
    expect(await reconcileAll(bench.app, { mends: false })).toMatchObject({ restartedBatches: 1 });
    expect(await readBatch(bench.app, 'march')).toMatchObject({ state: 'stopped' });
  });

  it('when it began a moment ago, then nobody asks', async () => {
    const bench = await begun();
    bench.engine.gone.set(workflowId, 'missing');
    expect(await reconcile(bench.app, { part: 'batches', cursor: null }, { graceMs: 21_000 })).toEqual({
      ...{ mended: nothingMended, cursor: null },
    });
  });

  it('when it came to its end after it was listed, then it stays at its end', async () => {
    const bench = await begun();
    bench.engine.standingOfBatch = async () => {
      await bench.store.batches.note('march', 'finished', 3, bench.app.now());
      return 'ended';
    };
    expect((await batches(bench)).mended).toEqual(nothingMended);
    expect(await bench.store.batches.find('march')).toMatchObject({ state: 'finished' });
  });

  it('when it was cancelled, then it is not started', async () => {
    const bench = await begun();
    bench.engine.gone.set(workflowId, 'ended');
    await cancelBatch(bench.app, 'march', 'let_finish');
    expect((await batches(bench)).mended).toEqual(nothingMended);
    expect(await readBatch(bench.app, 'march')).toMatchObject({ state: 'cancelled' });
  });

  it('when it was stopping, then its new workflow begins nothing', async () => {
    const bench = await begun();
    await cancelBatch(bench.app, 'march', 'let_finish');
    bench.engine.gone.set(workflowId, 'ended');
    expect((await batches(bench)).mended).toEqual({ ...nothingMended, restartedBatches: 1 });
    expect(await readBatch(bench.app, 'march')).toMatchObject({ state: 'stopping', underWay: 2, waiting: 1 });
    for (const { key } of bench.engine.started) bench.store.end(key, { outcome: 'verified' });
    await bench.engine.advanceBatch('march');
    expect(await readBatch(bench.app, 'march')).toMatchObject({ state: 'cancelled', waiting: 1 });
  });

  it('when it is cancelled while it gets a workflow, then that is told', async () => {
    const bench = await begun();
    bench.engine.gone.set(workflowId, 'ended');
    const { note } = bench.store.batches;
    Object.assign(bench.store.batches, {
      note: async (...noted: Parameters<typeof note>) => {
        if (noted[1] === 'cancelled') await batches(bench);
        await note(...noted);
      },
    });
    await cancelBatch(bench.app, 'march', 'let_finish');
    expect(bench.engine.batches.get('march')).toMatchObject({ cancel: 'let_finish' });
  });
});
