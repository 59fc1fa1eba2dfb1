#!/usr/bin/env node
import { fileURLToPath } from 'node:url';

// The command line is TypeScript, compiled as it is loaded. tsx finds its settings here, wherever it is called from.
const root = new URL('../', import.meta.url);
const tsconfig = fileURLToPath(new URL('tsconfig.node.json', root));

let tsx;
try {
  tsx = await import('tsx/esm/api');
} catch (error) {
  if (error?.code !== 'ERR_MODULE_NOT_FOUND') throw error;
  process.stderr.write(
    `Endstop's packages are not installed: run npm ci in ${fileURLToPath(root)}, or npm start, which does it by itself.\n`,
  );
  process.exit(1);
}
process.env.TSX_TSCONFIG_PATH ??= tsconfig;
tsx.register({ tsconfig });
await import(new URL('src/main/endstop.ts', root).href);
