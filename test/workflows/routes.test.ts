import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { explainExtraction } from '../../src/application/explain-route.js';
import { followRedrive, redriveByKey, startRedrive } from '../../src/application/redrive.js';
import { workflowIds } from '../../src/domain/workflow-id.js';
import type { Extraction } from '../../src/ports/extraction-store.js';
import { eventually } from '../support/eventually.js';
import { held } from '../support/model-relay.js';
import { claimText } from '../support/papers.js';
import { claimSpec } from './claim-specs.js';
import { openScene, type Scene } from './scene.js';

const plain = claimSpec('claim-plain');
/** No answer fits, so that every claim goes where the routes say. */
const tokenCeilings = [40];
const withTemplate = claimSpec('claim-template', {
  policy: { tokenCeilings, routes: [{ to: 'fallback' }, { to: 'human_review' }] },
});
const bestEffort = claimSpec('claim-best-effort', { policy: { routes: [{ to: 'best_effort' }] } });

const fine = {};
const overloaded = { behaviour: { rate529: 1 } };
const stubborn = { behaviour: { misread: 1, stubborn: 1 } };

let scene: Scene;
let readerFault: Error | null = null;
beforeAll(async () => {
  scene = await openScene({ specs: [plain, withTemplate, bestEffort], activityFault: () => readerFault });
});
afterAll(() => scene.close());

const handle = (workflowId: string) => scene.client.workflow.getHandle(workflowId);
const statusOf = async (workflowId: string) =>
  await handle(workflowId)
    .describe()
    .then(({ status }) => status.name)
    .catch(() => 'NOT_FOUND');

const heading = 'HARBOUR BROKERS - Notice of claim';

describe('a fallback', () => {
  it('keeps the few fields that are printed, apart from data', async () => {
    const text = `${heading}\nClaim No.: CL-77\nPolicy No.: HO-9\n${claimText({})}`;
    const { extraction, outcome } = await scene.run({ spec: withTemplate, text });
    expect(extraction).toMatchObject({ reason: 'token_ceiling', route: 'fallback' });
    await eventually(async () => {
      expect(await statusOf(workflowIds.fallback(extraction.key, 1))).toBe('COMPLETED');
    });
    const fields = { claim_number: 'CL-77', policy_number: 'HO-9' };
    expect((await scene.ended(extraction)).outcome).toMatchObject({
      fallback: { template: 'harbour', fields },
    });
    expect(outcome).toMatchObject({ kind: 'unverified', bestEffort: null });
    expect(await explained(extraction)).toEqual(['fallback']);
    await expectNoData(extraction);
  });

  it('that finds nothing passes the document on', async () => {
    const text = `${heading}\n${claimText({})}`;
    const { extraction } = await scene.run({ spec: withTemplate, text });
    await eventually(async () => {
      const moved = await scene.house.app.store.extractions.find(extraction.key);
      expect(moved).toMatchObject({ route: 'human_review', reason: 'token_ceiling' });
      expect(await statusOf(workflowIds.humanReview(extraction.subject))).toBe('RUNNING');
    });
    expect(await scene.house.app.store.records.ofKey(extraction.key)).toEqual([]);
    expect(await explained(extraction)).toEqual(['fallback', 'human_review']);
  });

  it('that somebody terminates passes the document on', async () => {
    const text = `${heading}\nClaim No.: CL-78\n${claimText({})}`;
    const first = held();
    const extraction = await scene.submit({ spec: withTemplate, text, turns: [first.turn] });
    await scene.models.arrived(text, 1);
    // From here on no document can be opened, so that the fallback is tried again and again.
    readerFault = new Error('the reader broke');
    first.release();
    const child = workflowIds.fallback(extraction.key, 1);
    await eventually(async () => expect(await statusOf(child)).toBe('RUNNING'));
    await handle(child).terminate('tired of it');
    readerFault = null;
    await eventually(async () => {
      const moved = await scene.house.app.store.extractions.find(extraction.key);
      expect(moved).toMatchObject({ route: 'human_review', reason: 'token_ceiling' });
      expect(await statusOf(workflowIds.extraction(extraction.key))).toBe('COMPLETED');
    });
  });
});

