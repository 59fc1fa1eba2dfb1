import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { readStack } from '../../src/embedded/stack-file.js';
import { guardChild } from '../support/outliving-guard.js';

export interface Ran {
  readonly code: number | null;
  readonly output: string;
}

/** A stack brought up by `endstop up`, and a folder to follow guides in. */
export interface GuideStack {
  readonly folder: string;
  /** Runs one command of a guide by bash, as a reader would paste it, but with the port that this stack has got. */
  run(command: string): Promise<Ran>;
  stop(): Promise<void>;
}

/**
 * @param files what the guides tell the reader to write, by name.
 * @param specs those of `files`, or paths in the repository, that the stack is started with.
 */
export async function startGuideStack(
  files: ReadonlyMap<string, string>,
  specs: readonly string[],
): Promise<GuideStack> {
  const folder = mkdtempSync(join(tmpdir(), 'endstop-guides-'));
  for (const name of ['samples', 'specs', 'bench', 'docs']) symlinkSync(resolve(name), join(folder, name));
  for (const [name, text] of files) writeFileSync(join(folder, name), `${text}\n`);
  // `npx endstop` as it is in a checkout, without what npx itself costs.
  const npx = join(folder, 'npx');
  const program = resolve('bin/endstop.mjs');
  writeFileSync(
    npx,
    `#!/bin/sh\n[ "$1" = endstop ] && shift || exit 127\nexec "${process.execPath}" "${program}" "$@"\n`,
  );
  chmodSync(npx, 0o755);
  const env = {
    PATH: `${folder}:${process.env['PATH']}`,
    HOME: folder,
    ENDSTOP_HOME: join(folder, '.endstop'),
    ENDSTOP_SPECS: specs.map((path) => join(folder, path)).join(','),
  };
  const up = spawn(process.execPath, [program, 'up'], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  guardChild(up);
  const said = gather(up);
  await new Promise<void>((ready, fail) => {
    up.stdout?.on('data', () => /Ctrl-C stops it/.test(said.text) && ready());
    up.once('exit', () => fail(new Error(`endstop up ended:\n${said.text}`)));
  });
  const apiUrl = readStack(env.ENDSTOP_HOME)?.urls['api'] ?? '';
  const here = (command: string) => command.replaceAll('localhost:4680', new URL(apiUrl).host);
  return {
    folder,
    run: async (command) => {
      const child = spawn('bash', ['-euo', 'pipefail', '-c', here(command)], {
        cwd: folder,
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const heard = gather(child);
      await once(child, 'close');
      return { code: child.exitCode, output: heard.text };
    },
    stop: async () => {
      up.kill('SIGINT');
      if (up.exitCode === null) await once(up, 'exit');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function gather({ stdout, stderr }: ChildProcess): { text: string } {
  const heard = { text: '' };
  for (const stream of [stdout, stderr])
    stream?.on('data', (chunk: Buffer) => {
      heard.text += chunk.toString('utf8');
    });
  return heard;
}
