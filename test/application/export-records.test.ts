import { describe, expect, it } from 'vitest';
import { type ExportRequest, exportRecords } from '../../src/application/export-records.js';
import { submitExtraction } from '../../src/application/submit-extraction.js';
import { createCatalogue } from '../../src/spec/catalogue.js';
import { defineSpec, text } from '../../src/spec/index.js';
import { csvObjects } from '../support/csv.js';
import { type Bench, createBench, storedRecord, textSubmission } from '../support/fakes/bench.js';
import { badReceipt, goodReceipt, receiptSpec } from '../support/fakes/receipt-spec.js';

async function written(bench: Bench, request: Partial<ExportRequest>): Promise<string> {
  let whole = '';
  const asked: ExportRequest = { filter: {}, format: 'jsonl', flatten: null, ...request };
  for await (const { text } of exportRecords(bench.app, asked)) whole += text;
  return whole;
}

async function withRecords(): Promise<Bench> {
  const bench = createBench();
  const { extraction } = await submitExtraction(bench.app, textSubmission('a'));
  // As the database gives keys back.
  const { currency, lines, total } = goodReceipt;
  bench.store.recordRows.push(storedRecord(extraction, 'verified', { lines, total, currency }));
  bench.store.recordRows.push(storedRecord(extraction, 'best_effort', badReceipt));
  return bench;
}

const other = defineSpec({
  id: 'note',
  title: 'Note',
  schemaVersion: '1',
  prompt: { version: '1', text: 'Read it.' },
  fields: { body: text('Body') },
  constraints: [],
});

describe('an export', () => {
  it('as JSON lines is what the API shows, fields in the order of the spec, verified ones only', async () => {
    const out = await written(await withRecords(), {});
    const [line, ...rest] = out.split('\n').filter((text) => text !== '');
    expect(rest).toEqual([]);
    expect(JSON.parse(line ?? '')).toMatchObject({ verificationStatus: 'verified', spec: 'receipt' });
    expect(line).toContain(
      '"record":{"currency":"EUR","lines":[{"amount":"1.20"},{"amount":"3.30"}],"total":"4.50"}',
    );
  });

  it('as CSV has a header, also when there is no record', async () => {
    const bench = await withRecords();
    const rows = csvObjects(await written(bench, { format: 'csv' }));
    expect(rows).toMatchObject([{ verification_status: 'verified', currency: 'EUR', total: '4.50' }]);
    const none = await written(bench, { format: 'csv', filter: { tenant: 'nobody' } });
    expect(none).toMatch(
      /^extraction_id,run,.*,verification_status,.*,currency,lines,total,other_fields\r\n$/,
    );
  });

  it('holds other statuses only when they are asked for, and says so in each row', async () => {
    const bench = await withRecords();
    const filter = { statuses: ['best_effort', 'verified'] as const };
    const rows = csvObjects(await written(bench, { format: 'csv', filter }));
    expect(rows.map((row) => row['verification_status'])).toEqual(['verified', 'best_effort']);
  });

  it('counts the records of each part', async () => {
    const bench = await withRecords();
    const asked: ExportRequest = { filter: {}, format: 'csv', flatten: 'lines' };
    const counts: number[] = [];
    for await (const { records } of exportRecords(bench.app, asked)) counts.push(records);
    expect(counts).toEqual([1]);
    expect(csvObjects(await written(bench, asked))).toHaveLength(2);
  });

  it('as CSV of several specs is refused before anything is written, naming them', async () => {
    const bench = createBench(createCatalogue([receiptSpec(), other]));
    const asked: ExportRequest = { filter: {}, format: 'csv', flatten: null };
    expect(() => exportRecords(bench.app, asked)).toThrow(
      'CSV has one header for all its rows: name one spec (receipt, note), or ask for jsonl.',
    );
    expect(await written(bench, { format: 'csv', filter: { specId: 'note' } })).toContain(',body,');
    expect(await written(bench, {})).toBe('');
  });

  it.each<[string, Partial<ExportRequest>, RegExp]>([
    ['an unknown spec', { format: 'csv', filter: { specId: 'nil' } }, /There is no spec "nil"/],
    ['an unknown list', { format: 'csv', flatten: 'rows' }, /no list "rows"/],
    ['flattened JSON lines', { flatten: 'lines' }, /Only CSV is flattened/],
  ])('of %s is refused before anything is written', (_what, request, message) => {
    const { app } = createBench();
    expect(() => exportRecords(app, { filter: {}, format: 'jsonl', flatten: null, ...request })).toThrow(
      message,
    );
  });
});
