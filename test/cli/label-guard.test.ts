import { spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { startTestTemporal, type TestTemporal } from '../support/temporal.js';

interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly error: string;
}

interface SpecText {
  readonly promptVersion?: string;
  readonly prompt?: string;
  readonly schemaVersion?: string;
  readonly fields?: string;
  readonly tolerance?: string;
}

const folder = mkdtempSync(join(tmpdir(), 'endstop-labels-'));
const authoring = resolve('src/spec/index.ts');
let database: TestDatabase;
let temporal: TestTemporal;

beforeAll(async () => {
  [database, temporal] = await Promise.all([createTestDatabase(), startTestTemporal()]);
});
afterAll(async () => {
  await temporal.stop();
  await database.drop();
});

/** Writes the one spec file of these tests anew, as its author would. */
function write(name: string, text: SpecText): string {
  const path = join(folder, `${name}.ts`);
  const { promptVersion = '1', prompt = 'Read it.', schemaVersion = '1', fields = '', tolerance } = text;
  const rule = `sumEqualsTotal({ id: 'sum', addends: ['/rows/*/amount'], total: '/total'${tolerance ?? ''} })`;
  writeFileSync(
    path,
    `import { defineSpec, identifier, list, money, sumEqualsTotal } from ${JSON.stringify(authoring)};
     export default defineSpec({
       id: '${name}', title: 'Receipt', schemaVersion: '${schemaVersion}',
       prompt: { version: '${promptVersion}', text: '${prompt}' },
       fields: { rows: list('Rows', { amount: money('Amount') }), total: money('Total') ${fields} },
       constraints: [${rule}],
     });`,
  );
  return path;
}

/** The command line as a process of its own, which reads the spec file as it is now. */
function endstop(specFile: string, ...argv: readonly string[]): Promise<Ran> {
  const child = spawn(process.execPath, ['bin/endstop.mjs', ...argv], {
    env: {
      PATH: process.env['PATH'],
      DATABASE_URL: database.databaseUrl,
      TEMPORAL_ADDRESS: temporal.address,
      ENDSTOP_STANDIN_URL: 'http://127.0.0.1:1',
      ENDSTOP_HOME: folder,
      ENDSTOP_SPECS: specFile,
    },
  });
  const ran = { out: '', error: '' };
  child.stdout.on('data', (text) => {
    ran.out += String(text);
  });
  child.stderr.on('data', (text) => {
    ran.error += String(text);
  });
  return new Promise((done) => child.once('close', (code) => done({ code, ...ran })));
}

const submit = (name: string, specFile: string) => {
  const document = join(folder, 'receipt.txt');
  writeFileSync(document, 'Total 4.50');
  return endstop(specFile, 'extract', document, '--spec', name, '--no-wait');
};

describe.concurrent('given a spec whose label is in use', () => {
  it('when its prompt is edited under the same label, then nothing starts, and both ways out work', async () => {
    const name = 'prompt-edited';
    const file = write(name, {});
    expect(await submit(name, file)).toMatchObject({ code: 0, error: '' });
    write(name, { prompt: 'Read it twice.' });
    const refused = {
      code: 2,
      out: '',
      error:
        'The prompt of spec "prompt-edited" changed but prompt.version is still "1": ' +
        'give it a new label, or restore what "1" stood for.\n',
    };
    expect(await submit(name, file)).toEqual(refused);
    // Runs that are open under the label must not meet another prompt either.
    expect(await endstop(file, 'worker')).toEqual(refused);
    write(name, { prompt: 'Read it twice.', promptVersion: '2' });
    expect(await submit(name, file)).toMatchObject({ code: 0, error: '' });
    write(name, {});
    expect(await submit(name, file)).toMatchObject({ code: 0, error: '' });
  });

  it('when its fields or the version of a rule change, then the schema is named', async () => {
    const name = 'schema-edited';
    const file = write(name, {});
    expect(await submit(name, file)).toMatchObject({ code: 0, error: '' });
    const refused = {
      code: 2,
      out: '',
      error:
        'The schema or the rules of spec "schema-edited" changed but schemaVersion is still "1": ' +
        'give it a new label, or restore what "1" stood for.\n',
    };
    write(name, { fields: ", number: identifier('Number')" });
    expect(await submit(name, file)).toEqual(refused);
    write(name, { tolerance: ', version: 2' });
    expect(await submit(name, file)).toEqual(refused);
    // A parameter of a ready-made rule is what the rule is.
    write(name, { tolerance: ", tolerance: { kind: 'amount', amount: '0.01' }" });
    expect(await submit(name, file)).toEqual(refused);
    expect(await endstop(file, 'worker')).toEqual(refused);
    write(name, { fields: ", number: identifier('Number')", schemaVersion: '2' });
    expect(await submit(name, file)).toMatchObject({ code: 0, error: '' });
  });
});
