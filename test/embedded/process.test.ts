import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { stopLeftovers } from '../../src/embedded/leftovers.js';
import { pause } from '../../src/embedded/pause.js';
import {
  adoptProcess,
  type Child,
  type ProcessSpec,
  startProcess,
  stopProcess,
  waitUntilReady,
} from '../../src/embedded/process.js';
import { isAlive, markProcess } from '../../src/embedded/process-identity.js';
import { run, scratchFolder, until } from './scratch.js';

async function started(body: string, change: Partial<ProcessSpec> = {}): Promise<Child> {
  const child = await startProcess(
    {
      name: 'child',
      command: ['/bin/sh', '-c', body],
      env: process.env,
      stopSignal: 'SIGTERM',
      stopGraceMs: 5_000,
      ...change,
    },
    scratchFolder(),
  );
  onTestFinished(() => child.stop());
  return child;
}

const stubborn = 'trap "" TERM; echo ready; while :; do sleep 0.1; done';
const isReady = (child: Child) => () => readFileSync(child.logPath, 'utf8').includes('ready');

describe('a child', () => {
  it('that ends while starting is reported with its end and its last log lines, the oldest left out', async () => {
    const child = await started(
      'for i in $(seq 1 50); do echo "line $i"; done; echo "the reason" >&2; exit 7',
    );
    const failure = await waitUntilReady(child, () => false, 20_000).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      name: 'StackError',
      message: `child ended while starting (exit code 7). Its log is ${child.logPath}.`,
    });
    expect(failure).toHaveProperty('logLines', [...lines(40, 50), 'the reason']);
  });

  it('that never answers is given up', async () => {
    const child = await started('echo here; sleep 60');
    await until('it has written', () => readFileSync(child.logPath, 'utf8') !== '');
    const failure = waitUntilReady(child, () => Promise.reject(new Error('not yet')), 100);
    await expect(failure).rejects.toMatchObject({
      message: /did not answer within 0.1 s/,
      logLines: ['here'],
    });
  });

  it('that was killed says by which signal', async () => {
    const child = await started('kill -9 $$');
    expect(await child.exited).toBe('signal SIGKILL');
  });

  it('whose program is missing or may not be run is refused in one sentence', async () => {
    await expect(started('', { command: ['/nowhere/program'] })).rejects.toThrow(
      'child could not be started from /nowhere/program (ENOENT).',
    );
    await expect(started('', { command: ['/etc/passwd'] })).rejects.toThrow('(EACCES)');
  });

  it('keeps the log of the run before', async () => {
    const folder = scratchFolder();
    for (const word of ['first', 'second']) {
      const child = await startProcess(
        { name: 'x', command: ['echo', word], env: process.env, stopSignal: 'SIGTERM', stopGraceMs: 0 },
        folder,
      );
      await child.exited;
    }
    expect(readFileSync(join(folder, 'x.log'), 'utf8')).toBe('second\n');
    expect(readFileSync(join(folder, 'x.1.log'), 'utf8')).toBe('first\n');
  });

  it('lives in a group of its own, so that Ctrl-C in the terminal reaches its parent only', async () => {
    const child = await started('sleep 60');
    const { stdout } = await run('ps', ['-o', 'pgid=,sid=', '-p', String(child.record.pid)]);
    expect(stdout.trim().split(/\s+/).map(Number)).toEqual([child.record.pid, child.record.pid]);
  });
});

describe('stopping', () => {
  it('lets a child end by itself', async () => {
    const child = await started(
      'trap "echo cleaned up; exit 3" TERM; echo ready; while :; do sleep 0.05; done',
    );
    await waitUntilReady(child, isReady(child), 20_000);
    await child.stop();
    expect(await child.exited).toBe('exit code 3');
    expect(readFileSync(child.logPath, 'utf8')).toContain('cleaned up');
  });

  it('kills one that does not, with all it has started, when its time is up', async () => {
    const child = await started(`sleep 61 & echo "sleeper $!"; ${stubborn}`, { stopGraceMs: 200 });
    await waitUntilReady(child, isReady(child), 20_000);
    const sleeper = Number(/sleeper (\d+)/.exec(readFileSync(child.logPath, 'utf8'))?.[1]);
    const mark = markProcess(sleeper);
    if (mark === undefined) throw new Error('the sleeper is not there');
    await child.stop();
    expect(await child.exited).toBe('signal SIGKILL');
    await until('the sleeper is gone', () => !isAlive(mark));
  });

  it('never touches a stranger who got the pid later', async () => {
    const stranger = spawn('sleep', ['60']);
    onTestFinished(() => void stranger.kill());
    const mark = markProcess(stranger.pid ?? 0);
    if (mark === undefined) throw new Error('the stranger is not there');
    const identity = mark.identity.replace(/\d$/, (digit) => String((Number(digit) + 1) % 10));
    await stopProcess({ ...mark, identity, name: 'postgres', stopSignal: 'SIGTERM', stopGraceMs: 0 });
    await pause(200);
    expect(isAlive(mark)).toBe(true);
    await stopProcess({ ...mark, name: 'postgres', stopSignal: 'SIGTERM', stopGraceMs: 5_000 });
    expect(isAlive(mark)).toBe(false);
  });

  it('goes from the last started to the first, each gone before the next is asked', async () => {
    const order = join(scratchFolder(), 'order');
    const body = (name: string) =>
      `trap 'sleep 0.1; echo ${name} >> ${order}; exit 0' TERM; echo ready; while :; do sleep 0.05; done`;
    const children = [
      await started(body('first')),
      await started(body('second')),
      await started(body('third')),
    ];
    for (const child of children) await waitUntilReady(child, isReady(child), 20_000);
    await stopLeftovers(children.map((child) => child.record));
    expect(readFileSync(order, 'utf8')).toBe('third\nsecond\nfirst\n');
  });

  it('works on a process that somebody else started, and its end is noticed', async () => {
    const other = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' });
    const mark = markProcess(other.pid ?? 0);
    if (mark === undefined) throw new Error('the process is not there');
    const record = { ...mark, name: 'adopted', stopSignal: 'SIGTERM', stopGraceMs: 5_000 } as const;
    const child = adoptProcess(record, '/nowhere/adopted.log');
    await child.stop();
    expect(await child.exited).toContain('unknown end');
  });
});

it('does not take a zombie for a process that lives', async () => {
  // A shell that has become a program which never waits for children; then its child ends.
  const parent = spawn('/bin/sh', ['-c', 'cat <&3 & echo $!; exec sleep 60'], {
    stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
  });
  onTestFinished(() => void parent.kill('SIGKILL'));
  const pid = await new Promise<number>((resolve) =>
    parent.stdout?.once('data', (text: Buffer) => resolve(Number(text))),
  );
  const commandOf = async (process: number | undefined) =>
    (await run('ps', ['-o', 'comm=', '-p', String(process)])).stdout.trim();
  await until('the shell is gone', async () => (await commandOf(parent.pid)) === 'sleep');
  (parent.stdio[3] as Writable).end();
  await until('it is a zombie', async () =>
    (await run('ps', ['-o', 'stat=', '-p', String(pid)])).stdout.startsWith('Z'),
  );
  expect(existsSync(`/proc/${pid}`)).toBe(true);
  expect(markProcess(pid)).toBeUndefined();
});

function lines(from: number, to: number): string[] {
  return Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}`);
}
