import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished } from 'vitest';
import { nodeCommand } from '../../src/embedded/node-command.js';
import { defaultPorts } from '../../src/embedded/ports.js';
import { isAlive, type ProcessMark } from '../../src/embedded/process-identity.js';
import { readStack, readStackFile } from '../../src/embedded/stack-file.js';
import { databaseTemplate } from './database-template.js';
import { gone, run, scratchHome, until } from './scratch.js';

interface Told {
  readonly message?: string;
  readonly up?: { attached: boolean; urls: Record<string, string>; databaseUrl: string };
  readonly crash?: { name: string; how: string; logLines: string[] };
  readonly failed?: string;
  readonly logLines?: string[];
  readonly stopped?: boolean;
}

interface Supervisor {
  readonly process: ChildProcess;
  readonly told: Told[];
  /** Waits until something of this kind was told, or the process ended. */
  hears<K extends keyof Told>(kind: K): Promise<NonNullable<Told[K]>>;
  end(signal: NodeJS.Signals): Promise<void>;
}

const copyDatabase = databaseTemplate();

/** The processes of each stack as they were when its test was over. */
const seen = new Map<string, ProcessMark[]>();

/** A state folder; once the test is over and its supervisors were told to end, nothing of its stack may be left. */
async function stackHome(database: 'made' | 'none' = 'made'): Promise<string> {
  const home = scratchHome();
  if (database === 'made') await copyDatabase(home, '/var/lib/endstop');
  seen.set(home, []);
  onTestFinished(() => until('nothing of the stack is left', () => gone(seen.get(home) ?? []), 40_000));
  return home;
}

