import { mkdirSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseCsv } from '../support/csv.js';
import { storedRecord, verifyAll } from '../support/fakes/bench.js';
import { type CommandLine, createCommandLine, jsonLines, rowsOf } from './command-line.js';

/** A folder with five documents in it, two of them with the same bytes, and some things that are none. */
function withFolder(): CommandLine & { readonly scans: string } {
  const line = createCommandLine();
  for (const folder of ['scans', 'scans/older', 'scans/.hidden']) mkdirSync(join(line.folder, folder));
  for (const name of ['a', 'b', 'c', 'older/d']) line.file(`scans/${name}.txt`, `receipt ${name}`);
  line.file('scans/same.txt', 'receipt a');
  line.file('scans/notes.json', '{}');
  line.file('scans/.DS_Store', 'x');
  line.file('scans/.hidden/e.txt', 'receipt e');
  symlinkSync(line.folder, join(line.folder, 'scans/up'));
  return { ...line, scans: join(line.folder, 'scans') };
}

describe('given a batch', () => {
  it('when it is named by a beginning of its id, then it is found; documents come by name, those left out are named', async () => {
    const line = withFolder();
    verifyAll(line);
    const started = await line.run('batch', line.scans, '--spec', 'receipt', '--json');
    expect(jsonLines(started).at(-1)).toMatchObject({ leftOut: ['notes.json'], documents: 5 });
    const id = String(jsonLines(started).at(-1)?.['id']);
    const short = id.slice(0, 8);
    expect((await line.run('batch', 'show', short)).out).toContain(id);
    const [titles, ...rows] = rowsOf((await line.run('batch', 'results', short)).out);
    expect(titles?.slice(0, 4)).toEqual(['DOCUMENT', 'ID', 'OUTCOME', 'WHY']);
    expect(rows.map(([document]) => document)).toEqual([
      'a.txt',
      'b.txt',
      'c.txt',
      'older/d.txt',
      'same.txt',
    ]);
    expect(rows.map((row) => row.at(-3))).toEqual(['its own', 'its own', 'its own', 'its own', 'same bytes']);
    expect((await line.run('batch', 'cancel', short)).out).toBe(`Batch ${id} had ended before.\n`);
    expect((await line.run('batch', 'show', id.slice(0, 7))).code).toBe(2);
  });

  it('when a person settled one of its documents, then its results say so', async () => {
    const line = withFolder();
    verifyAll(line);
    const ran = jsonLines(await line.run('batch', line.scans, '--spec', 'receipt', '--json'));
    const id = String(ran.at(-1)?.['id']);
    const row = line.store.rows.find(({ fileName }) => fileName === 'b.txt');
    if (row === undefined) throw new Error('No row.');
    line.store.recordRows.push(storedRecord(row, 'rejected', null));
    const table = (await line.run('batch', 'results', id)).out;
    expect(table).toMatch(/PERSON/);
    expect(table).toMatch(/b\.txt .* rejected/);
    const results = jsonLines(await line.run('batch', 'results', id, '--json'));
    expect(results.map(({ humanStatus }) => humanStatus)).toEqual([null, 'rejected', null, null, null]);
  });
});

