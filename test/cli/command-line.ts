import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { submitExtraction } from '../../src/application/submit-extraction.js';
import type { CliContext } from '../../src/cli/context.js';
import { createProgram, type ProgramOptions } from '../../src/cli/program.js';
import { runProgram } from '../../src/cli/run.js';
import { readConfig } from '../../src/config.js';
import { type Bench, createBench, textSubmission } from '../support/fakes/bench.js';
import { ui } from '../support/fakes/scripted-engine.js';

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

export interface CommandLine extends Bench {
  /** Runs one command line in a context of its own, over the same store and engine. */
  run(...argv: readonly string[]): Promise<Ran>;
  /** Writes a file into a folder of this command line and answers with its path. */
  file(name: string, content: string | Uint8Array): string;
  readonly folder: string;
  /** What the context of the next runs does differently. */
  changes: Partial<CliContext>;
  /** What the terminal of the next runs is. */
  terminal: Pick<CliContext['terminal'], 'program' | 'columns'>;
  /** What was opened and not closed again. */
  readonly open: { store: number; engine: number };
}

/** A command line of the test that asks for it, over fakes. Its folder goes when that test is over. */
export function createCommandLine(options: Partial<ProgramOptions> = {}): CommandLine {
  const bench = createBench();
  const folder = mkdtempSync(join(tmpdir(), 'endstop-cli-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const open = { store: 0, engine: 0 };
  const commandLine: CommandLine = {
    ...bench,
    folder,
    open,
    changes: {},
    terminal: {},
    file: (name, content) => {
      const path = join(folder, name);
      writeFileSync(path, content);
      return path;
    },
    run: async (...argv) => {
      const written = { out: '', error: '' };
      const context: CliContext = {
        terminal: {
          out: (text) => {
            written.out += text;
          },
          error: (text) => {
            written.error += text;
          },
          drained: async () => undefined,
          isColoured: false,
          showsProgress: false,
          ...commandLine.terminal,
        },
        exitCode: 0,
        config: () =>
          readConfig(
            { ENDSTOP_TENANT: 'acme', ENDSTOP_STANDIN_URL: 'http://127.0.0.1:1' },
            undefined,
            folder,
          ),
        openStore: async () => {
          open.store += 1;
          return {
            ...bench.store,
            close: async () => {
              open.store -= 1;
            },
          };
        },
        openEngine: async () => {
          open.engine += 1;
          return {
            ...bench.engine,
            close: async () => {
              open.engine -= 1;
            },
          };
        },
        catalogue: async () => bench.app.catalogue,
        strangeSpecs: () => null,
        reader: () => bench.app.reader,
        engineUrl: (workflowId) => `${ui}/${encodeURIComponent(workflowId)}`,
        now: () => bench.app.now(),
        ...commandLine.changes,
      };
      const program = await createProgram(context, { version: '0.1.0', checks: [], ...options }, argv[0]);
      const code = await runProgram(program, context, argv);
      return { code, ...written };
    },
  };
  return commandLine;
}

/** Every JSON line that a command printed. */
export function jsonLines(ran: Ran): Record<string, unknown>[] {
  return ran.out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** A command line over one extraction, and that extraction's id. */
export async function withOne(
  prepare: (line: CommandLine) => void = () => undefined,
): Promise<{ line: CommandLine; id: string; subject: string }> {
  const line = createCommandLine();
  prepare(line);
  const { extraction } = await submitExtraction(line.app, textSubmission('a', { tags: ['march'] }));
  return { line, id: extraction.key, subject: extraction.subject };
}

/** The cells of a printed table, titles first. */
export function rowsOf(out: string): string[][] {
  return out
    .trimEnd()
    .split('\n')
    .map((row) => row.trim().split(/ {2,}/));
}
