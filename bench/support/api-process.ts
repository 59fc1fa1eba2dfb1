import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { guardChild } from '../../test/support/outliving-guard.js';

/** `endstop api` as a deployment runs it, whose memory can be asked for. */
export interface ApiProcess {
  readonly url: string;
  /** After everything that nobody holds has been collected. */
  memory(): Promise<NodeJS.MemoryUsage>;
  stop(): Promise<void>;
}

const [program, probe] = ['../../bin/endstop.mjs', './memory-probe.mjs'].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
) as [string, string];

export async function startApi(env: Readonly<Record<string, string>>): Promise<ApiProcess> {
  const home = mkdtempSync(join(tmpdir(), 'endstop-bench-'));
  const child = spawn(process.execPath, ['--expose-gc', '--import', probe, program, 'api'], {
    cwd: home,
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
    env: { PATH: process.env['PATH'], HOME: home, ENDSTOP_HOME: home, ENDSTOP_API_PORT: '0', ...env },
  });
  guardChild(child);
  const url = await new Promise<string>((resolve, reject) => {
    let said = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      said += chunk.toString('utf8');
      const ready = /API ready at (\S+)/.exec(said)?.[1];
      if (ready !== undefined) resolve(ready);
    });
    child.once('exit', (code) =>
      reject(new Error(`endstop api ended (${code}) before it was ready: ${said}`)),
    );
  });
  return {
    url,
    memory: async () => {
      const answer = once(child, 'message') as Promise<[NodeJS.MemoryUsage]>;
      child.send('memory');
      return (await answer)[0];
    },
    stop: async () => {
      const exit = once(child, 'exit');
      child.kill('SIGTERM');
      await exit;
      rmSync(home, { recursive: true, force: true });
    },
  };
}
