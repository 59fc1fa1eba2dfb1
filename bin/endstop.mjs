#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import Module from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { nodeComplaint } from './install.mjs';

// The command line is TypeScript, compiled as it is loaded. tsx finds its settings here, wherever it is called from.
const root = new URL('../', import.meta.url);
const tsconfig = fileURLToPath(new URL('tsconfig.node.json', root));

const complaint = nodeComplaint();
if (complaint !== undefined) fail(complaint);
if (['-v', '--version'].includes(process.argv[2])) {
  // Asked by scripts and editors again and again: answered before anything is loaded.
  const { version } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
  process.stdout.write(`${version}\n`);
} else {
  await run();
}

async function run() {
  try {
    const modules = await import('tsx/esm/api');
    const commonJs = await import('tsx/cjs/api');
    process.env.TSX_TSCONFIG_PATH ??= tsconfig;
    // A spec file in a folder whose package.json does not say "module" is CommonJS to Node.
    commonJs.register();
    modules.register({ tsconfig });
    nameAuthoringApi(fileURLToPath(new URL('src/spec/index.ts', root)));
    await import(new URL('src/main/endstop.ts', root).href);
  } catch (error) {
    if (error?.code !== 'ERR_MODULE_NOT_FOUND' || !error.message.startsWith('Cannot find package'))
      throw error;
    fail(
      `Endstop's packages are not all installed: run npm ci in ${fileURLToPath(root)}, or npm start, which does it by itself.`,
    );
  }
}

/** A spec file anywhere on this machine writes `from 'endstop'` and means this program, whether or not it is installed there. */
function nameAuthoringApi(path) {
  const hook = `export const resolve = (name, context, next) =>
    next(name === 'endstop' ? ${JSON.stringify(pathToFileURL(path).href)} : name, context);`;
  Module.register(`data:text/javascript,${encodeURIComponent(hook)}`);
  const resolveFilename = Module._resolveFilename;
  Module._resolveFilename = (name, ...rest) => (name === 'endstop' ? path : resolveFilename(name, ...rest));
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
