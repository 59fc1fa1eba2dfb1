import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LaneActivities } from '../../activities/contract.js';
import { describeDeployment, promote } from '../../src/adapters/temporal/deployment.js';
import type { Application } from '../../src/application/application.js';
import { decideReview } from '../../src/application/decide-review.js';
import { workflowIds } from '../../src/domain/workflow-id.js';
import { createCatalogue } from '../../src/spec/catalogue.js';
import type { Spec } from '../../src/spec/spec.js';
import { eventually } from '../support/eventually.js';
import { held } from '../support/model-relay.js';
import { claimText } from '../support/papers.js';
import { claimSpec } from '../workflows/claim-specs.js';
import { laneActivities, startLanes } from '../workflows/lane-workers.js';
import { openScene, type Scene } from '../workflows/scene.js';

const before = claimSpec('claim-rolling');
const after = claimSpec('claim-rolling', {
  prompt: { version: 'next', text: 'Read the claim form as it is printed, line by line.' },
});
/** The same wrong amount whatever the model is told: ends in review. */
const stubborn = { behaviour: { misread: 1, stubborn: 1 } };

let scene: Scene;
/** Which version ran which attempt of which key. */
const ran: { readonly build: string; readonly key: string; readonly attempt: number }[] = [];
const leaving = new Map<string, () => Promise<void>>();

beforeAll(async () => {
  scene = await openScene({ specs: [after, before], lanes: [] });
});
afterAll(async () => {
  for (const leave of leaving.values()) await leave();
  await scene.close();
});

const deployment = () => ({ connection: scene.client.connection, namespace: 'default' });
const promoted = (buildId: string) => promote(deployment(), { name: 'endstop', buildId });
const statusOf = async (buildId: string) =>
  (await describeDeployment(deployment(), 'endstop'))?.versions.find((one) => one.buildId === buildId)
    ?.status;

/** An application that submits under these specs, as the API of one release does. */
const release = (specs: readonly Spec[]): Application => ({
  ...scene.house.app,
  catalogue: createCatalogue(specs),
});

/** All lanes of one version; the server knows it once its workers have asked for work. */
async function startVersion(build: string, specs: readonly Spec[]): Promise<void> {
  const { catalogue } = release(specs);
  const { attempt } = laneActivities({
    ...scene,
    house: { ...scene.house, app: { ...scene.house.app, catalogue } },
  });
  const noting: LaneActivities = {
    attempt: async (input) => {
      ran.push({ build, key: input.ref.key, attempt: input.decision.attempt });
      return await attempt(input);
    },
  };
  const lanes = ['workflows', 'first', 'repair', 'store'] as const;
  leaving.set(build, await startLanes(scene, lanes, noting, { name: 'endstop', buildId: build }));
  await eventually(async () => expect(await statusOf(build)).toBeDefined());
}

/** The version that carried out each workflow task, in order. */
async function carriedOutBy(workflowId: string): Promise<readonly string[]> {
  const { events } = await scene.client.workflow.getHandle(workflowId).fetchHistory();
  return (events ?? []).flatMap(({ workflowTaskCompletedEventAttributes: task }) =>
    task ? [task.deploymentVersion?.buildId ?? 'none'] : [],
  );
}

const attemptsOf = (key: string) =>
  ran.filter((one) => one.key === key).map(({ build, attempt }) => `${attempt} on ${build}`);

describe('a rolling deploy of a new version with a new prompt', () => {
  it('ends running documents on the version that began them, and takes reviews along', async () => {
    await startVersion('1', [before]);
    await eventually(() => promoted('1'));
    const texts = { running: claimText({}), exhausted: claimText({}), new: claimText({}) };
    const first = held({ behaviour: { misread: 1 } });
    const [running, exhausted] = await Promise.all([
      scene.submit({ spec: before, text: texts.running, turns: [first.turn, {}], app: release([before]) }),
      scene.submit({ spec: before, text: texts.exhausted, turns: [stubborn], app: release([before]) }),
    ]);
    await scene.models.arrived(texts.running, 1);
    expect((await scene.ended(exhausted)).extraction.route).toBe('human_review');

    // Both versions run; what begins from now on begins on the new one.
    await startVersion('2', [after, before]);
    // Refused until every queue of the first is asked for by the second as well.
    await eventually(() => promoted('2'));
    const fresh = await scene.submit({ spec: after, text: texts.new, app: release([after, before]) });
    expect((await scene.ended(fresh)).extraction).toMatchObject({
      outcome: 'verified',
      promptVersion: 'next',
    });
    expect(attemptsOf(fresh.key)).toEqual(['1 on 2']);

    // The one that was under way is repaired where it began, under its own prompt.
    first.release();
    expect((await scene.ended(running)).extraction).toMatchObject({
      outcome: 'verified',
      attempts: 2,
      promptVersion: before.prompt.version,
    });
    expect(attemptsOf(running.key)).toEqual(['1 on 1', '2 on 1']);
    const handle = scene.client.workflow.getHandle(workflowIds.extraction(running.key));
    await handle.result();
    expect(new Set(await carriedOutBy(handle.workflowId))).toEqual(new Set(['1']));
    expect(new Set(await carriedOutBy(workflowIds.extraction(fresh.key)))).toEqual(new Set(['2']));

    // The old workers may go: nobody waits for them, although a review they opened is still open.
    await leaving.get('1')?.();
    leaving.delete('1');
    const review = workflowIds.humanReview(exhausted.subject);
    expect((await carriedOutBy(review))[0]).toBe('1');
    await decideReview(release([after, before]), {
      review: exhausted.key,
      actor: 'ada',
      verb: 'reject',
      values: null,
      note: 'a blank form',
      overrides: [],
      ifVersion: null,
    });
    expect(await scene.client.workflow.getHandle(review).result()).toEqual({
      ended: 'decided',
      verb: 'reject',
    });
    expect((await carriedOutBy(review)).at(-1)).toBe('2');
    expect(await describeDeployment(deployment(), 'endstop')).toMatchObject({ current: '2', ramping: null });
    expect(await statusOf('1')).toMatch(/^drain/);
  });

  it('gives no work to a version that nobody runs, and says so', async () => {
    await expect(promoted('3')).rejects.toThrow(/^Version 3 of endstop is not promoted: .+\.$/);
    expect(await describeDeployment(deployment(), 'another')).toBeNull();
  });
});

describe('every workflow type', () => {
  it('says whether its runs stay on the version that began them', () => {
    const folder = join(import.meta.dirname, '../../workflows');
    const index = readFileSync(join(folder, 'index.ts'), 'utf8');
    const exported = [...index.matchAll(/^export \{ (\w+) \} from '\.\/([\w-]+)\.js'/gm)];
    const behaviours = exported.map(([, type = '', file]) => {
      const code = readFileSync(join(folder, `${file}.ts`), 'utf8');
      const [, behaviour] =
        new RegExp(`setWorkflowOptions\\(workflowOptions\\('(\\w+)'\\), ${type}\\)`).exec(code) ?? [];
      return [type, behaviour];
    });
    expect(Object.fromEntries(behaviours)).toMatchObject({
      extraction: 'PINNED',
      fallback: 'PINNED',
      bestEffort: 'PINNED',
      humanReview: 'AUTO_UPGRADE',
      redrive: 'AUTO_UPGRADE',
      batch: 'AUTO_UPGRADE',
    });
    expect(behaviours.filter(([, behaviour]) => behaviour === undefined)).toEqual([]);
  });
});
