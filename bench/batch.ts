import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { workflowIds } from '../src/domain/workflow-id.js';
import { openHouse } from '../test/support/house.js';
import { claimText } from '../test/support/papers.js';

/**
 * What a large batch takes of the process that hands it in, and of its workflow's history: once with a fifth of the
 * documents and once with all of them, on a real server, with the stand-in answering at once.
 *
 *   node --import tsx bench/batch.ts [documents]
 */
const documents = Number(process.argv[2] ?? 1_000);
const root = join(import.meta.dirname, '..');
const house = await openHouse({
  standin: { apiKey: 'test-key', behaviour: { latencyMs: 5, msPerToken: 0, misread: 0.1 } },
});
const connection = await Connection.connect({ address: house.temporal.address });
const client = new Client({ connection });
const folder = mkdtempSync(join(tmpdir(), 'endstop-batch-'));

interface Measured {
  readonly documents: number;
  readonly seconds: number;
  /** Resident memory of the command, at its highest, in MiB. */
  readonly peak: number;
  /** Events of the longest history of the batch's workflow, and how many histories it had. */
  readonly events: number;
  readonly histories: number;
  readonly verified: number;
  readonly tokens: number;
}

async function measure(count: number): Promise<Measured> {
  const scans = join(folder, `${count}`);
  mkdirSync(scans);
  for (let index = 0; index < count; index += 1) writeFileSync(join(scans, `${index}.txt`), claimText({}));
  const name = `bench-${count}`;
  const began = Date.now();
  const child = spawn(
    process.execPath,
    [
      ...[join(root, 'bin/endstop.mjs'), 'batch', scans, '--spec', 'claim', '--tokens', '1000M'],
      ...['--name', name, '--json'],
    ],
    {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        PATH: process.env['PATH'],
        HOME: process.env['HOME'],
        ENDSTOP_HOME: join(folder, 'home'),
        DATABASE_URL: house.database.databaseUrl,
        TEMPORAL_ADDRESS: house.temporal.address,
        ANTHROPIC_BASE_URL: house.standinUrl,
        ANTHROPIC_API_KEY: 'test-key',
      },
    },
  );
  let last = '';
  child.stdout.on('data', (text: Buffer) => {
    last = (last + text.toString('utf8')).split('\n').slice(-2).join('\n');
  });
  let ended = false;
  const exit = new Promise<void>((resolve) => {
    child.once('exit', () => {
      ended = true;
      resolve();
    });
  });
  let peak = 0;
  let events = 0;
  const runIds = new Set<string>();
  for (let look = 0; !ended; look += 1) {
    peak = Math.max(peak, residentMiB(child.pid ?? 0));
    if (look % 4 === 0) {
      const { items } = await house.app.store.batches.list({}, { limit: 2 });
      const id = items.find((batch) => batch.name === name)?.id ?? 'none';
      const described = await client.workflow
        .getHandle(workflowIds.batch(id))
        .describe()
        .catch(() => null);
      if (described !== null) {
        events = Math.max(events, described.historyLength);
        runIds.add(described.runId);
      }
    }
    await pause(250);
  }
  await exit;
  const { verified, tokens } = JSON.parse(last.trim().split('\n').at(-1) ?? '{}') as Measured;
  const seconds = (Date.now() - began) / 1_000;
  return { documents: count, seconds, peak, events, histories: runIds.size, verified, tokens };
}

/** 0 where the system does not tell. */
function residentMiB(pid: number): number {
  try {
    const [, kib] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kib ?? 0) / 1_024;
  } catch {
    return 0;
  }
}

const peaks: number[] = [];
let most = 0;
try {
  for (const count of [Math.ceil(documents / 5), documents]) {
    const { seconds, peak, events, histories, verified, tokens } = await measure(count);
    peaks.push(peak);
    most = Math.max(most, events);
    process.stdout.write(
      `${count} documents: ${seconds.toFixed(1)} s, ${(count / seconds).toFixed(1)} a second, ${verified} verified, ` +
        `${tokens} tokens; the command took ${peak.toFixed(0)} MiB at most; the longest of ${histories} histories had ` +
        `${events} events (refused above 51,200)\n`,
    );
  }
} finally {
  await connection.close();
  await house.close();
  rmSync(folder, { recursive: true, force: true });
}
const [small = 0, large = 0] = peaks;
const isFlat = large <= 1.2 * small;
const isShort = most < 5_000;
process.stdout.write(`five times the documents took ${(large / small).toFixed(2)} times the memory\n`);
process.exit(isFlat && isShort ? 0 : 1);
