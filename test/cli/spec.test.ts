import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import bundled from '../../specs/index.js';
import { createDocumentReader } from '../../src/adapters/pdf/reader.js';
import { readConfig } from '../../src/config.js';
import { StoreUnavailable } from '../../src/ports/store.js';
import { createCatalogue } from '../../src/spec/catalogue.js';
import { storedRecord, verifyAll } from '../support/fakes/bench.js';
import { badReceipt, goodReceipt, receiptSpec } from '../support/fakes/receipt-spec.js';
import { type CommandLine, createCommandLine, jsonLines } from './command-line.js';

const reader = createDocumentReader();
afterAll(() => reader.close());

/** A command line whose specs are the example specs and which really reads documents. */
function withBundledSpecs(): CommandLine {
  const line = createCommandLine();
  line.changes = { catalogue: async () => createCatalogue(bundled), reader: () => reader };
  return line;
}

/** A truth set of receipts in the command line's folder; the file's text says nothing to the fake engine. */
function receipts(line: CommandLine, truths: Readonly<Record<string, unknown>>): string {
  const folder = join(line.folder, 'set');
  for (const inner of ['truth', 'files']) mkdirSync(join(folder, inner), { recursive: true });
  for (const [name, record] of Object.entries(truths)) {
    const truth = { spec: 'receipt', file: `${name}.txt`, ...(record === null ? {} : { record }) };
    writeFileSync(join(folder, 'truth', `${name}.json`), JSON.stringify(truth));
    writeFileSync(join(folder, 'files', `${name}.txt`), name);
  }
  return folder;
}

describe('given the example specs and samples', () => {
  it('when all are checked, then only the two-decimal variant is refused, in words, and the exit code is 1', async () => {
    const ran = await withBundledSpecs().run('spec', 'check');
    expect(ran.code).toBe(1);
    expect(ran.error).toBe('');
    const heads = ran.out.split('\n').filter((line) => /^\S/.test(line));
    expect(heads).toEqual([
      expect.stringMatching(/^claim \(schema 1, prompt 1\): accepts all \d\d records/),
      expect.stringMatching(/^claim-two-decimals \(schema 1, prompt 1\): refuses 4 of 8 records/),
      expect.stringMatching(/^invoice \(schema 1, prompt 1\): accepts all \d\d records/),
      expect.stringMatching(/^invoice-plain \(schema 1, prompt 1\): accepts all \d\d records/),
    ]);
    expect(ran.out).toContain(
      'total-equals-sum and two-decimals cannot both hold at /total_claimed: 1204.375 against 1204.38',
    );
    expect(ran.out.match(/one of the two rules has to change/g)).toHaveLength(1);
  });

  it.each([
    ['claim', 0],
    ['invoice', 0],
    ['claim-two-decimals', 1],
    ['specs/claim/claim.ts', 0],
    ['specs/claim/two-decimals.ts', 1],
  ])('when %s is checked alone, then the exit code is %i', async (target, code) => {
    const ran = await withBundledSpecs().run('spec', 'check', target, '--json');
    expect(ran.code).toBe(code);
    expect(jsonLines(ran)).toMatchObject([{ ok: code === 0, promptVersion: '1' }]);
  });
});

