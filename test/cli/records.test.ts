import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { StoreUnavailable } from '../../src/ports/store.js';
import { SpecError } from '../../src/spec/index.js';
import { csvObjects } from '../support/csv.js';
import { epoch, exhaustAll, storedRecord, verifyAll } from '../support/fakes/bench.js';
import { badReceipt, goodReceipt } from '../support/fakes/receipt-spec.js';
import { type CommandLine, jsonLines, rowsOf, withOne } from './command-line.js';

/** A verified record and an unverified one of the same document, keys in the order in which a database gives them. */
async function withRecords(): Promise<CommandLine> {
  const { line, id } = await withOne();
  const row = line.store.rows.find(({ key }) => key === id);
  if (row === undefined) throw new Error('No row.');
  const { currency, lines, total } = goodReceipt;
  line.store.recordRows.push(storedRecord(row, 'verified', { lines, total, currency }));
  line.store.recordRows.push(storedRecord(row, 'best_effort', { ...badReceipt, currency: 'XXX' }));
  return line;
}

describe('endstop records list', () => {
  it('shows verified records, their fields in the order of the spec', async () => {
    const line = await withRecords();
    const [titles, ...rows] = rowsOf((await line.run('records', 'list')).out);
    expect(titles).toEqual(['ID', 'SPEC', 'STATUS', 'RECORDED', 'UNMET', 'RECORD']);
    expect(rows.map((row) => row.slice(1))).toEqual([
      ['receipt', 'verified', '2026-03-01 12:00Z', 'currency: EUR, total: 4.50'],
    ]);
    expect(line.open).toEqual({ store: 0, engine: 0 });
  });

  it('shows others only when their status is asked for', async () => {
    const line = await withRecords();
    const ran = await line.run('records', 'list', '--status', 'best_effort', 'needs_review', '--json');
    expect(jsonLines(ran)).toMatchObject([{ verificationStatus: 'best_effort', record: { total: '5.50' } }]);
    expect(ran.out).toContain('"record":{"currency":"XXX","lines"');
  });

  it('takes statuses apart or with commas between them', async () => {
    const line = await withRecords();
    const count = async (...status: string[]) =>
      jsonLines(await line.run('records', 'list', '--json', '--status', ...status)).length;
    expect(await count('verified,best_effort')).toBe(2);
    expect(await count('verified,human_verified', 'best_effort')).toBe(2);
    expect(await count('best_effort')).toBe(1);
    expect((await line.run('records', 'list', '--status', 'verified,good')).code).toBe(2);
  });

  it('selects by tenant, spec and instant', async () => {
    const line = await withRecords();
    const list = async (...more: string[]) => jsonLines(await line.run('records', 'list', '--json', ...more));
    expect(await list('--tenant', 'acme', '--spec', 'receipt', '--since', '2026-03-01')).toHaveLength(1);
    expect(await list('--tenant', 'bolt')).toEqual([]);
    expect(await list('--since', '2026-03-01T12:00:00.001Z')).toEqual([]);
    expect(await list('--since', '2026-03-01T13:00:00+01:00')).toHaveLength(1);
    expect(await list('--since', '2026-03-01T12:00')).toHaveLength(1);
  });

  it.each(['yesterday', '2026-02-31', '2026-13-01', '2026-03-01 12:00'])(
    'refuses %j as an instant in one sentence',
    async (since) => {
      const ran = await (await withRecords()).run('records', 'list', '--since', since);
      expect(ran.code).toBe(2);
      expect(ran.error).toContain('It must be a day such as 2026-03-01');
    },
  );

  it('needs no spec that can be loaded', async () => {
    const line = await withRecords();
    line.changes = {
      catalogue: async () => {
        throw new SpecError('broken');
      },
    };
    expect((await line.run('records', 'list')).out).toContain('verified');
  });
});

