import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  cancelRedrive,
  followRedrive,
  type RedriveRequest,
  readRedrive,
  startRedrive,
} from '../../src/application/redrive.js';
import type { RedriveReport } from '../../src/domain/redrive.js';
import { workflowIds } from '../../src/domain/workflow-id.js';
import type { Extraction } from '../../src/ports/extraction-store.js';
import { createCatalogue } from '../../src/spec/catalogue.js';
import { historyText, textsOf } from '../support/decoded-history.js';
import { eventually } from '../support/eventually.js';
import type { Turn } from '../support/model-relay.js';
import { claimText } from '../support/papers.js';
import { claimSpec } from './claim-specs.js';
import { openScene, type Scene } from './scene.js';

/** No answer fits, so that every claim is parked as truncated. */
const v7 = claimSpec('claim', {
  prompt: { version: 'v7', text: 'Read the claim form.' },
  policy: { tokenCeilings: [40] },
});
const v8 = claimSpec('claim', { prompt: { version: 'v8', text: 'Read the claim form well.' } });

const fine = {};
const stubborn = { behaviour: { misread: 1, stubborn: 1 } };

let scene: Scene;
beforeAll(async () => {
  // A history of some two dozen events is long enough to be continued in a new one.
  const temporalSettings = { 'limit.historyCount.suggestContinueAsNew': 24 };
  scene = await openScene({ specs: [v8, v7], temporalSettings });
});
afterAll(() => scene.close());

/** Claims of a tenant of their own that failed under v7; the turns are what each meets after that. */
async function parked(tenant: string, turns: readonly Turn[]): Promise<readonly string[]> {
  const texts = turns.map(() => claimText({}));
  const app = { ...scene.house.app, catalogue: createCatalogue([v7]) };
  await Promise.all(
    texts.map(async (text, index) => {
      const plan = [fine, turns[index] ?? fine];
      const ended = await scene.run({ spec: v7, text, turns: plan, app, submission: { tenant } });
      expect(ended.extraction).toMatchObject({ reason: 'token_ceiling', route: 'dead_letter' });
    }),
  );
  return texts;
}

const request = (tenant: string, changes: Partial<RedriveRequest> = {}): RedriveRequest => ({
  id: null,
  selection: { tenant, promptVersion: 'v7', failureClass: 'truncated' },
  promptVersion: 'v8',
  most: null,
  inFlight: 4,
  perSecond: null,
  ...changes,
});

const follow = (id: string) => followRedrive(scene.house.app, id, () => undefined);

async function redrive(asked: RedriveRequest): Promise<RedriveReport> {
  return await follow((await startRedrive(scene.house.app, asked)).order.id);
}

const callsOf = (texts: readonly string[]) =>
  texts.reduce((sum, text) => sum + scene.models.calls(text).length, 0);

async function runsOf(tenant: string): Promise<readonly Extraction[]> {
  const { items } = await scene.house.app.store.extractions.list({ tenant }, { limit: 100 });
  return items;
}

/** A turn that is held until it is let go. */
function held(turn: Turn) {
  let release = (): void => undefined;
  const until = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { turn: { ...turn, until }, release: () => release() };
}