describe('a best effort', () => {
  it('is kept with its unmet rules, apart from data', async () => {
    const text = claimText({});
    const { extraction, outcome } = await scene.run({ spec: bestEffort, text, turns: [stubborn] });
    expect(extraction).toMatchObject({ reason: 'no_progress', route: 'best_effort' });
    await eventually(async () => {
      expect(await statusOf(workflowIds.bestEffort(extraction.key, 1))).toBe('COMPLETED');
    });
    const [record] = await scene.house.app.store.records.ofKey(extraction.key);
    expect(record).toMatchObject({
      status: 'best_effort',
      record: outcome?.kind === 'unverified' && outcome.bestEffort,
      unmet: outcome?.kind === 'unverified' && outcome.unmet,
    });
    expect(record?.unmet.length).toBeGreaterThan(0);
    expect(await explained(extraction)).toEqual(['best_effort']);
    await expectNoData(extraction);
  });
});

describe('a redrive', () => {
  it('of a dead letter runs it again under its frozen policy, and its success settles the letter', async () => {
    const text = claimText({});
    const submission = { budgets: { attemptCap: 2 } };
    const turns = [overloaded, overloaded, overloaded, fine];
    const { extraction } = await scene.run({ spec: plain, text, turns, submission });
    expect(extraction).toMatchObject({ reason: 'provider_unavailable', route: 'dead_letter' });
    const again = await redriveByKey(scene.house.app, extraction.key, null);
    expect(again).toMatchObject({ key: extraction.key, run: 2, policy: { attemptCap: 2 } });
    expect((await scene.ended(again)).outcome).toMatchObject({ kind: 'verified', attempts: 1 });
    expect(await letterOf(extraction)).toMatchObject({ state: 'recovered' });
    expect(await scene.house.app.store.records.ofKey(extraction.key)).toHaveLength(1);
    await expect(redriveByKey(scene.house.app, extraction.key, null)).rejects.toMatchObject({
      code: 'not_redrivable',
    });
  });

  it('made twice at once starts one run and makes one call', async () => {
    const texts = [claimText({}), claimText({}), claimText({})];
    const runs = await Promise.all(
      texts.map((text) =>
        scene.run({ spec: plain, text, turns: [overloaded, overloaded, overloaded, fine] }),
      ),
    );
    const request = {
      selection: { specId: plain.id, reason: 'provider_unavailable' as const },
      promptVersion: null,
      most: null,
      inFlight: 4,
      perSecond: null,
    };
    const { app } = scene.house;
    const reports = await Promise.all(
      ['one', 'two'].map(async (id) => {
        await startRedrive(app, { ...request, id });
        return await followRedrive(app, id, () => undefined);
      }),
    );
    expect(reports.reduce((sum, report) => sum + report.started, 0)).toBe(3);
    await eventually(async () => {
      for (const { extraction } of runs) {
        expect(await app.store.extractions.find(extraction.key)).toMatchObject({ state: 'closed', run: 2 });
      }
    });
    for (const { extraction } of runs) {
      const again = await scene.house.app.store.extractions.find(extraction.key);
      expect(again).toMatchObject({ run: 2, outcome: 'verified', calls: 1 });
      expect(await scene.house.app.store.records.ofKey(extraction.key)).toHaveLength(1);
      expect(await letterOf(extraction)).toMatchObject({ state: 'recovered' });
    }
    for (const text of texts) expect(scene.models.calls(text)).toHaveLength(4);
  });

  it('that fails again parks it again, under the same key', async () => {
    const text = claimText({});
    const { extraction } = await scene.run({ spec: plain, text, turns: [overloaded] });
    const again = await scene.ended(await redriveByKey(scene.house.app, extraction.key, null));
    expect(again.extraction).toMatchObject({ run: 2, reason: 'provider_unavailable', calls: 3 });
    expect(await letterOf(extraction)).toMatchObject({ state: 'parked', run: 2 });
  });
});

/** Where it went, as it is explained afterwards from facts gathered anew. */
const explained = async ({ key }: Extraction) =>
  (await explainExtraction(scene.house.app, key, null)).explanations.map(({ route }) => route);
const letterOf = ({ key }: Extraction) => scene.house.app.store.deadLetters.find(key);

/** Nothing about its subject is in any default read. */
async function expectNoData({ subject, specId }: Extraction): Promise<void> {
  const { records } = scene.house.app.store;
  expect(await records.current(subject)).toBeNull();
  expect((await records.list({ specId }, { limit: 10 })).items).toEqual([]);
}
