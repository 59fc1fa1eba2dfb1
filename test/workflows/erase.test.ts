import { Client as PostgresClient } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { retentionScheduleId, scheduleRetention } from '../../src/adapters/temporal/schedule.js';
import { eraseDocument } from '../../src/application/erase.js';
import { redriveByKey } from '../../src/application/redrive.js';
import { setRetention, sweepRetention } from '../../src/application/retention.js';
import { workflowIds } from '../../src/domain/workflow-id.js';
import type { Extraction } from '../../src/ports/extraction-store.js';
import { eventually } from '../support/eventually.js';
import { held } from '../support/model-relay.js';
import { claimText } from '../support/papers.js';
import { claimSpec } from './claim-specs.js';
import { openScene, type Scene } from './scene.js';

const plain = claimSpec('claim-erased');
const rough = { behaviour: { misread: 1 } };
const stubborn = { behaviour: { misread: 1, stubborn: 1 } };

let scene: Scene;
beforeAll(async () => {
  scene = await openScene({ specs: [plain] });
});
afterAll(() => scene.close());

const store = () => scene.house.app.store;
const statusOf = async (workflowId: string) =>
  (await scene.client.workflow.getHandle(workflowId).describe()).status.name;
const missing = {
  ...{ kind: 'unverified', reason: 'unreadable_document', bestEffort: null, route: null },
  diagnosis: { kind: 'unreadable', fault: 'missing' },
};
const nothingKept = async ({ key, subject }: Extraction) => {
  expect(await store().records.ofKey(key)).toEqual([]);
  expect(await store().deadLetters.find(key)).toBeNull();
  expect((await store().reviews.find(subject))?.state ?? 'withdrawn').toBe('withdrawn');
  for (const attempt of await store().attempts.list(key, 1)) {
    expect(attempt).toMatchObject({ candidate: null, evidence: [], feedback: null });
  }
};

describe('a document that is erased', () => {
  it('while its first call is in flight ends as unreadable: the answer is paid for and not kept', async () => {
    const text = claimText({});
    const { turn, release } = held();
    const extraction = await scene.submit({ spec: plain, text, turns: [turn] });
    await scene.models.arrived(text, 1);
    expect(await eraseDocument(scene.house.app, extraction)).toMatchObject({ bytes: true, extractions: 1 });
    release();
    const { outcome, calls, extraction: ended } = await scene.ended(extraction);
    expect(outcome).toMatchObject({ ...missing, attempts: 0 });
    expect(calls).toMatchObject([{ state: 'answered', known: true }]);
    expect(ended.tokens).toBeGreaterThan(0);
    expect(await store().attempts.list(extraction.key, 1)).toEqual([]);
    await nothingKept(extraction);
    await eventually(async () => {
      expect(await statusOf(workflowIds.extraction(extraction.key))).toBe('COMPLETED');
    });
  });

  it('between two attempts ends as unreadable without another attempt, and the first is counted only', async () => {
    const text = claimText({});
    const { turn, release } = held(rough);
    const extraction = await scene.submit({ spec: plain, text, turns: [rough, turn] });
    await scene.models.arrived(text, 2);
    await eraseDocument(scene.house.app, extraction);
    release();
    expect((await scene.ended(extraction)).outcome).toMatchObject({ ...missing, attempts: 1 });
    const [first, ...others] = await store().attempts.list(extraction.key, 1);
    expect(others).toEqual([]);
    expect(first?.problems.length).toBeGreaterThan(0);
    for (const problem of first?.problems ?? [])
      expect(problem).toMatchObject({ message: 'erased', found: null, expected: null });
    await nothingKept(extraction);
  });

  it('while a person is asked withdraws the question, and its workflow ends', async () => {
    const { extraction } = await scene.run({ spec: plain, text: claimText({}), turns: [stubborn] });
    const review = workflowIds.humanReview(extraction.subject);
    await eventually(async () => expect(await statusOf(review)).toBe('RUNNING'));
    expect(await eraseDocument(scene.house.app, extraction)).toMatchObject({ reviews: 1 });
    await eventually(async () => expect(await statusOf(review)).toBe('COMPLETED'));
    await nothingKept(extraction);
    await expect(redriveByKey(scene.house.app, extraction.key, null)).rejects.toMatchObject({ code: 'gone' });
  });

  it('and handed in again is extracted anew', async () => {
    const text = claimText({});
    const { extraction } = await scene.run({ spec: plain, text });
    await eraseDocument(scene.house.app, extraction);
    const again = await scene.run({ spec: plain, text });
    expect(again).toMatchObject({ extraction: { run: 2, erasedAt: null }, outcome: { kind: 'verified' } });
    expect(scene.models.calls(text)).toHaveLength(2);
    expect((await store().records.current(extraction.subject))?.run).toBe(2);
  });

  it('by another tenant is not found, and its run goes on', async () => {
    const text = claimText({});
    const { turn, release } = held();
    const extraction = await scene.submit({ spec: plain, text, turns: [turn] });
    await scene.models.arrived(text, 1);
    await expect(
      eraseDocument(scene.house.app, { ...extraction, tenant: 'somebody-else' }),
    ).rejects.toMatchObject({ code: 'not_found' });
    release();
    expect((await scene.ended(extraction)).outcome).toMatchObject({ kind: 'verified' });
  });
});