/** Runs `supervisor.ts` on a state folder. */
function supervise(home: string, fault = '', env: NodeJS.ProcessEnv = {}): Supervisor {
  const [file = '', ...args] = nodeCommand(new URL('./supervisor.ts', import.meta.url), home, fault);
  const child = spawn(file, args, {
    env: { ...process.env, DATABASE_URL: '', TEMPORAL_ADDRESS: '', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const told: Told[] = [];
  let ended = false;
  child.once('exit', () => {
    ended = true;
  });
  createInterface(child.stdout).on('line', (line) => told.push(JSON.parse(line) as Told));
  const end = async (signal: NodeJS.Signals) => {
    if (ended) return;
    child.kill(signal);
    await once(child, 'exit');
  };
  onTestFinished(async () => {
    seen.get(home)?.push(...marksOf(home));
    await end('SIGTERM');
  });
  return {
    process: child,
    told,
    end,
    hears: async (kind) => {
      await until(`${kind} was told`, () => ended || told.some((event) => kind in event), 60_000);
      const event = told.find((candidate) => kind in candidate);
      if (event?.[kind] === undefined) throw new Error(`it ended after ${JSON.stringify(told)}`);
      return event[kind];
    },
  };
}

/** Every process of the stack, the guard included. */
function marksOf(home: string): ProcessMark[] {
  const stack = readStackFile(home);
  return stack === undefined ? [] : [...stack.processes, ...(stack.guard === undefined ? [] : [stack.guard])];
}

function markOf(home: string, name: string): ProcessMark {
  const found = readStackFile(home)?.processes.find((record) => record.name === name);
  if (found === undefined) throw new Error(`${name} is not recorded`);
  return found;
}

const portOf = (url: string) => Number(new URL(url).port);

describe('a stack', () => {
  it('comes up, is found by others, is attached to by a second start, and goes without a trace', async () => {
    const home = await stackHome('none');
    const first = supervise(home);
    const up = await first.hears('up');
    expect(up.attached).toBe(false);
    expect(readStack(home)).toMatchObject({
      databaseUrl: up.databaseUrl,
      namespace: 'endstop-test',
      urls: up.urls,
    });
    expect(Object.keys(up.urls).sort()).toEqual(['api', 'standin', 'temporalUi']);
    expect((await fetch(up.urls['temporalUi'] ?? '')).status).toBe(200);
    expect(statSync(join(home, 'stack.json')).mode & 0o077).toBe(0);
    expect(readFileSync(join(home, '.gitignore'), 'utf8')).toBe('*\n');

    const second = supervise(home, '', { MODEL: 'another' });
    expect(await second.hears('up')).toEqual({ ...up, attached: true, differing: ['MODEL'] });
    await second.hears('stopped');

    const everything = marksOf(home);
    expect(everything).toHaveLength(6);
    expect(everything.every(isAlive)).toBe(true);
    await first.end('SIGINT');
    expect(first.told.at(-1)).toEqual({ stopped: true });
    expect(first.process.exitCode).toBe(0);
    await until('the guard has gone too', () => gone(everything));
    expect(readStack(home)).toBeUndefined();
    expect(statSync(join(home, 'stack.lock'), { throwIfNoEntry: false })).toBeUndefined();
  });

  it('is stopped by its guard when its supervisor is killed, and starts again at once', async () => {
    const home = await stackHome();
    const first = supervise(home);
    await first.hears('up');
    const everything = marksOf(home);
    await first.end('SIGKILL');
    const second = supervise(home);
    await second.hears('up');
    expect(gone(everything)).toBe(true);
  });

  it('is repaired by the next start when the guard was killed too, and Postgres is taken over', async () => {
    const home = await stackHome();
    const first = supervise(home);
    await first.hears('up');
    const everything = marksOf(home);
    const postgres = markOf(home, 'postgres');
    const guard = readStackFile(home)?.guard;
    process.kill(guard?.pid ?? 0, 'SIGKILL');
    await first.end('SIGKILL');
    expect(everything.filter(isAlive)).toHaveLength(5);
    expect(readStack(home)).toBeUndefined();

    const second = supervise(home);
    await second.hears('up');
    expect(everything.filter(isAlive)).toEqual([postgres]);
    expect(markOf(home, 'postgres')).toEqual(postgres);
    // The one taken over is watched like a child, and does not survive its new supervisor.
    process.kill(postgres.pid, 'SIGKILL');
    expect(await second.hears('crash')).toMatchObject({ name: 'postgres' });
  });

  it('is started once when two starts come at the same time', async () => {
    const home = await stackHome();
    const both = [supervise(home), supervise(home)];
    const ups = await Promise.all(both.map((one) => one.hears('up')));
    expect(ups.map(({ attached }) => attached).sort()).toEqual([false, true]);
    expect(ups[0]?.databaseUrl).toBe(ups[1]?.databaseUrl);
  });

  it('reports a child that crashes with its last log lines, and refuses to be attached to then', async () => {
    const home = await stackHome();
    const first = supervise(home);
    await first.hears('up');
    process.kill(markOf(home, 'worker').pid, 'SIGKILL');
    expect(await first.hears('crash')).toMatchObject({
      name: 'worker',
      how: 'signal SIGKILL',
      logLines: ['up'],
    });
    const second = supervise(home);
    expect(await second.hears('failed')).toMatch(
      /is run by process \d+, but its worker ended: stop that process/,
    );
  });

  it('takes free ports when its own are taken, and two stacks run side by side', async () => {
    const blocker = createServer();
    blocker.listen(defaultPorts.api, '127.0.0.1');
    blocker.on('error', () => undefined);
    onTestFinished(() => void blocker.close());
    const both = [supervise(await stackHome()), supervise(await stackHome())] as const;
    const ups = await Promise.all(both.map((one) => one.hears('up')));
    const ports = ups.flatMap(({ urls, databaseUrl }) => [...Object.values(urls), databaseUrl].map(portOf));
    expect(new Set(ports).size).toBe(8);
    expect(ports).not.toContain(defaultPorts.api);
    const [begins, moved] = both[0].told.flatMap(({ message }) => message ?? []);
    expect(begins).toMatch(/^starting Postgres and Temporal; state is kept in \//);
    expect(moved).toMatch(
      /^(taken on this machine: port 4680|another Endstop stack runs on this machine), so the API gets \d+/,
    );
  });
});

describe('a start that fails', () => {
  it('reports the child that ended, with its log, and leaves nothing running', async () => {
    const home = await stackHome();
    const failed = supervise(home, 'worker');
    expect(await failed.hears('failed')).toMatch(/^worker ended while .*\(exit code 9\)/);
    expect(failed.told.at(-1)?.logLines).toEqual(['no spec']);
    expect(readStackFile(home)).toBeUndefined();
    await until('nothing names the folder any more', async () => {
      const { stdout } = await run('ps', ['-axo', 'args']);
      return !stdout.includes(home);
    });
  });

  it('passes on what a step of the caller said', async () => {
    const failed = supervise(await stackHome(), 'migrate');
    expect(await failed.hears('failed')).toBe('the migration failed');
  });

  it('ends in order when it is interrupted in the middle', async () => {
    const home = await stackHome();
    const hanging = supervise(home, 'hang');
    await until('Temporal answers', () =>
      hanging.told.some(({ message }) => message?.startsWith('Temporal') === true),
    );
    await hanging.end('SIGTERM');
    expect(hanging.told.at(-1)?.failed).toBe('The start was stopped.');
    expect(readStackFile(home)).toBeUndefined();
  });

  it('says in one sentence that a server of the environment does not answer', async () => {
    const temporal = supervise(await stackHome(), '', { TEMPORAL_ADDRESS: '127.0.0.1:9' });
    const database = supervise(await stackHome(), '', { DATABASE_URL: 'postgresql://u:p@127.0.0.1:9/x' });
    expect(await temporal.hears('failed')).toMatch(
      /^No Temporal server answers at 127\.0\.0\.1:9 \(TEMPORAL_ADDRESS\)/,
    );
    expect(await database.hears('failed')).toMatch(
      /^The Postgres at 127\.0\.0\.1:9\/x \(DATABASE_URL\) cannot be used/,
    );
    const malformed = supervise(await stackHome(), '', { TEMPORAL_ADDRESS: 'http://here' });
    expect(await malformed.hears('failed')).toContain('not of the form host:port');
  });
});
