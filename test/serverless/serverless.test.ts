import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import specs from '../../specs/index.js';
import { decideReview } from '../../src/application/decide-review.js';
import { workflowIds } from '../../src/domain/workflow-id.js';
import { findTemporal } from '../../src/embedded/temporal-binary.js';
import { eventually } from '../support/eventually.js';
import { relayKey } from '../support/model-relay.js';
import { claimText } from '../support/papers.js';
import { openScene, type Scene } from '../workflows/scene.js';
import { type Emulator, openEmulator } from './lambda-emulator.js';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const folder = join(root, `dist/lambda-test-${process.pid}`);
const functionArn = 'arn:aws:lambda:us-east-1:123456789012:function:endstop-worker';
const roleArn = 'arn:aws:iam::123456789012:role/endstop-invoker';
const externalId = 'endstop-of-the-tests';
const apiKey = 'correct-horse-battery-staple';
const [claim] = specs;
if (claim === undefined) throw new Error('no claims spec');

let emulator: Emulator;
let scene: Scene;

/** A Temporal server whose worker controller reaches Lambda and STS at the emulator; no worker runs anywhere. */
beforeAll(async () => {
  const building = run(process.execPath, [join(root, 'bin/bundle-lambda.mjs'), folder], {
    cwd: root,
    env: { ...process.env, ENDSTOP_SPECS: 'specs/claim/claim.ts' },
  });
  emulator = await openEmulator({ folder, timeoutMs: 40_000, concurrency: 3, externalId });
  scene = await openScene({
    specs,
    lanes: [],
    temporalSettings: {
      'workercontroller.enabled': true,
      'workercontroller.compute_providers.enabled': '["aws-lambda"]',
    },
    temporalEnv: {
      AWS_ENDPOINT_URL: emulator.url,
      AWS_ACCESS_KEY_ID: 'x',
      AWS_SECRET_ACCESS_KEY: 'y',
      AWS_EC2_METADATA_DISABLED: 'true',
    },
  });
  await building;
  const { address } = scene.house.temporal;
  emulator.configure({
    DATABASE_URL: scene.house.database.databaseUrl,
    TEMPORAL_ADDRESS: address,
    TEMPORAL_DEPLOYMENT_NAME: 'endstop',
    TEMPORAL_WORKER_BUILD_ID: 'v1',
    ANTHROPIC_BASE_URL: scene.models.url,
    ANTHROPIC_API_KEY: relayKey,
    ENDSTOP_API_KEY: apiKey,
  });
  const { path } = await findTemporal({ home: '.endstop', env: process.env, onProgress: () => undefined });
  const temporal = async (...args: readonly string[]) => {
    await run(path, ['worker', 'deployment', ...args, '--address', address]);
  };
  await temporal('create', '--name', 'endstop');
  await temporal(
    ...['create-version', '--deployment-name', 'endstop', '--build-id', 'v1'],
    ...['--aws-lambda-function-arn', functionArn, '--aws-lambda-assume-role-arn', roleArn],
    ...['--aws-lambda-assume-role-external-id', externalId],
  );
  await eventually(() =>
    temporal('set-current-version', '--deployment-name', 'endstop', '--build-id', 'v1', '--yes'),
  );
  await workersGone();
});
afterAll(async () => {
  await emulator.close();
  await scene.close();
  rmSync(folder, { recursive: true, force: true });
});

const never = { until: new Promise(() => undefined) };
const workersGone = () => eventually(async () => expect(emulator.running()).toBe(0));
const submit = (text: string, turns: Parameters<Scene['models']['plan']>[1] = []) =>
  scene.submit({ spec: claim, text, turns });

describe('workers as functions', () => {
  it('process what is submitted while none runs, and go away', async () => {
    expect(emulator.running()).toBe(0);
    const before = emulator.started();
    const texts = [claimText({}), claimText({}), claimText({ extra: 'The standard deductible applies.' })];
    const submitted = await Promise.all(texts.map((text) => submit(text)));
    const ended = await Promise.all(submitted.map((one) => scene.ended(one)));
    expect(ended.map(({ outcome }) => outcome?.kind)).toEqual(['verified', 'verified', 'verified']);
    expect(emulator.started()).toBeGreaterThan(before);
    await workersGone();
    expect(emulator.failures()).toEqual([]);
    const starts = emulator.output().match(/^(cold|warm) start: \d+ ms.*$/gm) ?? [];
    expect(starts.length).toBeGreaterThan(0);
    process.stdout.write(`${starts.join('\n')}\n`);
  });

  it('lose nothing when one is killed in the middle of a call, and take up a review that outlived the worker which opened it', async () => {
    const text = claimText({});
    const cutOff = await submit(text, [never, {}]);
    await scene.models.arrived(text, 1);
    await emulator.kill();

    // The server notices by the missing heartbeat only, fifteen seconds from now.
    const exhausted = await submit(claimText({}), [{ behaviour: { misread: 1, stubborn: 1 } }]);
    const { extraction } = await scene.ended(exhausted);
    expect(extraction.route).toBe('human_review');
    await workersGone();
    const before = emulator.started();
    await decideReview(scene.house.app, {
      review: extraction.key,
      actor: 'ada',
      verb: 'reject',
      values: null,
      note: 'a blank form',
      overrides: [],
      ifVersion: null,
    });
    const review = scene.client.workflow.getHandle(workflowIds.humanReview(extraction.subject));
    expect(await review.result()).toEqual({ ended: 'decided', verb: 'reject' });
    expect(emulator.started()).toBeGreaterThan(before);

    const ended = await scene.ended(cutOff);
    expect(ended.extraction).toMatchObject({ outcome: 'verified', attempts: 1, calls: 2 });
    expect(ended.calls.map(({ state }) => state)).toEqual(['open', 'answered']);
    expect(await scene.house.app.store.records.ofKey(cutOff.key)).toHaveLength(1);
  });
});

describe('the API as a function', () => {
  const request = (method: string, path: string, body?: object, headers: object = {}) => ({
    version: '2.0',
    routeKey: '$default',
    rawPath: path,
    rawQueryString: '',
    headers: {
      host: 'endstop.lambda-url.us-east-1.on.aws',
      'content-type': 'application/json',
      ...(body === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
      ...headers,
    },
    requestContext: { http: { method, path, sourceIp: '192.0.2.1' }, domainName: 'endstop.example' },
    isBase64Encoded: false,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const call = async (...args: Parameters<typeof request>) =>
    (await emulator.call('api', request(...args))) as { readonly statusCode: number; readonly body: string };

  it('answers a client that would wait for longer than the function may run', async () => {
    const text = claimText({});
    scene.models.plan(text, [never]);
    const submission = request(
      'POST',
      '/v1/extractions',
      { spec: 'claim', document: { text } },
      { prefer: 'wait=60' },
    );
    const answer = await emulator.call('api', submission, 10_000);
    expect(answer).toMatchObject({ statusCode: 202 });
    expect(JSON.stringify(answer)).toMatch(/"preference-applied":"wait=[1-6]"/);
  });

  it('takes a document, which a function then reads, and asks for a key', async () => {
    const document = { text: claimText({}) };
    const accepted = await call('POST', '/v1/extractions', { spec: 'claim', document });
    expect(accepted).toMatchObject({ statusCode: 202 });
    const { id } = JSON.parse(accepted.body) as { readonly id: string };
    await eventually(async () => {
      expect((await scene.house.app.store.extractions.find(id))?.outcome).toBe('verified');
    });
    expect((await call('GET', '/v1/extractions')).statusCode).toBe(401);
    expect((await call('GET', '/readyz')).statusCode).toBe(200);
  });
});
