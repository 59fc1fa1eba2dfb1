import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { workflowIds } from '../../src/domain/workflow-id.js';
import { otherPort } from '../../src/embedded/ports.js';
import { readCompose } from '../support/compose.js';
import { historyText } from '../support/decoded-history.js';
import { eventually } from '../support/eventually.js';
import { relayKey } from '../support/model-relay.js';
import { guardChild } from '../support/outliving-guard.js';
import { claimText } from '../support/papers.js';
import { openScene, type Scene } from '../workflows/scene.js';

const root = join(import.meta.dirname, '../..');
const { services } = readCompose(join(root, 'docker-compose.yml'));
const service = (name: string) => {
  const found = services[name];
  if (found === undefined) throw new Error(`no service ${name}`);
  return found;
};

const folder = mkdtempSync(join(tmpdir(), 'endstop-compose-'));
const secret = (name: string) => readFileSync(join(folder, name), 'utf8');
const children: ChildProcess[] = [];
const ports = new Map<string, string>();
let scene: Scene;

/** The secrets of a deployment; only the database's address is that of the server here. */
beforeAll(async () => {
  const made = spawnSync(join(root, 'deploy/secrets.sh'), [folder], {
    env: { PATH: process.env['PATH'], ANTHROPIC_API_KEY: relayKey },
  });
  expect(made.status).toBe(0);
  scene = await openScene({ lanes: [] });
  writeFileSync(join(folder, 'database_url'), scene.house.database.databaseUrl);
  // As empty as in a new deployment.
  const database = new Client({ connectionString: scene.house.database.databaseUrl });
  await database.connect();
  await database.query('drop schema public cascade');
  await database.query('create schema public');
  await database.end();
});
afterAll(async () => {
  for (const child of children) {
    const gone = new Promise((resolve) => child.once('exit', resolve));
    if (child.exitCode === null && child.kill('SIGTERM')) await gone;
  }
  await scene.close();
  rmSync(folder, { recursive: true });
});

/** A service's own environment; what a network of containers would resolve is where it is here, and so is the model. */
async function environmentOf(name: string): Promise<Record<string, string>> {
  const entries = Object.entries(service(name).environment ?? {}).map(async ([variable, value]) => {
    if (variable.endsWith('_PORT')) {
      const port = ports.get(name) ?? String(await otherPort());
      ports.set(name, port);
      return [variable, port];
    }
    return [
      variable,
      value?.replace('/run/secrets', folder).replace('temporal:7233', scene.house.temporal.address),
    ];
  });
  return {
    PATH: process.env['PATH'] ?? '',
    ENDSTOP_HOME: join(folder, 'home'),
    ANTHROPIC_BASE_URL: scene.models.url,
    ...Object.fromEntries(await Promise.all(entries)),
  };
}

/** Runs the service's command as the image's entry point would. */
async function start(name: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [join(root, 'bin/endstop.mjs'), ...(service(name).command ?? [])], {
    cwd: folder,
    env: await environmentOf(name),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  guardChild(child);
  children.push(child);
  return child;
}

/** Asks as the container's health check does. */
function health(name: string): number | null {
  const [, program = '', ...args] = service(name).healthcheck?.test ?? [];
  expect(program).toBe('node');
  const published = ports.get(name) ?? '';
  const asked = args.map((arg) => arg.replace(/127\.0\.0\.1:\d+/, `127.0.0.1:${published}`));
  return spawnSync(process.execPath, asked).status;
}

describe('the commands and the environment of docker-compose.yml, as plain processes', () => {
  it('migrate, come up, are found healthy, and verify a document whose history says nothing', async () => {
    const migrating = await start('migrate');
    expect(await new Promise((resolve) => migrating.once('exit', resolve))).toBe(0);
    await Promise.all(['api', 'worker', 'worker-lanes'].map(start));
    for (const name of ['api', 'worker', 'worker-lanes'])
      await eventually(async () => expect(health(name), name).toBe(0));

    const url = `http://127.0.0.1:${ports.get('api')}`;
    const ask = async (path: string, init: RequestInit = {}) =>
      await fetch(`${url}${path}`, {
        ...init,
        headers: { authorization: `Bearer ${secret('endstop_api_key')}`, 'content-type': 'application/json' },
      });
    expect((await fetch(`${url}/v1/extractions`)).status).toBe(401);
    const answer = await ask('/v1/extractions', {
      method: 'POST',
      body: JSON.stringify({ spec: 'claim', document: { text: claimText({}) } }),
    });
    expect(answer.status).toBe(202);
    const { id } = (await answer.json()) as { readonly id: string };
    await eventually(async () => {
      const found = (await (await ask(`/v1/extractions/${id}`)).json()) as {
        outcome: { kind: string } | null;
      };
      expect(found.outcome?.kind).toBe('verified');
    });
    const history = JSON.parse(await historyText(scene.client, workflowIds.extraction(id))) as {
      readonly events: readonly unknown[];
    };
    const [started] = history.events as { workflowExecutionStartedEventAttributes: { input: unknown } }[];
    const { input } = started?.workflowExecutionStartedEventAttributes ?? {};
    expect(JSON.stringify(input)).toContain(Buffer.from('binary/encrypted').toString('base64'));
  });
});
