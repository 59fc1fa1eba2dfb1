import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, type WorkflowBundleWithSourceMap } from '@temporalio/worker';
import { dataConverter } from './data-converter.js';
import { moduleFile } from './module-file.js';
import { logger } from './runtime.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Where `npm run bundle` leaves the bundle, and beside it what it was made of. */
const releaseFolder = join(root, 'dist');
const beside = fileURLToPath(new URL('./workflows.bundle.js', import.meta.url));
const filesIn = (folder: string) => ({
  code: join(folder, 'workflows.bundle.js'),
  of: join(folder, 'workflows.bundle.sha256'),
});

/** All that may be in a bundle: the walls let workflows import nothing else. */
const sources = ['workflows', 'src/domain', 'src/adapters/temporal/failure-converter.ts'];

/** Bundles the workflows with the converter they run under. */
export async function bundleWorkflows(): Promise<WorkflowBundleWithSourceMap> {
  return await bundleWorkflowCode({
    logger,
    workflowsPath: moduleFile('../../../workflows/index'),
    workflowInterceptorModules: [moduleFile('../../../workflows/interceptors')],
    ...(dataConverter.failureConverterPath === undefined
      ? {}
      : { failureConverterPath: dataConverter.failureConverterPath }),
  });
}

/** The bundle that was built before, when it was built from this very code by this SDK; else a new one, in a few seconds. */
export async function workflowBundle(
  folder = releaseFolder,
): Promise<{ readonly codePath: string } | WorkflowBundleWithSourceMap> {
  // Beside a module that was built together with it there are no sources that could differ.
  if (existsSync(beside)) return { codePath: beside };
  const { code, of } = filesIn(folder);
  return (await isCurrent(of)) ? { codePath: code } : await bundleWorkflows();
}

/** Leaves a bundle for `workflowBundle` to find; its size in bytes. */
export async function prebuildWorkflows(folder = releaseFolder): Promise<number> {
  const { code, of } = filesIn(folder);
  const [bundle, madeOf] = await Promise.all([bundleWorkflows(), fingerprint()]);
  await mkdir(folder, { recursive: true });
  // Under its own name only when it is whole, and its fingerprint last: a half-written one counts as none.
  await writeFile(`${code}.${process.pid}`, bundle.code);
  await rename(`${code}.${process.pid}`, code);
  await writeFile(of, `${madeOf}\n`);
  return bundle.code.length;
}

async function isCurrent(of: string): Promise<boolean> {
  const madeOf = await readFile(of, 'utf8').catch(() => null);
  return madeOf !== null && madeOf.trim() === (await fingerprint());
}

/** SHA-256 over the SDK's version and over every file that a bundle could hold, with its path. */
async function fingerprint(): Promise<string> {
  const { version } = createRequire(import.meta.url)('@temporalio/worker/package.json') as {
    version: string;
  };
  const hash = createHash('sha256').update(version);
  for (const source of sources) {
    const found = source.endsWith('.ts') ? [''] : await readdir(join(root, source), { recursive: true });
    for (const name of found.filter((file) => file === '' || file.endsWith('.ts')).sort()) {
      hash.update(`\n${source}/${name}\n`).update(await readFile(join(root, source, name)));
    }
  }
  return hash.digest('hex');
}