describe('given a folder', () => {
  it('when it is run as a batch, then every document in it is, and the exit code tells whether all verified', async () => {
    const line = withFolder();
    verifyAll(line);
    const ran = await line.run(
      'batch',
      line.scans,
      '--spec',
      'receipt',
      '--tokens',
      '30M',
      '--deadline',
      '6h',
    );
    expect(ran.error).toMatch(
      /1 file is no document and is left out: notes\.json\.\nBatch [0-9a-f]{16}: 5 documents\./,
    );
    expect(ran.out).toMatch(/state +finished/);
    expect(ran.out).toMatch(/verified +5/);
    expect(ran.out).toMatch(/same bytes +1/);
    expect(ran.out).toMatch(/tokens +3600 of 30000000/);
    expect(ran.code).toBe(0);
    expect(line.engine.started).toHaveLength(4);
    expect(line.store.rows.map(({ fileName }) => fileName).sort()).toEqual(
      expect.arrayContaining(['b.txt', 'c.txt', 'd.txt']),
    );
    expect(line.open).toEqual({ store: 0, engine: 0 });
  });

  it('when one does not verify, then the exit code is 3, and its line says why', async () => {
    const line = withFolder();
    line.engine.script = () => ({ outcome: 'unverified', reason: 'no_progress', attempts: 2, tokens: 1_800 });
    const ran = await line.run('batch', line.scans, '--spec', 'receipt', '--json');
    expect(ran.code).toBe(3);
    const lines = jsonLines(ran);
    expect(lines).toHaveLength(6);
    expect(lines[0]).toMatchObject({ outcomeKind: 'unverified', reason: 'no_progress', state: 'ended' });
    expect(lines.at(-1)).toMatchObject({ unverified: 5, unverifiedBy: { no_progress: 5 } });
  });

  it('when the same command is given again, then it is the same batch; other files make another one', async () => {
    const line = withFolder();
    verifyAll(line);
    const command = ['batch', line.scans, '--spec', 'receipt', '--no-wait', '--json'];
    const [first] = jsonLines(await line.run(...command));
    expect(first).toMatchObject({ kind: 'started', documents: 5 });
    expect(jsonLines(await line.run(...command))).toEqual([{ ...first, kind: 'ended' }]);
    expect((await line.run(...command.slice(0, 4))).error).toContain('it has ended before; give it a --name');
    for (const options of [['--name', 'april'], ['--tokens', '5k'], ['--redrive']]) {
      const [other] = jsonLines(await line.run(...command, ...options));
      expect(other).toMatchObject({ kind: 'started' });
      expect(other?.['id']).not.toBe(first?.['id']);
    }
    utimesSync(line.file('scans/b.txt', 'receipt b!'), 1, 1);
    expect(jsonLines(await line.run(...command))[0]?.['id']).not.toBe(first?.['id']);
    expect(line.engine.started).toHaveLength(5);
  });

  it('when it was interrupted while documents were handed in, then the same command goes on', async () => {
    const line = withFolder();
    verifyAll(line);
    const { add } = line.store.batches;
    const { batches } = line.store;
    Object.assign(batches, {
      add: async () => {
        throw new Error('the process was killed');
      },
    });
    expect((await line.run('batch', line.scans, '--spec', 'receipt')).code).toBe(1);
    const [begun] = jsonLines(await line.run('batch', 'list', '--json'));
    expect(begun).toMatchObject({ state: 'collecting', documents: 0 });
    const resumed = await line.run('batch', '--resume', String(begun?.['id']));
    expect(resumed).toMatchObject({
      code: 2,
      error: expect.stringContaining('run the command that began it'),
    });
    Object.assign(batches, { add });
    const ran = await line.run('batch', line.scans, '--spec', 'receipt', '--json');
    expect(jsonLines(ran).at(-1)).toMatchObject({ id: begun?.['id'], state: 'finished', verified: 5 });
  });

  it('when it is cancelled, then nothing more begins, and --resume goes on with the rest', async () => {
    const line = withFolder();
    const started = await line.run(
      ...['batch', line.scans, '--spec', 'receipt', '--in-flight', '2', '--no-wait', '--json'],
    );
    const id = String(jsonLines(started)[0]?.['id']);
    expect((await line.run('batch', 'cancel', id, '--now')).out).toBe(
      `Batch ${id} begins no further document.\n`,
    );
    const shown = await line.run('batch', 'show', id);
    expect(shown.out).toMatch(/state +cancelled/);
    expect(shown.error).toMatch(/[23] were never begun; endstop batch --resume \w+ goes on with them\./);
    expect(shown.code).toBe(3);
    verifyAll(line);
    const ran = await line.run('batch', '--resume', id);
    expect(ran.code).toBe(3);
    // Two of the documents have the same bytes: they may or may not be among those that were begun.
    expect(ran.out).toMatch(/verified +[23]\n/);
    expect(ran.out).toMatch(/cancelled +[23]\n/);
    expect(line.engine.started).toHaveLength(4);
    expect((await line.run('batch', 'cancel', id)).out).toBe(`Batch ${id} had ended before.\n`);
  });

  it('when results are asked for, then every document is there, with its record', async () => {
    const line = withFolder();
    verifyAll(line);
    const [last] = jsonLines(await line.run('batch', line.scans, '--spec', 'receipt', '--json')).slice(-1);
    const id = String(last?.['id']);
    const table = rowsOf((await line.run('batch', 'results', id)).out);
    expect(table[0]?.slice(0, 3)).toEqual(['DOCUMENT', 'ID', 'OUTCOME']);
    expect(
      table
        .slice(1)
        .map(([document]) => document)
        .sort(),
    ).toEqual(['a.txt', 'b.txt', 'c.txt', 'older/d.txt', 'same.txt']);
    const lines = jsonLines(await line.run('batch', 'results', id, '--json'));
    expect(lines).toHaveLength(5);
    expect(lines[0]).toMatchObject({ outcomeKind: 'verified', record: { record: { total: '4.50' } } });
    const csv = (await line.run('batch', 'results', id, '--format', 'csv')).out;
    const [titles = [], ...rows] = parseCsv(csv);
    expect(titles.slice(0, 5)).toEqual([
      'batch_item',
      'batch_file_name',
      'batch_state',
      'batch_part',
      'batch_outcome',
    ]);
    expect(rows).toHaveLength(5);
    expect(rows.every((row) => row[titles.indexOf('total')] === '4.50')).toBe(true);
    const file = join(line.folder, 'results.jsonl');
    expect((await line.run('batch', 'results', id, '--out', file)).error).toBe(
      `5 documents are in ${file}.\n`,
    );
  });

  it.each([
    [['batch'], 'Name a folder or a manifest, or say --resume ID.'],
    [['batch', 'SCANS'], 'Say what to extract: --spec ID.'],
    [['batch', 'nowhere', '--spec', 'receipt'], 'nowhere does not exist.'],
    [['batch', 'SCANS/a.txt', '--spec', 'receipt'], 'is neither a folder nor a manifest (.jsonl).'],
    [['batch', 'SCANS/.hidden/..', '--spec', 'nothing'], 'There is no spec "nothing"'],
    [['batch', 'SCANS', '--resume', 'x'], 'Name a source, or a batch to resume, not both.'],
    [['batch', '--resume', 'x'], 'There is no batch "x".'],
    [['batch', 'show', 'not an id'], 'The id of a batch is'],
    [['batch', 'SCANS', '--spec', 'receipt', '--tokens', 'many'], 'such as 30M'],
    [['batch', 'SCANS', '--spec', 'receipt', '--deadline', '0'], 'longer than 0'],
    [['batch', 'SCANS', '--spec', 'receipt', '--deadline', '6 hours'], 'such as 6h'],
  ])('when the command is %j, then it says what is wrong', async (command, says) => {
    const line = withFolder();
    const ran = await line.run(...command.map((word) => word.replace('SCANS', line.scans)));
    expect(ran).toMatchObject({ code: 2, out: '', error: expect.stringContaining(says) });
    expect((await line.store.batches.list({}, { limit: 9 })).items).toEqual([]);
  });

  it('when it holds no document, then nothing is begun', async () => {
    const line = createCommandLine();
    mkdirSync(join(line.folder, 'empty'));
    const ran = await line.run('batch', join(line.folder, 'empty'), '--spec', 'receipt');
    expect(ran).toMatchObject({ code: 2, error: expect.stringContaining('holds no document') });
  });
});