describe('given truth files of a user', () => {
  it('when a record breaks a rule, then it is named by its document', async () => {
    const line = createCommandLine();
    const folder = receipts(line, { right: goodReceipt, bad: badReceipt });
    const ran = await line.run('spec', 'check', 'receipt', '--truth', folder);
    expect(ran.code).toBe(1);
    expect(ran.out).toMatch(/^receipt \(schema 1, prompt v2\): refuses 1 of 2 records/);
    expect(ran.out).toContain('  bad.txt:\n');
  });

  it('when examples have other fields than the spec, then these are named, and once for all currencies', async () => {
    const line = createCommandLine();
    const path = line.file(
      'till.js',
      `import { defineSpec, money } from ${JSON.stringify(resolve('src/spec/index.ts'))};
      export default defineSpec({
        id: 'till', title: 'Till receipt', schemaVersion: '1', prompt: { version: '1', text: 'Read it.' },
        fields: { total: money('Total') }, constraints: [],
        examples: () => [{ totl: '1', tax: '2' }],
      });`,
    );
    const ran = await line.run('spec', 'check', path);
    expect(ran).toMatchObject({ code: 1, error: '' });
    expect(ran.out.split('\n').slice(1)).toEqual([
      '  example 1 in JPY (0 decimals), example 1 in EUR (2 decimals), example 1 in BHD (3 decimals), example 1 in CLF (4 decimals):',
      expect.stringMatching(/^ {4}schema\/missing @ \/total: Total is missing\. \(expected a plain .*\)$/),
      expect.stringContaining('holds fields that the schema does not have: totl, tax.'),
      '  Correct the record that is named, or the rule that refuses it.',
      '',
    ]);
  });

  it('when there is nothing to check with, then that is no pass', async () => {
    const line = createCommandLine();
    line.changes = { config: () => readConfig({ ENDSTOP_SPECS: 'own.ts' }, undefined, line.folder) };
    const ran = await line.run('spec', 'check');
    expect(ran.code).toBe(1);
    expect(ran.out).toContain('nothing was checked; give it examples, or records known to be right');
  });

  it.each([
    ['no folder', () => 'nowhere', /^There is no folder nowhere;/],
    ['no truth file', (line: CommandLine) => line.folder, /^There is no truth file/],
    ['no JSON', (line: CommandLine) => written(line, '{'), /a\.json is not JSON\.\n$/],
    ['a list', (line: CommandLine) => written(line, '[]'), /a\.json is no truth file/],
    ['no spec', (line: CommandLine) => written(line, '{"record":{}}'), /a\.json does not say which "spec"/],
    ['a file that is none', (line: CommandLine) => written(line, '{"spec":"a","file":1}'), /is no file name/],
    [
      'a lost document',
      (line: CommandLine) => written(line, '{"spec":"receipt","file":"b.pdf"}'),
      /a\.json is about b\.pdf, but there is no such file/,
    ],
  ])('when there is %s, then one sentence says so and the exit code is 2', async (_what, folder, message) => {
    const line = createCommandLine();
    const ran = await line.run('spec', 'check', 'receipt', '--truth', folder(line));
    expect(ran).toMatchObject({ code: 2, out: '' });
    expect(ran.error).toMatch(message);
    expect(ran.error.split('\n')).toHaveLength(2);
  });

  it('when the spec is unknown, then the known ones are named', async () => {
    const ran = await createCommandLine().run('spec', 'check', 'recipe');
    expect(ran).toEqual({
      code: 2,
      out: '',
      error: 'There is no spec "recipe"; known: receipt (the examples; ENDSTOP_SPECS is not set here).\n',
    });
  });
});

function written(line: CommandLine, text: string): string {
  line.file('a.json', text);
  return line.folder;
}

