import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { startProgress, startReading } from '../../src/cli/progress.js';
import type { Terminal } from '../../src/cli/terminal.js';
import { EngineUnavailable } from '../../src/ports/engine.js';
import { StoreUnavailable } from '../../src/ports/store.js';
import { type CommandLine, createCommandLine } from './command-line.js';

/** A command line whose engine answers for no run until the process is told to end, and with what code it would. */
function waitingLine() {
  const line = createCommandLine();
  const ends: unknown[] = [];
  let release: () => void = () => undefined;
  const gone = new Promise<void>((resolve) => {
    release = resolve;
  });
  const exit = vi.spyOn(process, 'exit').mockImplementation(((code: unknown) => {
    ends.push(code);
    release();
  }) as never);
  onTestFinished(() => exit.mockRestore());
  const left = async () => {
    setImmediate(() => process.emit('SIGINT', 'SIGINT'));
    await gone;
  };
  line.engine.result = async () => {
    await left();
    throw new EngineUnavailable('No Temporal server answers.');
  };
  return { line, ends, left };
}

const listeners = () => process.listenerCount('SIGINT');

async function hastily(line: CommandLine, ...argv: string[]) {
  const before = listeners();
  const ran = await line.run(...argv);
  expect(listeners()).toBe(before);
  return ran;
}

describe('given a command that is left before its work has ended', () => {
  it('when it was an extraction, then it is said to go on, and to be kept when the engine is gone', async () => {
    const { line, ends } = waitingLine();
    const { error } = await hastily(line, 'extract', line.file('a.txt', 'receipt'), '--spec', 'receipt');
    const [id = ''] = line.store.rows.map(({ key }) => key.slice(0, 12));
    expect(ends).toEqual([130]);
    expect(error).toBe(
      `\nIt goes on without this command: endstop show ${id}\n` +
        `No Temporal server answers. It is kept and goes on at the next start: endstop show ${id}\n`,
    );
  });

  it('when they were several, then the list is named', async () => {
    const { line } = waitingLine();
    const files = ['a', 'b'].map((name) => line.file(`${name}.txt`, name));
    const { error } = await hastily(line, 'extract', ...files, '--spec', 'receipt');
    expect(error).toContain('What was handed in goes on without this command: endstop list\n');
  });

  it('when it was a batch, then it is said how to follow and to end it, and to be kept when the store is gone', async () => {
    const { line, left } = waitingLine();
    mkdirSync(join(line.folder, 'scans'));
    line.file('scans/a.txt', 'receipt');
    line.store.batches.endedAfter = async () => {
      await left();
      throw new StoreUnavailable('The database does not answer.');
    };
    const { error } = await hastily(line, 'batch', join(line.folder, 'scans'), '--spec', 'receipt');
    const id = /^Batch (\S+): 1 documents/.exec(error)?.[1];
    expect(error).toContain(
      `\nThe batch goes on without this command: endstop batch show ${id}, or endstop batch cancel ${id}\n` +
        `The database does not answer. The batch is kept and goes on at the next start: endstop batch show ${id}\n`,
    );
  });

  it('when nothing was begun, then nothing is said of it', async () => {
    const { line } = waitingLine();
    line.engine.down = true;
    const { error } = await hastily(line, 'extract', line.file('a.txt', 'receipt'), '--spec', 'receipt');
    expect(error).toBe('No Temporal server answers at localhost:7233.\n');
  });
});

/** What is written to a screen from now on. */
function screen(): string[] {
  const shown: string[] = [];
  const isTTY = Object.getOwnPropertyDescriptor(process.stderr, 'isTTY');
  Object.defineProperty(process.stderr, 'isTTY', { value: true, configurable: true });
  const write = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    shown.push(String(text));
    return true;
  });
  onTestFinished(() => {
    write.mockRestore();
    if (isTTY !== undefined) Object.defineProperty(process.stderr, 'isTTY', isTTY);
    else Reflect.deleteProperty(process.stderr, 'isTTY');
  });
  return shown;
}

it('a bar that is shown when the command is left does not keep the cursor hidden', async () => {
  const shown = screen();
  const progress = startProgress({ showsProgress: true } as Terminal, 2, 'documents');
  expect(shown.join('')).toContain('\u001b[?25l');
  process.listeners('SIGINT').at(-1)?.('SIGINT');
  expect(shown.join('')).toContain('\u001b[?25h');
  progress.stop();
});

it('a bar of what only reads leaves Ctrl-C and the screen alone, so that it can be left at any moment', () => {
  const shown = screen();
  const listening = process.listenerCount('SIGINT');
  const reading = startReading({ showsProgress: true } as Terminal, 'runs');
  reading.tell(500, 2_000);
  expect(process.listenerCount('SIGINT')).toBe(listening);
  expect(shown.join('')).toContain('500/2000 runs');
  // Neither the cursor nor the wrapping of lines is switched off.
  for (const off of ['\u001b[?25l', '\u001b[?7l']) expect(shown.join('')).not.toContain(off);
  reading.stop();
  const quiet = startReading({ showsProgress: false } as Terminal, 'runs');
  quiet.tell(1, null);
  quiet.stop();
});
