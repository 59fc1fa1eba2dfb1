#!/usr/bin/env node
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

// Builds what other projects import from this package, dist/package: JavaScript with declarations. `npm run build` and
// `npm pack` do; so does npm itself (`prepare`) when a project installs this folder.

const root = fileURLToPath(new URL('../', import.meta.url));
const isPrepare = process.argv.includes('--prepare');
/** `npm pack` has built before it prepares. */
const isNeedless = ['pack', 'publish'].includes(process.env.npm_command);

if (!isPrepare || !isNeedless) build();

function build() {
  let compiler;
  try {
    compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  } catch {
    // An install without development packages is one that runs the program, from its sources.
    if (isPrepare) return;
    process.stderr.write(`TypeScript is not installed: run npm ci in ${root}.\n`);
    process.exitCode = 1;
    return;
  }
  rmSync(`${root}dist/package`, { recursive: true, force: true });
  const { status } = spawnSync(process.execPath, [compiler, '-p', `${root}tsconfig.package.json`], {
    stdio: ['ignore', process.stderr, process.stderr],
  });
  process.exitCode = status ?? 1;
}