describe('given a truth set and an engine', () => {
  it('when the current version is evaluated, then its curve, its cost and a tenant of its own are shown', async () => {
    const line = createCommandLine();
    verifyAll(line);
    const ran = await line.run(
      'spec',
      'eval',
      'receipt',
      '--truth',
      receipts(line, { a: goodReceipt, b: null }),
    );
    expect(ran).toMatchObject({ code: 0, error: '' });
    expect(ran.out).toMatch(
      /^2 documents under spec "receipt" as tenant eval-20260301-120000, model from stand-in\n/,
    );
    expect(ran.out).toMatch(/PROMPT v2, SCHEMA 1 \(current\)\n/);
    expect(ran.out).toMatch(/verified after 1 attempt +2 of 2, 100\.0 % \(34\.2 to 100\.0\)\n/);
    expect(ran.out).toMatch(/of these without a known truth +1\n/);
    expect(line.store.rows.map(({ tenant, tags }) => [tenant, tags])).toEqual([
      ['eval-20260301-120000', ['eval']],
      ['eval-20260301-120000', ['eval']],
    ]);
    expect(line.open).toEqual({ store: 0, engine: 0 });
  });

  it('when one was made, then it is kept in counts, by version and field, without a word of truth or document', async () => {
    const line = createCommandLine();
    line.engine.script = (input) => {
      const row = line.store.rows.findLast(({ key }) => key === input.key);
      if (row?.fileName === 'c.txt') {
        return {
          ...{ outcome: 'unverified', reason: 'no_progress', route: 'dead_letter', attempts: 3, calls: 3 },
          ...{ failureClass: 'constraint' },
        };
      }
      if (row !== undefined) line.store.recordRows.push(storedRecord(row, 'verified', goodReceipt));
      return { outcome: 'verified', attempts: 1, calls: 1, tokens: 900 };
    };
    const other = { ...goodReceipt, currency: 'CHF' };
    const folder = receipts(line, { a: goodReceipt, b: other, c: goodReceipt, d: null });
    const ran = await line.run('spec', 'eval', 'receipt', '--truth', folder, '--json');
    expect(ran).toMatchObject({ code: 1, error: '' });
    const [kept] = line.store.evaluations.kept;
    expect(line.store.evaluations.kept).toHaveLength(1);
    expect(jsonLines(ran)).toMatchObject([{ id: kept?.id, documents: 4, right: 1 }]);
    expect(kept).toMatchObject({
      ...{ specId: 'receipt', schemaVersion: '1', promptVersion: 'v2', tenant: 'eval-20260301-120000' },
      ...{ providers: ['stand-in'], models: ['claude-haiku-5-5'], documents: 4, right: 1, unjudged: 1 },
      curve: [
        { attempts: 1, verified: 3 },
        { attempts: 2, verified: 3 },
        { attempts: 3, verified: 3 },
      ],
      wrong: [{ differs: ['/currency'] }],
      landed: [{ reason: 'no_progress', route: 'dead_letter', documents: 1 }],
      classes: [{ failureClass: 'constraint', documents: 1 }],
      ...{ calls: 6, tokens: 2_700 },
    });
    // Two records could be compared: of one the currency is another.
    const shares = kept?.fields.map(({ pointer, right, of }) => [pointer, right, of]);
    expect(shares).toContainEqual(['/currency', 1, 2]);
    expect(shares).toContainEqual(['/total', 2, 2]);
    const text = JSON.stringify(kept);
    for (const word of ['CHF', 'a.txt', String(Object.values(goodReceipt)[0])]) {
      expect(text).not.toContain(word);
    }
  });

  it('when the same documents are tried again, then both are kept, on one truth set; another truth is another set', async () => {
    const line = createCommandLine();
    verifyAll(line);
    const folder = receipts(line, { a: goodReceipt });
    const twice = await line.run('spec', 'eval', 'receipt', '--with', 'v1', '--truth', folder);
    expect(twice.out).toMatch(/kept as +[0-9a-f]{12} +[0-9a-f]{12}\n/);
    await line.run('spec', 'eval', 'receipt', '--truth', receipts(line, { a: null }));
    const sets = line.store.evaluations.kept.map(({ promptVersion, truthSet }) => [promptVersion, truthSet]);
    expect(sets.map(([version]) => version)).toEqual(['v1', 'v2', 'v2']);
    expect(sets[0]?.[1]).toBe(sets[1]?.[1]);
    expect(sets[2]?.[1]).not.toBe(sets[1]?.[1]);
  });

  it('when the store is away once all is done, then the result is shown, and one line says that it was not kept', async () => {
    const line = createCommandLine();
    verifyAll(line);
    line.store.evaluations.add = async () => {
      throw new StoreUnavailable('The database cannot be reached.');
    };
    const folder = receipts(line, { a: goodReceipt });
    const ran = await line.run('spec', 'eval', 'receipt', '--truth', folder);
    expect(ran).toMatchObject({
      code: 0,
      error: 'This result was not kept: The database cannot be reached.\n',
    });
    expect(ran.out).toMatch(/verified after 1 attempt +1 of 1/);
    expect(ran.out).toMatch(/kept as +not kept\n/);
  });

  it('when a wrong record verified, then it is named with the fields that differ, and the exit code is 1', async () => {
    const line = createCommandLine();
    verifyAll(line);
    const folder = receipts(line, { a: goodReceipt, b: { ...goodReceipt, currency: 'CHF' } });
    const ran = await line.run('spec', 'eval', 'receipt', '--truth', folder);
    expect(ran.code).toBe(1);
    expect(ran.out).toMatch(/of these wrong +1\n/);
    expect(ran.out).toMatch(
      /wrong {2}b\.txt under prompt v2 verified, but \/currency is not what the truth says/,
    );
    expect(ran.out).not.toContain('CHF');
  });

  it('when amounts are only spelled otherwise, then the record is right', async () => {
    const line = createCommandLine();
    verifyAll(line);
    const ran = await line.run(
      ...['spec', 'eval', 'receipt', '--json', '--truth'],
      receipts(line, { a: { ...goodReceipt, total: '4.5' } }),
    );
    expect(jsonLines(ran)).toMatchObject([{ right: 1, wrong: [], unjudged: 0 }]);
  });

  it('when another prompt is tried, then it stands beside the current one on the same documents', async () => {
    const line = createCommandLine();
    line.engine.script = (input) => {
      const row = line.store.rows.findLast(({ key }) => key === input.key);
      if (row === undefined) throw new Error('A run started without its row.');
      // v1 needs two attempts for the first document and loses the second.
      const attempts = input.promptVersion === 'v2' ? 1 : 2;
      if (attempts === 2 && row.fileName === 'b.txt') {
        return { outcome: 'unverified', reason: 'no_progress', route: 'dead_letter', attempts: 3, calls: 3 };
      }
      line.store.recordRows.push(storedRecord(row, 'verified', goodReceipt));
      return { outcome: 'verified', attempts, calls: attempts, tokens: 900 * attempts };
    };
    const folder = receipts(line, { a: goodReceipt, b: goodReceipt });
    const ran = await line.run('spec', 'eval', 'receipt', '--with', 'v1', '--truth', folder);
    expect(ran.code).toBe(0);
    const rows = ran.out.split('\n').map((row) => row.trim().split(/ {2,}/));
    expect(rows).toContainEqual(['PROMPT v1, SCHEMA 1', 'PROMPT v2, SCHEMA 1 (current)']);
    expect(rows).toContainEqual([
      'verified after 1 attempt',
      '0 of 2, 0.0 % (0.0 to 65.8)',
      '2 of 2, 100.0 % (34.2 to 100.0)',
    ]);
    expect(rows).toContainEqual([
      'verified after 2 attempts',
      '1 of 2, 50.0 % (9.5 to 90.5)',
      '2 of 2, 100.0 % (34.2 to 100.0)',
    ]);
    expect(rows).toContainEqual(['no_progress -> dead_letter', '1 of 2', '0 of 2']);
    expect(rows).toContainEqual(['calls', '5', '2']);
    const json = await line.run('spec', 'eval', 'receipt', '--with', 'v1', '--truth', folder, '--json');
    expect(jsonLines(json)).toMatchObject([
      {
        label: { id: 'receipt', schemaVersion: '1', promptVersion: 'v1' },
        documents: 2,
        curve: [
          { attempts: 1, verified: 0 },
          { attempts: 2, verified: 1, share: 0.5 },
          { attempts: 3, verified: 1 },
        ],
        landed: [{ reason: 'no_progress', route: 'dead_letter', documents: 1 }],
      },
      { label: { promptVersion: 'v2' }, right: 2, landed: [] },
    ]);
  });

  it.each([
    [['--with', 'v9'], 'Spec "receipt" has no prompt version "v9" here; known: v2, v1.'],
    [['--truth', 'nowhere'], 'There is no folder nowhere;'],
  ])('when %j cannot be, then one sentence says so before anything is sent', async (options, message) => {
    const line = createCommandLine();
    const folder = receipts(line, { a: goodReceipt });
    const ran = await line.run('spec', 'eval', 'receipt', '--truth', folder, ...options);
    expect(ran.code).toBe(2);
    expect(ran.error).toContain(message);
    expect(line.store.rows).toEqual([]);
  });

  it('when the truth set has no document of this spec, or a record of another shape, then it is refused', async () => {
    const line = createCommandLine();
    const folder = receipts(line, { a: { total: '1' } });
    const shape = await line.run('spec', 'eval', 'receipt', '--truth', folder);
    expect(shape).toMatchObject({
      code: 2,
      error: expect.stringContaining('The truth record a.txt is no record of spec "receipt"'),
    });
    line.changes = { catalogue: async () => createCatalogue([receiptSpec()]) };
    expect((await line.run('spec', 'eval', 'receipt')).error).toMatch(
      /^There is no document for spec "receipt" in /,
    );
    line.changes = { config: () => readConfig({ ENDSTOP_SPECS: 'own.ts' }, undefined, line.folder) };
    expect((await line.run('spec', 'eval', 'receipt')).error).toBe(
      'Name the documents to try it on: --truth FOLDER.\n',
    );
    expect(line.store.rows).toEqual([]);
  });
});
