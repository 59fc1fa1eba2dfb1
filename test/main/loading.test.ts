import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

/** A hook of the loader writes the address of every module, one a line, behind this word to the error stream. */
const mark = 'loaded ';
const hook = `import { writeSync } from 'node:fs';
export const load = (url, context, next) => { writeSync(2, ${JSON.stringify(mark)} + url + '\\n'); return next(url, context); };`;
const preload = `import { register } from 'node:module';
register(${JSON.stringify(asModule(hook))});`;

function asModule(code: string): string {
  return `data:text/javascript,${encodeURIComponent(code)}`;
}

/** Runs a command line; which packages, and how many of our own modules, were loaded for it. */
async function loadedBy(...argv: readonly string[]) {
  const command = ['--import', asModule(preload), join(root, 'bin/endstop.mjs'), ...argv];
  const env = { ...process.env, DATABASE_URL: 'postgres://nobody:none@127.0.0.1:1/none' };
  const { stdout, stderr } = await promisify(execFile)(process.execPath, command, { env }).catch(
    (failed: { readonly stdout: string; readonly stderr: string }) => failed,
  );
  const urls = stderr.split('\n').flatMap((line) => (line.startsWith(mark) ? [line.slice(mark.length)] : []));
  const packages = urls.flatMap(
    (url) => /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules)/.exec(url)?.[1] ?? [],
  );
  const commands = urls.flatMap((url) => /src\/cli\/commands\/(.+)\.ts/.exec(url)?.[1] ?? []);
  return { stdout, packages: [...new Set(packages)].sort(), commands: [...new Set(commands)].sort() };
}

/** What turns TypeScript into what Node runs, the parser of command lines, and two small ones that commands use. */
const light = ['big.js', 'cli-progress', 'commander', 'esbuild', 'tsx'];

describe('what a command line costs before it does anything', () => {
  it.each(['--version', '-v'])('%s loads no package at all', async (flag) => {
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
    expect(await loadedBy(flag)).toEqual({ stdout: `${version}\n`, packages: [], commands: [] });
  });

  it.each([[['--help']], [['help']], [['show', '--help']]])(
    '%j loads no schemas, and nothing that talks to a database, an engine or a model',
    async (argv) => {
      const { stdout, packages } = await loadedBy(...argv);
      expect(stdout).toContain('show');
      expect(packages.filter((name) => !light.includes(name))).toEqual([]);
    },
  );

  it('a command loads itself and what it uses', async () => {
    const { packages, commands } = await loadedBy('show', '3f9a1c20');
    expect(commands).toEqual(['show']);
    expect(packages).toEqual(expect.arrayContaining(['kysely', 'pg']));
    expect(packages.filter((name) => /temporalio\/[^e]|aws|anthropic|hono|pino|unpdf/.test(name))).toEqual(
      [],
    );
  });
});
