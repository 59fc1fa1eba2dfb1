import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLogger } from '../../src/http/log.js';
import { type RunningServer, serve } from '../../src/http/server.js';
import { createBench, exhaustAll, storedRecord } from '../support/fakes/bench.js';
import { goodReceipt } from '../support/fakes/receipt-spec.js';

const bench = createBench();
const folder = mkdtempSync(join(tmpdir(), 'endstop-example-'));
let server: RunningServer;

beforeAll(async () => {
  server = await serve(
    { app: bench.app, tenant: 'acme', inFlight: 4, version: '0.1.0', logger: createLogger('silent') },
    { host: '127.0.0.1', port: 0, key: null, perMinute: 0 },
  );
});
afterAll(async () => {
  await server.close(100);
  rmSync(folder, { recursive: true, force: true });
});

function start(...args: readonly string[]) {
  // The client of these sources; elsewhere it is the built one of the package.
  const command = ['-C', 'endstop-source', '--import', 'tsx', 'examples/extract.ts', ...args];
  const child: ChildProcess = spawn(process.execPath, command, {
    env: { ...process.env, ENDSTOP_URL: server.url },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { out: '', error: '' };
  child.stdout?.on('data', (piece) => {
    said.out += String(piece);
  });
  child.stderr?.on('data', (piece) => {
    said.error += String(piece);
  });
  const ended = new Promise<{ code: number | null; out: string; error: string }>((resolve) => {
    child.once('close', (code) => resolve({ code, ...said }));
  });
  return { child, ended };
}

function document(name: string): string {
  const path = join(folder, name);
  writeFileSync(path, `the document ${name}`);
  return path;
}

describe('examples/extract.ts', () => {
  it('when it is interrupted and run again, then it goes on with the same extraction and prints its record', async () => {
    const path = document('receipt.txt');
    const waits = new Promise<void>((resolve) => {
      bench.engine.result = () => {
        resolve();
        return new Promise(() => undefined);
      };
    });
    const first = start(path, 'receipt');
    await waits;
    const note = `${path}.extraction`;
    const [id = '', ...about] = readFileSync(note, 'utf8').trim().split(' ');
    first.child.kill('SIGINT');
    expect(await first.ended).toEqual({
      ...{ code: 130, out: '' },
      error: `${id} is under way.\nInterrupted; run again to go on.\n`,
    });

    const row = bench.store.rows.find(({ key }) => key === id);
    if (row === undefined) throw new Error('Nothing was submitted.');
    bench.store.recordRows.push(storedRecord(row, 'verified', goodReceipt));
    bench.store.end(id, { outcome: 'verified' });
    expect(await start(path, 'receipt').ended).toEqual({
      ...{ code: 0, error: '' },
      out: `${JSON.stringify(goodReceipt)}\n`,
    });
    // A note that leads nowhere, since it is of another server or was erased there.
    writeFileSync(note, ['0'.repeat(64), ...about].join(' '));
    expect((await start(path, 'receipt').ended).error).toBe(`${id} had ended before.\n`);
    expect(bench.store.rows).toHaveLength(1);
    expect(existsSync(note)).toBe(false);
  });

  it('when it does not verify, then it says why and where it went, whatever was noted for another spec', async () => {
    exhaustAll(bench, 'dead_letter');
    const path = document('other.txt');
    const hash = createHash('sha256').update(readFileSync(path)).digest('hex');
    writeFileSync(`${path}.extraction`, `${bench.store.rows[0]?.key} claim ${hash}\n`);
    const { code, out, error } = await start(path, 'receipt').ended;
    expect({ code, out }).toEqual({ code: 3, out: '' });
    expect(error).toContain('Unverified (no_progress); it went to dead_letter.\n');
    expect(error).toContain('  sum at /total: The lines add up to 4.50.\n');
  });

  it('when the API refuses, then it says what is wrong in a sentence', async () => {
    const { code, error } = await start(document('third.txt'), 'recipe').ended;
    expect(code).toBe(1);
    expect(error).toContain('recipe');
    expect(error).not.toContain('    at ');
  });
});