describe('a sweep', () => {
  it('leaves a run alone that is under way, however old its document is', async () => {
    const app = { ...scene.house.app, now: () => Date.now() + 10 * 86_400_000 };
    const [text, done] = [claimText({}), claimText({})];
    const ended = await scene.run({ spec: plain, text: done, submission: { tenant: 'brief' } });
    const { turn, release } = held();
    const running = await scene.submit({ spec: plain, text, turns: [turn], submission: { tenant: 'brief' } });
    await scene.models.arrived(text, 1);
    await setRetention(app, { tenant: 'brief', documentDays: 3, recordDays: null });
    expect(await sweepRetention(app)).toEqual([{ tenant: 'brief', documents: 1, inUse: 1, records: 0 }]);
    release();
    expect((await scene.ended(running)).outcome).toMatchObject({ kind: 'verified' });
    expect((await scene.ended(ended.extraction)).outcome).toEqual(ended.outcome);
    expect(await store().documents.load('brief', ended.extraction.documentHash)).toBeNull();
  });

  it('is run by a schedule, in parts, and says what it came to', async () => {
    const server = { address: scene.house.temporal.address, namespace: 'default' };
    const tenant = 'scheduled';
    const runs = await Promise.all(
      [1, 2, 3].map(() => scene.run({ spec: plain, text: claimText({}), submission: { tenant } })),
    );
    await setRetention(scene.house.app, { tenant, documentDays: 3, recordDays: 3 });
    const database = new PostgresClient({ connectionString: scene.house.database.databaseUrl });
    await database.connect();
    for (const [table, column] of [
      ['documents', 'stored_at'],
      ['records', 'at'],
    ] as const) {
      const older = `update ${table} set ${column} = ${column} - 10 * 86400000::int8 where tenant = $1`;
      await database.query(older, [tenant]);
    }
    await database.end();
    await Promise.all([scheduleRetention(server), scheduleRetention(server)]);
    const schedule = scene.client.schedule.getHandle(retentionScheduleId);
    await schedule.trigger();
    await eventually(async () => {
      for (const { extraction } of runs) {
        expect(await store().documents.load(tenant, extraction.documentHash)).toBeNull();
        expect(await store().records.ofKey(extraction.key)).toEqual([]);
      }
    });
    const { info, spec } = await schedule.describe();
    expect(spec.intervals).toEqual([expect.objectContaining({ every: 3_600_000 })]);
    const [action] = info.recentActions;
    const workflow = action?.action.type === 'startWorkflow' ? action.action.workflow : undefined;
    const handle = scene.client.workflow.getHandle(workflow?.workflowId ?? '', workflow?.firstExecutionRunId);
    expect(await handle.result()).toMatchObject({ documents: 3, records: 3 });
  });
});
