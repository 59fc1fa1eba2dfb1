import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  type ClosableDocumentReader,
  createDocumentReader,
  type DocumentReaderOptions,
} from '../../../src/adapters/pdf/reader.js';
import { memoryBomb, pdf, textBomb, timeBomb } from './documents.js';

const open: ClosableDocumentReader[] = [];
const reader = (options: DocumentReaderOptions = {}) => {
  const made = createDocumentReader(options);
  open.push(made);
  return made;
};
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

const read = (from: ClosableDocumentReader, bytes: Uint8Array) =>
  from.read({ mediaType: 'application/pdf', bytes });
const unreadable = (fault: string) => ({ kind: 'unreadable', fault });
/** The PDF children of a process, read from /proc: a bare machine has no pgrep. */
const childrenOf = (parent: number) =>
  readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .filter((pid) => {
      try {
        const afterName = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /s, '');
        const isChild = Number(afterName.split(' ')[1]) === parent;
        return isChild && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('pdf-child');
      } catch {
        // It ended while we looked.
        return false;
      }
    })
    .map(Number);
const isRunning = (pid: number) => {
  try {
    process.kill(pid, 0);
    // A process that ended but was not yet collected still takes signals.
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
};
async function gone(pid: number): Promise<boolean> {
  for (let tries = 0; tries < 250 && isRunning(pid); tries += 1) await sleep(20);
  return !isRunning(pid);
}

let small: Uint8Array;
let slow: Uint8Array;
beforeAll(async () => {
  small = await pdf((page) => page.text('Total 12.50'));
  slow = timeBomb(12);
});
const smallRead = { kind: 'readable', pages: 1, text: { pages: ['Total 12.50'] } };

describe('a PDF that takes more than it may', () => {
  it.each([
    ['memory', { memoryBytes: 200 * 1024 * 1024, cpuMs: 60_000 }, () => memoryBomb(4)],
    ['processor time', { cpuMs: 300 }, () => slow],
    ['text', { characters: 50_000 }, () => textBomb(60_000)],
    ['pages', { pages: 2 }, () => pdf((page) => page.addPage().addPage())],
  ])('%s is too large, and the next one is read', async (_what, limits, make) => {
    const limited = reader({ processes: 1, limits });
    expect(await read(limited, await make())).toEqual(unreadable('too_large'));
    expect(await read(limited, small)).toEqual(smallRead);
  });

  it("of the parser's own heap is too large", async () => {
    const limited = reader({ limits: { heapMb: 16 } });
    expect(await read(limited, textBomb(1_500_000))).toEqual(unreadable('too_large'));
  });

  it('time by the clock without end is corrupt', async () => {
    const limited = reader({ limits: { wallMs: 100 } });
    expect(await read(limited, slow)).toEqual(unreadable('corrupt'));
  });

  it('does not hold up the ones behind it', async () => {
    const limited = reader({ processes: 2, limits: { cpuMs: 1_000 } });
    const order: string[] = [];
    const note = (name: string) => (document: unknown) => {
      order.push(name);
      return document;
    };
    const reads = [
      read(limited, slow).then(note('slow')),
      ...Array.from({ length: 5 }, () => read(limited, small).then(note('small'))),
    ];
    const documents = await Promise.all(reads);
    expect(documents.slice(1)).toEqual(Array.from({ length: 5 }, () => smallRead));
    expect(order.at(-1)).toBe('slow');
  });
});

describe.runIf(process.platform === 'linux')('the child process', () => {
  it('is the same one from document to document', async () => {
    const warm = reader({ processes: 1 });
    await read(warm, small);
    const first = childrenOf(process.pid);
    await read(warm, small);
    expect(childrenOf(process.pid)).toEqual(first);
  });

  it('that something else killed is replaced, and the document is read', async () => {
    const shared = reader({ processes: 1 });
    await read(shared, small);
    const [idle] = childrenOf(process.pid);
    process.kill(idle ?? 0, 'SIGKILL');
    expect(await read(shared, small)).toEqual(smallRead);

    const reading = read(reader({ processes: 1, limits: { cpuMs: 500 } }), slow);
    await sleep(150);
    for (const pid of childrenOf(process.pid)) process.kill(pid, 'SIGKILL');
    expect(await reading).toEqual(unreadable('too_large'));
  });

  it('takes no notice of Ctrl-C, which is for its parent to obey', async () => {
    const shared = reader({ processes: 1 });
    await read(shared, small);
    const before = childrenOf(process.pid);
    for (const pid of before) for (const signal of ['SIGINT', 'SIGTERM'] as const) process.kill(pid, signal);
    await sleep(100);
    expect(await read(shared, small)).toEqual(smallRead);
    expect(childrenOf(process.pid)).toEqual(before);
  });

  it("knows none of its parent's secrets", async () => {
    process.env['ENDSTOP_TEST_SECRET'] = 'SECRETMARK';
    await read(reader(), small);
    delete process.env['ENDSTOP_TEST_SECRET'];
    const environments = childrenOf(process.pid).map((pid) => readFileSync(`/proc/${pid}/environ`, 'utf8'));
    expect(environments).toHaveLength(1);
    expect(environments.join()).not.toContain('SECRETMARK');
  });

  it('ends when the reader is closed, and later reads are refused', async () => {
    const closing = reader();
    await read(closing, small);
    const [child] = childrenOf(process.pid);
    const reading = read(closing, slow);
    await closing.close();
    await expect(reading).rejects.toThrow('The document reader is closed.');
    await expect(read(closing, small)).rejects.toThrow('The document reader is closed.');
    expect(await gone(child ?? 0)).toBe(true);
  });

  it('dies with its parent, even while it is busy', async () => {
    const program = `
      import { createDocumentReader } from './src/adapters/pdf/reader.ts';
      const chunks = [];
      for await (const chunk of process.stdin) chunks.push(chunk);
      createDocumentReader().read({ mediaType: 'application/pdf', bytes: new Uint8Array(Buffer.concat(chunks)) });
      setTimeout(() => process.stdout.write('busy'), 300);`;
    const parent = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    parent.stdin.end(slow);
    await new Promise((resolve) => parent.stdout.once('data', resolve));
    const reading = childrenOf(parent.pid ?? 0);
    parent.kill('SIGKILL');
    expect(reading.length).toBeGreaterThan(0);
    for (const pid of reading) expect(await gone(pid)).toBe(true);
  });
});