describe.concurrent('a redrive of what failed under v7 with v8', () => {
  it('recovers one half, says why the other came back, and changes nothing the second time', async () => {
    const tenant = 'half';
    const texts = await parked(tenant, [fine, stubborn, fine, stubborn]);
    const asked = request(tenant);
    const both = await Promise.all([
      startRedrive(scene.house.app, asked),
      startRedrive(scene.house.app, asked),
    ]);
    expect(both.map(({ kind }) => kind).sort()).toEqual(['running', 'started']);
    const [{ order }] = both;
    const first = await follow(order.id);
    expect(first).toMatchObject({
      ...{ state: 'finished', parked: 4, selected: 4, started: 4, recovered: 2, returned: 2 },
      ...{ returnedBy: { no_progress: 2 }, taken: 0, refused: 0, alreadyVerified: 0, underWay: 0 },
    });

    const { store } = scene.house.app;
    const calls = callsOf(texts);
    const runs = await runsOf(tenant);
    const second = await redrive(asked);
    expect(second).toMatchObject({ id: first.id, parked: 0, selected: 0, started: 0, returned: 0 });
    expect(callsOf(texts)).toBe(calls);
    expect(await runsOf(tenant)).toEqual(runs);

    const again = runs.filter(({ batchId }) => batchId === workflowIds.redrive(first.id));
    expect(again.map(({ promptVersion, run }) => [promptVersion, run])).toEqual(Array(4).fill(['v8', 1]));
    const { items: records } = await store.records.list({ tenant }, { limit: 10 });
    expect(records).toHaveLength(2);
    for (const state of ['recovered', 'redriven'] as const) {
      const { items } = await store.deadLetters.list({ tenant, state }, { limit: 10 });
      expect(items).toHaveLength(2);
    }
    const { items: reviews } = await store.reviews.list({ tenant }, { limit: 10 });
    expect(reviews).toHaveLength(2);
  });

  it('is continued in new histories and counts on, and no history holds anything of a document', async () => {
    const tenant = 'long';
    const texts = await parked(tenant, Array(5).fill(fine));
    const { order } = await startRedrive(scene.house.app, request(tenant, { inFlight: 1 }));
    const handle = scene.client.workflow.getHandle(workflowIds.redrive(order.id));
    const first = (await handle.describe()).runId;
    expect(await follow(order.id)).toMatchObject({ started: 5, recovered: 5, state: 'finished' });
    const last = await handle.describe();
    expect(last.runId).not.toBe(first);
    expect(last.historyLength).toBeLessThan(60);
    const history = textsOf(await historyText(scene.client, handle.workflowId));
    const lines = texts.flatMap((text) => text.split('\n')).filter((line) => line.length > 8);
    expect(history.filter((said) => lines.some((line) => said.includes(line)))).toEqual([]);
  });

  it('starts no more in a second than it may', async () => {
    const tenant = 'slow';
    await parked(tenant, Array(5).fill(fine));
    expect(await redrive(request(tenant, { perSecond: 2, inFlight: 20 }))).toMatchObject({ recovered: 5 });
    const starts = (await runsOf(tenant))
      .filter(({ promptVersion }) => promptVersion === 'v8')
      .map(({ startedAt }) => startedAt)
      .sort((left, right) => left - right);
    expect(starts).toHaveLength(5);
    // At most two in any second: the third comes a second after the first, and so on.
    for (const [index, at] of starts.slice(2).entries()) {
      expect(at - (starts[index] ?? 0)).toBeGreaterThanOrEqual(1_000);
    }
  });

  it('keeps to its window, and cancelled it runs no further letter; what is under way goes on', async () => {
    const tenant = 'cancelled';
    const { turn, release } = held(fine);
    await parked(tenant, Array(4).fill(turn));
    const { order } = await startRedrive(scene.house.app, request(tenant, { inFlight: 2 }));
    await eventually(async () => {
      expect(await readRedrive(scene.house.app, order.id)).toMatchObject({ started: 2, underWay: 2 });
    });
    await cancelRedrive(scene.house.app, order.id);
    expect(await follow(order.id)).toMatchObject({ state: 'cancelled', started: 2, underWay: 2 });
    release();
    await eventually(async () => {
      const tally = await scene.house.app.store.extractions.tally(workflowIds.redrive(order.id));
      expect(tally).toEqual({ open: 0, verified: 2, unverified: {} });
    });
    expect(await redrive(request(tenant, { inFlight: 2 }))).toMatchObject({
      ...{ id: order.id, parked: 2, started: 2, recovered: 2, state: 'finished' },
    });
  });

  it('that somebody terminates is said to be stopped, and asked for again it goes on with the rest', async () => {
    const tenant = 'terminated';
    const { turn, release } = held(stubborn);
    const texts = await parked(tenant, Array(3).fill(turn));
    const { order } = await startRedrive(scene.house.app, request(tenant, { inFlight: 1 }));
    await eventually(async () => expect(callsOf(texts)).toBe(4));
    await scene.client.workflow.getHandle(workflowIds.redrive(order.id)).terminate('by accident');
    expect(await readRedrive(scene.house.app, order.id)).toMatchObject({ state: 'stopped', started: 1 });
    const { order: second } = await startRedrive(scene.house.app, request(tenant, { inFlight: 1 }));
    expect(second).toMatchObject({ id: order.id, parked: 2 });
    release();
    // The run that was left under way is followed as well.
    expect(await follow(order.id)).toMatchObject({ started: 2, attached: 1, returned: 3, underWay: 0 });
    const runs = (await runsOf(tenant)).filter(({ promptVersion }) => promptVersion === 'v8');
    expect(runs.map(({ run }) => run)).toEqual([1, 1, 1]);
  });

  it('is not found under another id', async () => {
    await expect(readRedrive(scene.house.app, 'nobody')).rejects.toMatchObject({ code: 'not_found' });
    await expect(cancelRedrive(scene.house.app, 'nobody')).rejects.toMatchObject({ code: 'not_found' });
  });
});
