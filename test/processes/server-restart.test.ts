import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { claim } from '../../specs/claim/claim.js';
import { migrate } from '../../src/adapters/postgres/migrate.js';
import { workflowIds } from '../../src/domain/workflow-id.js';
import type { Extraction } from '../../src/ports/extraction-store.js';
import type { Spec } from '../../src/spec/spec.js';
import { eventually } from '../support/eventually.js';
import { held } from '../support/model-relay.js';
import { claimText } from '../support/papers.js';
import { startTestPostgres, type TestPostgres } from '../support/postgres.js';
import { openScene, type Scene } from '../workflows/scene.js';
import type { EndstopProcess } from './endstop-process.js';
import { startWorkerProcess } from './worker-process.js';

/** The bundled claims, with time enough for a slow machine. */
const spec = { ...claim, policy: { ...claim.policy, deadlineMs: 240_000 } } as unknown as Spec;
vi.setConfig({ testTimeout: 180_000 });
/** Four seconds for everything. */
const hurried: Spec = { ...spec, policy: { ...spec.policy, deadlineMs: 4_000, estimateMs: [200] } };
const folder = mkdtempSync(join(tmpdir(), 'endstop-restart-'));

let postgres: TestPostgres;
let scene: Scene;
let worker: EndstopProcess;

/** Servers of its own, since they will be killed, and one worker in a process of its own, which will not. */
beforeAll(async () => {
  postgres = await startTestPostgres();
  const admin = new Client({ connectionString: postgres.databaseUrl('postgres') });
  await admin.connect();
  await admin.query('create database endstop');
  await admin.end();
  const databaseUrl = postgres.databaseUrl('endstop');
  await migrate(databaseUrl);
  scene = await openScene({
    specs: [spec],
    lanes: [],
    database: { databaseUrl, drop: async () => undefined },
    temporalFile: join(folder, 'temporal.db'),
  });
  worker = await startWorkerProcess(scene);
});
afterAll(async () => {
  await worker.end('SIGKILL');
  await scene.close();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Talk of a deductible that is not printed: made up in the first answer, mended in the second. */
const talked = () => claimText({ extra: 'The standard deductible applies.' });

/** The run is verified in store and engine, each attempt was paid for once, and there is one record. */
async function expectWhole({ key }: Extraction, text: string, attempts: number): Promise<void> {
  const handle = scene.client.workflow.getHandle(workflowIds.extraction(key));
  expect(await handle.result()).toMatchObject({ outcome: 'verified', attempts });
  const { store } = scene.house.app;
  const row = await store.extractions.find(key);
  expect(row).toMatchObject({ state: 'closed', outcome: 'verified', attempts, calls: attempts });
  const calls = await store.attempts.calls(key, 1);
  expect(calls.map(({ state }) => state)).toEqual(Array.from({ length: attempts }, () => 'answered'));
  expect(scene.models.calls(text)).toHaveLength(attempts);
  expect(await store.records.ofKey(key)).toHaveLength(1);
}

/** Its answer and its deadline both waited for the store: whichever came first holds, for everyone who asks. */
async function expectAgreed({ key }: Extraction, text: string): Promise<void> {
  const { store } = scene.house.app;
  const result = await scene.client.workflow.getHandle(workflowIds.extraction(key)).result();
  const row = await store.extractions.find(key);
  expect(row).toMatchObject({ state: 'closed', calls: 1 });
  const { outcome, reason, route, attempts } = row ?? {};
  expect(result).toMatchObject({ outcome, reason, route, attempts });
  expect(await store.records.ofKey(key)).toHaveLength(outcome === 'verified' ? 1 : 0);
  expect(scene.models.calls(text)).toHaveLength(1);
}

describe('a Postgres server that is killed and comes back', () => {
  it('loses nothing: paid answers wait for it, and so do first attempts and repairs', async () => {
    const texts = {
      accepted: claimText({}),
      rejected: talked(),
      unbegun: claimText({}),
      hurried: claimText({}),
      late: claimText({}),
    };
    const [accepted, rejected, late] = [held(), held(), held()];
    const [first, second, third, fourth, fifth] = await Promise.all([
      scene.submit({ spec, text: texts.accepted, turns: [accepted.turn] }),
      scene.submit({ spec, text: texts.rejected, turns: [rejected.turn, {}] }),
      scene.prepare({ spec, text: texts.unbegun }),
      scene.prepare({ spec: hurried, text: texts.hurried }),
      scene.prepare({ spec: hurried, text: texts.late, turns: [late.turn] }),
    ]);
    await scene.house.app.engine.start(fifth.input);
    await Promise.all(
      [texts.accepted, texts.rejected, texts.late].map((text) => scene.models.arrived(text, 1)),
    );
    await postgres.kill();
    accepted.release();
    rejected.release();
    late.release();
    await scene.house.app.engine.start(third.input);
    await scene.house.app.engine.start(fourth.input);
    await expect(scene.house.app.store.ping()).rejects.toThrow(/Postgres at .* (refused|dropped)/);
    // Long enough for the answers to come and for several tries of each write.
    await pause(4_000);
    await postgres.start();
    await expectWhole(first, texts.accepted, 1);
    await expectWhole(second, texts.rejected, 2);
    await expectWhole(third.row, texts.unbegun, 1);
    // Its deadline passed before the store came back: parked without a call, once the store could take that.
    expect((await scene.ended(fourth.row)).extraction).toMatchObject({
      reason: 'store_unavailable',
      attempts: 0,
      calls: 0,
      route: 'dead_letter',
    });
    await expectAgreed(fifth.row, texts.late);
  });
});

describe('a Temporal server that is killed and comes back', () => {
  it('loses nothing: a call that ended meanwhile is not made again', async () => {
    const texts = { during: claimText({}), after: claimText({}), repaired: talked() };
    const [during, after, repaired] = [held(), held(), held()];
    const runs = await Promise.all([
      scene.submit({ spec, text: texts.during, turns: [during.turn] }),
      scene.submit({ spec, text: texts.after, turns: [after.turn] }),
      scene.submit({ spec, text: texts.repaired, turns: [{}, repaired.turn] }),
    ]);
    await Promise.all([
      scene.models.arrived(texts.during, 1),
      scene.models.arrived(texts.after, 1),
      scene.models.arrived(texts.repaired, 2),
    ]);
    await scene.house.temporal.kill();
    during.release();
    const [first, second, third] = runs;
    await eventually(async () => {
      expect(await scene.house.app.store.attempts.list(first.key, 1)).toHaveLength(1);
    });
    await scene.house.temporal.start();
    after.release();
    repaired.release();
    await expectWhole(first, texts.during, 1);
    await expectWhole(second, texts.after, 1);
    await expectWhole(third, texts.repaired, 2);
    // New work as before, on the same worker.
    const ended = await scene.run({ spec, text: claimText({}) });
    expect(ended.outcome?.kind).toBe('verified');
    expect(await worker.end('SIGTERM')).toBe(0);
  });
});
