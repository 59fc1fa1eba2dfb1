import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { taskQueues } from '../../../src/domain/task-queue.js';
import { workflowIds } from '../../../src/domain/workflow-id.js';
import { eventually } from '../../support/eventually.js';
import { claimText } from '../../support/papers.js';
import { claimSpec } from '../../workflows/claim-specs.js';
import { startLanes } from '../../workflows/lane-workers.js';
import { openScene, type Scene } from '../../workflows/scene.js';

const plain = claimSpec('claim-plain');
const hurried = claimSpec('claim-hurried', { policy: { deadlineMs: 2_000, estimateMs: [100] } });

let scene: Scene;
/** Nothing lands in this house until a worker for the store's queue is started. */
beforeAll(async () => {
  scene = await openScene({
    specs: [plain, hurried],
    lanes: ['workflows', 'first', 'repair'],
    // Five failures, the server's own number, take a minute.
    temporalSettings: { 'system.numConsecutiveWorkflowTaskProblemsToTriggerSearchAttribute': 1 },
  });
});
afterAll(() => scene.close());

const overloaded = { behaviour: { rate529: 1 } };
const stubborn = { behaviour: { misread: 1, stubborn: 1 } };

/** Ids in one of the engine's ready-made lists. */
async function listed(name: string): Promise<readonly string[]> {
  const { engine } = scene.house.app;
  const view = engine.views().find((candidate) => candidate.name === name);
  if (view === undefined) throw new Error(`There is no view ${name}.`);
  return (await engine.list(view.query, 100)).map(({ workflowId }) => workflowId).sort();
}

const attributesOf = async (key: string) => {
  const { typedSearchAttributes } = await scene.client.workflow
    .getHandle(workflowIds.extraction(key))
    .describe();
  return Object.fromEntries(typedSearchAttributes.getAll().map(({ key: { name }, value }) => [name, value]));
};

describe('the lists of the engine', () => {
  it('show a run that is past its deadline until it has landed', async () => {
    const stuck = await scene.submit({ spec: hurried, text: claimText({}), turns: [overloaded] });
    const id = workflowIds.extraction(stuck.key);
    await eventually(async () => expect(await listed('past-deadline')).toEqual([id]));
    expect(await attributesOf(stuck.key)).toMatchObject({
      EndstopSpec: 'claim-hurried',
      EndstopTenant: 'test',
      EndstopPrompt: '1',
      EndstopDeadline: expect.any(Date),
    });
    const stop = await startLanes(scene, ['store']);
    await scene.ended(stuck);
    await eventually(async () => expect(await listed('past-deadline')).toEqual([]));
    await stop();
  });

  it('hold exactly the runs that ended for each reason, and the reviews that wait', async () => {
    const stop = await startLanes(scene, ['store']);
    const sarin = 'Stock lost: sarin precursors.';
    const all = await Promise.all([
      scene.run({ spec: plain, text: claimText({}) }),
      scene.run({ spec: plain, text: claimText({}), turns: [stubborn] }),
      scene.run({ spec: plain, text: claimText({}), turns: [stubborn] }),
      scene.run({ spec: plain, text: claimText({ extra: sarin }) }),
      scene.run({ spec: plain, text: '' }),
      scene.run({ spec: plain, text: claimText({}), turns: [overloaded] }),
      scene.run({
        spec: plain,
        text: claimText({}),
        turns: [stubborn],
        submission: { budgets: { attemptCap: 1 } },
      }),
    ]);
    const { store, engine } = scene.house.app;
    const { items } = await store.extractions.list({}, { limit: 100 });
    const idsWhere = (holds: (row: (typeof items)[number]) => boolean) =>
      items
        .filter(holds)
        .map(({ key }) => workflowIds.extraction(key))
        .sort();
    const waiting = items
      .filter(({ route }) => route === 'human_review')
      .map(({ subject }) => workflowIds.humanReview(subject))
      .sort();
    expect(waiting).toHaveLength(3);
    expect(items.map(({ reason }) => reason)).toEqual(
      expect.arrayContaining([
        'no_progress',
        'refusal',
        'unreadable_document',
        'provider_unavailable',
        'attempt_cap',
      ]),
    );

    const names = engine.views().map(({ name }) => name);
    for (const name of names.filter((candidate) => candidate.startsWith('exhausted/'))) {
      const expected = idsWhere(({ reason }) => `exhausted/${reason}` === name);
      await eventually(async () =>
        expect({ name, ids: await listed(name) }).toEqual({ name, ids: expected }),
      );
    }
    const exhausted = idsWhere(({ outcome }) => outcome === 'unverified');
    await eventually(async () => expect(await listed('exhausted')).toEqual(exhausted));
    await eventually(async () => expect(await listed('waiting-for-review')).toEqual(waiting));
    expect(names.filter((name) => !name.startsWith('exhausted'))).toEqual([
      'past-deadline',
      'waiting-for-review',
      'task-failures',
    ]);

    const [verified, noProgress] = all;
    expect(await attributesOf(verified.extraction.key)).toMatchObject({
      EndstopOutcome: 'verified',
      EndstopAttempts: 1,
      EndstopTokens: verified.extraction.tokens,
    });
    expect(Object.keys(await attributesOf(verified.extraction.key))).not.toContain('EndstopReason');
    expect(await attributesOf(noProgress.extraction.key)).toMatchObject({
      EndstopOutcome: 'unverified',
      EndstopReason: 'no_progress',
      EndstopRoute: 'human_review',
      EndstopAttempts: 2,
      EndstopTokens: noProgress.extraction.tokens,
    });
    await stop();
  });

  it('hold the workflows whose code fails again and again', async () => {
    // No worker has code for this type.
    await scene.client.workflow.start('unknown', { taskQueue: taskQueues.workflows, workflowId: 'broken' });
    await eventually(async () => expect(await listed('task-failures')).toEqual(['broken']));
    await scene.client.workflow.getHandle('broken').terminate();
  });

  it('are links into the pages of the server, as are single runs', async () => {
    const { engine, store } = scene.house.app;
    const [row] = (await store.extractions.list({}, { limit: 1 })).items;
    const urls = engine.views().map(({ url }) => url);
    const link = engine.link(workflowIds.extraction(row?.key ?? ''));
    expect([...urls, link].every((url) => url?.startsWith(scene.house.temporal.uiUrl))).toBe(true);
    const pages = await Promise.all([urls[0], link].map(async (url) => await fetch(String(url))));
    expect(pages.map(({ status }) => status)).toEqual([200, 200]);
  });
});
