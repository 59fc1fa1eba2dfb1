import { type ExecFileException, execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLogger } from '../../src/http/log.js';
import { type RunningServer, serve } from '../../src/http/server.js';
import { createBench, storedRecord } from '../support/fakes/bench.js';
import { goodReceipt } from '../support/fakes/receipt-spec.js';

// Another project, in which the packed program is installed: unpacked, with its dependencies linked instead of fetched.

const root = resolve(import.meta.dirname, '../..');
const project = mkdtempSync(join(tmpdir(), 'endstop-project-'));
const packages = join(project, 'node_modules');
const program = join(packages, '.bin', 'endstop');
const bench = createBench();
let server: RunningServer;

beforeAll(async () => {
  execFileSync(process.execPath, ['bin/build.mjs'], { cwd: root });
  const packed = ['pack', '--ignore-scripts', '--silent', '--pack-destination', project];
  const name = execFileSync('npm', packed, { cwd: root, encoding: 'utf8' }).trim();
  execFileSync('tar', ['xzf', name], { cwd: project });
  mkdirSync(join(packages, '.bin'), { recursive: true });
  execFileSync('mv', ['package', join(packages, 'endstop')], { cwd: project });
  for (const one of readdirSync(join(root, 'node_modules')).filter((each) => !each.startsWith('.')))
    symlinkSync(join(root, 'node_modules', one), join(packages, one));
  symlinkSync('../endstop/bin/endstop.mjs', program);
  writeFileSync(join(project, 'package.json'), '{ "type": "module", "private": true }');
  server = await serve(
    { app: bench.app, tenant: 'acme', inFlight: 4, version: '0.1.0', logger: createLogger('silent') },
    { host: '127.0.0.1', port: 0, key: null, perMinute: 0 },
  );
});
afterAll(async () => {
  await server?.close(100);
  rmSync(project, { recursive: true, force: true });
});

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

/** Runs a program in the project, without what the test's own environment would add. */
function run(command: readonly string[], env: Readonly<Record<string, string>> = {}, cwd = project) {
  const [file = '', ...args] = command;
  const plain = { PATH: process.env['PATH'] ?? '', HOME: project, ...env };
  return new Promise<Ran>((done) => {
    execFile(file, args, { cwd, env: plain }, (failure: ExecFileException | null, out, error) => {
      done({ code: failure === null ? 0 : Number(failure.code), out, error });
    });
  });
}

const receiptSpec = `import { defineSpec, identifier, list, money, type Spec, sumEqualsTotal, text } from 'endstop';

const receipt: Spec = defineSpec({
  id: 'receipt',
  title: 'Receipt',
  schemaVersion: '1',
  prompt: { version: '1', text: 'Read the receipt exactly as printed.' },
  fields: {
    number: identifier('Receipt number'),
    lines: list('Lines', { description: text('Description'), amount: money('Amount') }),
    total: money('Total'),
  },
  constraints: [sumEqualsTotal({ id: 'sum', addends: ['/lines/*/amount'], total: '/total' })],
});
export default receipt;
`;

describe('a project that installed the package', () => {
  it('extracts through the API by plain Node', async () => {
    writeFileSync(
      join(project, 'main.mjs'),
      `import { createClient } from 'endstop/client';
const endstop = createClient({ baseUrl: process.env.ENDSTOP_URL });
const { outcome } = await endstop.extract({ spec: 'receipt', document: { text: 'a receipt' } });
console.log(JSON.stringify(outcome.kind === 'verified' ? outcome.record : outcome.reason));
`,
    );
    bench.engine.result = async (key) => {
      const row = bench.store.rows.find((one) => one.key === key);
      if (row === undefined) throw new Error('Nothing was submitted.');
      bench.store.recordRows.push(storedRecord(row, 'verified', goodReceipt));
      bench.store.end(key, { outcome: 'verified' });
      return null;
    };
    expect(await run([process.execPath, 'main.mjs'], { ENDSTOP_URL: server.url })).toEqual({
      ...{ code: 0, error: '' },
      out: `${JSON.stringify(goodReceipt)}\n`,
    });
  });

  it.each([
    ['nodenext', ['--module', 'nodenext', '--exactOptionalPropertyTypes']],
    ['a bundler', ['--module', 'esnext', '--moduleResolution', 'bundler', '--skipLibCheck']],
  ])('compiles strictly for ES2022 by %s', async (_, options) => {
    writeFileSync(join(project, 'receipt.ts'), receiptSpec);
    writeFileSync(
      join(project, 'main.ts'),
      `import { type Batch, createClient, type Ended } from 'endstop/client';

const endstop = createClient({ baseUrl: 'http://localhost:4680' });

export async function totalOf(words: string): Promise<string | null> {
  const { outcome }: Ended<{ total: string }> = await endstop.extract({ spec: 'receipt', document: { text: words } });
  if (outcome.kind === 'verified') return outcome.record.total;
  return outcome.bestEffort?.total ?? outcome.unmet[0]?.message ?? null;
}

export async function many(texts: readonly string[]): Promise<Batch> {
  const documents = texts.map((one) => ({ document: { text: one } }));
  const { id } = await endstop.batches.submit({ spec: 'receipt', documents });
  for await (const document of endstop.batches.documents(id, { outcome: 'unverified' })) console.log(document.reason);
  // @ts-expect-error The answers have types: there is no such field.
  (await endstop.get(id)).outcom;
  return await endstop.batches.wait(id);
}
`,
    );
    const compiler = join(root, 'node_modules/typescript/bin/tsc');
    const asked = ['--noEmit', '--strict', '--target', 'es2022', ...options, 'main.ts', 'receipt.ts'];
    expect(await run([process.execPath, compiler, ...asked])).toEqual({ code: 0, out: '', error: '' });
  });

  it('has the command, which takes a spec of its own', async () => {
    const folder = join(project, 'elsewhere');
    mkdirSync(folder);
    writeFileSync(join(folder, 'receipt.ts'), receiptSpec);
    const { out, error } = await run([program, 'spec', 'check', 'receipt.ts'], {}, folder);
    expect(error).toBe('');
    expect(out).toContain('receipt (schema 1, prompt 1)');
  });
});

describe('the command of this folder', () => {
  it('when it is called through links and from elsewhere, then it is the same', async () => {
    symlinkSync(join(root, 'bin/endstop.mjs'), join(project, 'endstop'));
    symlinkSync(join(project, 'endstop'), join(project, 'linked-twice'));
    const asked = await run([join(root, 'bin/endstop.mjs'), 'show', '--help'], {}, root);
    expect(asked.code).toBe(0);
    expect(await run([join(project, 'linked-twice'), 'show', '--help'], {}, tmpdir())).toEqual(asked);
  });

  it('when nothing runs in the present folder, then it says how to name what does', async () => {
    const { code, error } = await run([program, 'list']);
    expect(code).toBe(2);
    expect(error).toContain('DATABASE_URL');
    expect(error).toContain('set ENDSTOP_HOME to the folder of the stack that runs');
  });
});
