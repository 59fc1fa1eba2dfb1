import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';

const entry = fileURLToPath(new URL('../../src/standin/main.ts', import.meta.url));
const running: ChildProcess[] = [];
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
});

function start(args: readonly string[], env: Record<string, string> = {}): ChildProcess {
  const child = spawn(process.execPath, ['--import', 'tsx', entry, ...args], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.push(child);
  return child;
}

async function outputOf(child: ChildProcess): Promise<{ code: number | null; out: string; err: string }> {
  let out = '';
  let err = '';
  child.stdout?.on('data', (chunk) => {
    out += String(chunk);
  });
  child.stderr?.on('data', (chunk) => {
    err += String(chunk);
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out, err };
}

describe('as a process', () => {
  test('it prints its address once ready, takes settings from flags and environment, and ends on SIGTERM', async () => {
    const child = start(['--rate-529', '0.25'], { STANDIN_LATENCY_MS: '3', STANDIN_RATE_529: '1' });
    const [line] = (await once(child.stdout ?? child, 'data')) as [Buffer];
    const { url } = JSON.parse(String(line)) as { url: string };
    const behaviour = await (await fetch(`${url}/standin/behaviour`)).json();
    expect(behaviour).toMatchObject({ rate529: 0.25, latencyMs: 3 });
    child.kill('SIGTERM');
    expect(await once(child, 'close')).toEqual([0, null]);
  });

  test.each([
    [['--port', 'abc'], 'port must be'],
    [['--rate-429', '7'], 'between 0 and 1'],
    [['--no-such-flag', '1'], "Unknown option '--no-such-flag'"],
  ])('%j ends with one sentence and code 2', async (args, sentence) => {
    const { code, out, err } = await outputOf(start(args));
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(sentence);
    expect(err).not.toContain('    at ');
  });

  test('it explains every setting', async () => {
    const { code, out } = await outputOf(start(['--help']));
    expect(code).toBe(0);
    for (const flag of ['--port', '--seed', '--rate-429', '--stalled-body', '--dropped-rows'])
      expect(out).toContain(flag);
  });
});
