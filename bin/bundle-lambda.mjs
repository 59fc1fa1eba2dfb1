#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { register } from 'tsx/esm/api';
import { build } from 'vite';

// What `npm run bundle:lambda` runs: both handlers with everything they need but node_modules, in dist/lambda. Specs are
// code, so those of ENDSTOP_SPECS are built in: a function has no file of yours.

const root = fileURLToPath(new URL('../', import.meta.url));
const target = process.argv[2] ?? `${root}dist/lambda`;
const { version, dependencies } = JSON.parse(await readFile(`${root}package.json`, 'utf8'));
// Read from the working folder, as workers do.
const specFiles = (process.env.ENDSTOP_SPECS ?? '')
  .split(',')
  .filter((path) => path.trim() !== '')
  .map((path) => resolve(path.trim()));
delete process.env.ENDSTOP_SPECS;
const missing = specFiles.find((path) => !existsSync(path));
if (missing !== undefined) {
  process.stderr.write(`ENDSTOP_SPECS names ${missing}, and there is no such file.\n`);
  process.exit(2);
}

/** Native code, or found by path at run time. */
const external = ['@temporalio', '@swc', 'webpack', 'unpdf', 'tsx'];
const isExternal = (id) => external.some((name) => id === name || id.startsWith(`${name}/`));

await rm(target, { recursive: true, force: true });
await mkdir(target, { recursive: true });
await build({
  root,
  configFile: false,
  logLevel: 'warn',
  plugins: specFiles.length === 0 ? [] : [builtInSpecs(specFiles)],
  resolve: { alias: [{ find: /^endstop$/, replacement: `${root}src/spec/index.ts` }] },
  ssr: { noExternal: true },
  build: {
    ssr: true,
    target: 'node20',
    outDir: target,
    emptyOutDir: false,
    minify: false,
    sourcemap: false,
    rolldownOptions: {
      input: {
        worker: `${root}src/main/lambda.ts`,
        api: `${root}src/main/lambda-api.ts`,
        'failure-converter': `${root}src/adapters/temporal/failure-converter.ts`,
      },
      external: isExternal,
      // All in one folder: what is found beside a module is beside all of them.
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js', format: 'es' },
    },
  },
});

register({ tsconfig: `${root}tsconfig.node.json` });
const { prebuildWorkflows } = await import(`${root}src/adapters/temporal/workflow-bundle.ts`);
await prebuildWorkflows(target);
for (const child of ['pdf-child.mjs', 'page-text.mjs'])
  await cp(`${root}src/adapters/pdf/${child}`, `${target}/${child}`);
const needed = Object.entries(dependencies).filter(([name]) => isExternal(name) && name !== 'tsx');
const manifest = {
  name: 'endstop-lambda',
  version,
  private: true,
  type: 'module',
  dependencies: Object.fromEntries(needed),
};
await writeFile(`${target}/package.json`, `${JSON.stringify(manifest, null, 2)}\n`);
process.stdout.write(`The handlers worker.handler and api.handler of Endstop ${version} are in ${target}.\n`);

/** In the place of the example specs. */
function builtInSpecs(files) {
  return {
    name: 'built-in-specs',
    enforce: 'pre',
    transform(_code, id) {
      if (id !== `${root}specs/index.ts`) return null;
      const imports = files.map((file, place) => `import * as file${place} from ${JSON.stringify(file)};`);
      const all = files.map((_file, place) => `file${place}.default`).join(', ');
      return `${imports.join('\n')}\nexport default [${all}].flat();\n`;
    },
  };
}