describe('endstop records export', () => {
  it('to the output prints either CSV or JSON', async () => {
    const ran = await (await withRecords()).run('records', 'export', '--format', 'csv', '--json');
    expect(ran).toEqual({
      code: 2,
      out: '',
      error: 'Records are printed as CSV or as JSON: leave out --json or --format csv.\n',
    });
  });

  it('writes JSON lines or CSV to the output, nothing else', async () => {
    const line = await withRecords();
    expect(jsonLines(await line.run('records', 'export'))).toMatchObject([
      { verificationStatus: 'verified' },
    ]);
    const csv = await line.run('records', 'export', '--format', 'csv', '--flatten', 'lines');
    expect(csv).toMatchObject({ code: 0, error: '' });
    expect(csvObjects(csv.out)).toMatchObject([
      { verification_status: 'verified', file_name: 'receipt.txt', 'lines.#': '1', 'lines.amount': '1.20' },
      { verification_status: 'verified', 'lines.#': '2', 'lines.amount': '3.30' },
    ]);
  });

  it('waits for the reader of its output after each part', async () => {
    const line = await withRecords();
    const seen: string[] = [];
    line.changes = {
      terminal: {
        out: (text) => seen.push(text.slice(0, 12)),
        error: () => undefined,
        drained: async () => {
          seen.push('drained');
        },
        isColoured: false,
        showsProgress: false,
      },
    };
    await line.run('records', 'export', '--status', 'verified', 'best_effort', '--format', 'csv');
    expect(seen).toEqual(['extraction_i', 'drained', expect.any(String), 'drained']);
  });

  it('into a file puts it there whole, in place of what was there, and says how many', async () => {
    const line = await withRecords();
    const path = line.file('out.csv', 'before');
    const ran = await line.run('records', 'export', '--format', 'csv', '--out', path);
    expect(ran).toEqual({ code: 0, out: '', error: `1 records are in ${path}.\n` });
    expect(csvObjects(readFileSync(path, 'utf8'))).toHaveLength(1);
    expect(readdirSync(line.folder)).toEqual(['out.csv']);
    const told = await line.run('records', 'export', '--format', 'csv', '--out', path, '--json');
    expect(told).toEqual({ code: 0, out: `{"records":1,"out":${JSON.stringify(path)}}\n`, error: '' });
  });

  it('that breaks leaves what was there and nothing half-written', async () => {
    const line = await withRecords();
    const path = line.file('out.jsonl', 'before');
    const { store } = line;
    line.changes = {
      openStore: async () => ({
        ...store,
        records: {
          ...store.records,
          stream: async function* (filter) {
            yield* store.records.stream(filter);
            throw new StoreUnavailable('Postgres at localhost:5432 dropped the connection.');
          },
        },
      }),
    };
    const ran = await line.run('records', 'export', '--out', path);
    expect(ran).toMatchObject({
      code: 1,
      out: '',
      error: 'Postgres at localhost:5432 dropped the connection.\n',
    });
    expect(readFileSync(path, 'utf8')).toBe('before');
    expect(readdirSync(line.folder)).toEqual(['out.jsonl']);
  });

  it('refuses a place where it cannot write in one sentence', async () => {
    const line = await withRecords();
    const folder = await line.run('records', 'export', '--out', line.folder);
    expect(folder).toEqual({ code: 2, out: '', error: `${line.folder} is a folder; name a file.\n` });
    const nowhere = join(line.folder, 'none', 'out.csv');
    const missing = await line.run('records', 'export', '--out', nowhere);
    expect(missing.error).toBe(`${nowhere} cannot be written: its folder does not exist.\n`);
    expect(readdirSync(line.folder)).toEqual([]);
  });

  it.each([
    [['--format', 'xml'], /Allowed choices are csv, jsonl/],
    [['--status', 'good'], /Allowed choices are verified, human_verified/],
    [['--format', 'csv', '--spec', 'nil'], /^There is no spec "nil"/],
    [['--format', 'csv', '--flatten', 'rows'], /no list "rows"; it has lines/],
  ])('refuses %j', async (options, message) => {
    const line = await withRecords();
    const ran = await line.run('records', 'export', ...options, '--out', join(line.folder, 'out'));
    expect(ran.code).toBe(2);
    expect(ran.error).toMatch(message);
    expect(readdirSync(line.folder)).toEqual([]);
  });
});

describe('endstop show', () => {
  const fieldsIn = (out: string) =>
    [...out.matchAll(/^ +"(currency|lines|total)":/gm)].map(([, name]) => name);

  it('prints the fields of a record in the order of the spec', async () => {
    const { line, id } = await withOne(verifyAll);
    const [record] = line.store.recordRows;
    if (record === undefined) throw new Error('No record.');
    const { currency, lines, total } = goodReceipt;
    line.store.recordRows[0] = { ...record, record: { total, lines, currency } };
    expect(fieldsIn((await line.run('show', id)).out)).toEqual(['currency', 'lines', 'total']);
    line.store.recordRows.push({
      ...record,
      status: 'human_verified',
      record: { total, lines, currency },
      at: epoch + 1,
    });
    expect(fieldsIn((await line.run('show', id)).out)).toHaveLength(6);
    expect(JSON.stringify(jsonLines(await line.run('show', id, '--json')))).toContain(
      '"humanRecord":{"extractionId"',
    );
  });

  it('prints those of a candidate and of a fallback alike, and which template found them', async () => {
    const { line, id } = await withOne((bench) => exhaustAll(bench, 'best_effort'));
    const row = line.store.rows.find(({ key }) => key === id);
    if (row === undefined) throw new Error('No row.');
    line.store.recordRows.push(storedRecord(row, 'fallback', { total: '4.50', currency: 'EUR' }));
    const { out } = await line.run('show', id);
    expect(out).toMatch(/fallback +till-roll: \{\n +"currency": "EUR",\n +"total": "4\.50"\n +\}/);
    expect(fieldsIn(out)).toEqual(['currency', 'total', 'currency', 'lines', 'total']);
  });
});