describe('given a manifest', () => {
  const manifest = (line: CommandLine, ...lines: readonly unknown[]) =>
    line.file(
      'list.jsonl',
      lines.map((each) => `${typeof each === 'string' ? each : JSON.stringify(each)}\n`).join(''),
    );

  it('when it is run, then each line is a document, with its name and tags', async () => {
    const line = createCommandLine();
    verifyAll(line);
    line.file('a.txt', 'receipt a');
    const hash = await line.store.documents.put({
      ...{ tenant: 'acme', mediaType: 'text/plain', bytes: Buffer.from('stored'), at: 1 },
    });
    const path = manifest(
      line,
      '"a.txt"',
      '',
      { documentHash: hash, fileName: 'stored.txt', tags: ['t1'] },
      { text: 'written out' },
    );
    const ran = await line.run('batch', path, '--spec', 'receipt', '--tag', 'all', '--json');
    expect(ran.code).toBe(0);
    expect(jsonLines(ran).at(-1)).toMatchObject({ documents: 3, verified: 3 });
    expect(line.store.rows.map(({ fileName, tags }) => [fileName, tags])).toEqual([
      ['a.txt', ['all']],
      ['stored.txt', ['all', 't1']],
      [null, ['all']],
    ]);
  });

  it.each([
    ['{"file": 7}', 'list.jsonl, line 1: it must be "a.pdf"'],
    ['{"file": "a.txt", "text": "both"}', 'line 1: it must be'],
    ['{"name": "a.txt"}', 'line 1: "name" is not known'],
    ['[]', 'line 1: it must be'],
    ['no json', 'line 1: it must be'],
    ['{"text": "a", "tags": "b"}', 'line 1: tags must be a list of texts'],
    ['{"text": "a", "fileName": 1}', 'line 1: fileName must be a text'],
    ['""', 'line 1: a file has no name'],
    ['"missing.txt"', 'missing.txt does not exist'],
    [`{"documentHash": "${'f'.repeat(64)}"}`, 'nothing is stored under the hash ffffffffffff'],
  ])('when a line is %s, then it says where and what', async (text, says) => {
    const line = createCommandLine();
    const ran = await line.run('batch', manifest(line, text), '--spec', 'receipt');
    expect(ran).toMatchObject({ code: 2, error: expect.stringContaining(says) });
    expect(line.engine.started).toEqual([]);
  });
});
