import { describe, expect, it } from 'vitest';
import { recordColumns } from '../../src/application/record-columns.js';
import type { StoredJson } from '../../src/ports/attempt-store.js';
import type { StoredRecord } from '../../src/ports/record-store.js';
import type { Fields } from '../../src/spec/field.js';
import { identifier, list, money, record, text } from '../../src/spec/field.js';
import { defineSpec } from '../../src/spec/index.js';
import { epoch, sumProblem } from '../support/fakes/bench.js';

const version = (schemaVersion: string, fields: Fields) =>
  defineSpec({
    id: 'bill',
    title: 'Bill',
    schemaVersion,
    prompt: { version: '1', text: 'Read it.' },
    fields,
    constraints: [],
  });

const current = version('2', {
  number: identifier('Number'),
  seller: record('Seller', { name: text('Name'), city: text('City') }),
  lines: list('Lines', { description: text('Description'), amount: money('Amount') }),
  total: money('Total'),
});
const older = version('1', { total: money('Total'), number: identifier('Number'), remark: text('Remark') });

const whole = {
  total: '4.50',
  lines: [
    { amount: '1.20', description: 'Lamp' },
    { amount: '3.30', description: 'Bulb' },
  ],
  number: 'A-1',
  seller: { city: 'Oslo', name: 'Ada' },
};

const stored = (value: StoredJson, changes: Partial<StoredRecord> = {}): StoredRecord => ({
  key: 'k',
  run: 2,
  subject: 's',
  tenant: 'acme',
  documentHash: 'h',
  specId: 'bill',
  schemaVersion: '2',
  promptVersion: '1',
  status: 'verified',
  record: value,
  evidence: [],
  ungrounded: [],
  unmet: [],
  normalisations: [],
  verifierVersion: 'bill@2',
  template: null,
  at: epoch,
  ...changes,
});

const facts = 12;
/** The cells after what is known of the record, under their titles. */
const fieldsOf = (value: StoredJson, flatten: string | null = null) => {
  const { titles, rowsOf } = recordColumns([current, older], flatten);
  return rowsOf(stored(value), 'receipt.pdf').map((row) =>
    Object.fromEntries(row.map((cell, at) => [titles[at], cell] as const).slice(facts)),
  );
};

describe('the columns of records', () => {
  it('begin with what is known of each, its status always among it', () => {
    const { titles, rowsOf } = recordColumns([current], null);
    const [row = []] = rowsOf(
      stored({ total: '1' }, { status: 'best_effort', unmet: [sumProblem, sumProblem], template: 'north' }),
      'receipt.pdf',
    );
    expect(Object.fromEntries(titles.slice(0, facts).map((title, at) => [title, row[at]]))).toEqual({
      extraction_id: 'k',
      run: '2',
      tenant: 'acme',
      spec: 'bill',
      schema_version: '2',
      prompt_version: '1',
      document_hash: 'h',
      file_name: 'receipt.pdf',
      verification_status: 'best_effort',
      recorded_at: '2026-03-01T12:00:00.000Z',
      unmet_rules: 'sum',
      template: 'north',
    });
  });

  it('go on with the fields in the order of the spec, groups taken apart, lists as JSON in their order', () => {
    expect(recordColumns([current, older], null).titles.slice(facts)).toEqual([
      'number',
      'seller.name',
      'seller.city',
      'lines',
      'total',
      'remark',
      'other_fields',
    ]);
    expect(fieldsOf(whole)).toEqual([
      {
        number: 'A-1',
        'seller.name': 'Ada',
        'seller.city': 'Oslo',
        lines: '[{"description":"Lamp","amount":"1.20"},{"description":"Bulb","amount":"3.30"}]',
        total: '4.50',
        remark: '',
        other_fields: '',
      },
    ]);
  });

  it('are the same for a record without content', () => {
    expect(Object.values(fieldsOf(null)[0] ?? {})).toEqual(['', '', '', '', '', '', '']);
  });

  it('hold what no version names in one of their own, wherever it stands', () => {
    const odd = { seller: { name: 'Ada', vat: '7' }, lines: 'none', total: ['1'], constructor: 'x' };
    expect(fieldsOf(odd)).toMatchObject([
      {
        'seller.name': 'Ada',
        lines: 'none',
        total: '["1"]',
        other_fields: '{"seller.vat":"7","constructor":"x"}',
      },
    ]);
    expect(fieldsOf({ seller: 'Ada' })).toMatchObject([
      { 'seller.name': '', other_fields: '{"seller":"Ada"}' },
    ]);
    expect(fieldsOf('nothing whole')).toMatchObject([{ other_fields: '{"record":"nothing whole"}' }]);
  });

  it('called like one of ours are told apart', () => {
    const fields = { run: identifier('Run'), other_fields: text('Others'), constructor_name: text('By') };
    expect(recordColumns([version('3', fields)], null).titles.slice(facts)).toEqual([
      'record.run',
      'record.other_fields',
      'constructor_name',
      'other_fields',
    ]);
  });
});

describe('a flattened list', () => {
  it('is a row for each item, counted, beside what is said once', () => {
    expect(recordColumns([current], 'lines').titles.slice(facts)).toEqual([
      'number',
      'seller.name',
      'seller.city',
      'total',
      'lines.#',
      'lines.description',
      'lines.amount',
      'other_fields',
    ]);
    expect(fieldsOf(whole, 'lines')).toMatchObject([
      { number: 'A-1', total: '4.50', 'lines.#': '1', 'lines.description': 'Lamp', 'lines.amount': '1.20' },
      { number: 'A-1', total: '4.50', 'lines.#': '2', 'lines.description': 'Bulb', 'lines.amount': '3.30' },
    ]);
  });

  it('without items is one row', () => {
    expect(fieldsOf({ ...whole, lines: [] }, 'lines')).toMatchObject([{ number: 'A-1', 'lines.#': '' }]);
    expect(fieldsOf(null, 'lines')).toMatchObject([{ 'lines.#': '', other_fields: '' }]);
  });

  it('keeps what is no list and what no item has a field for', () => {
    expect(fieldsOf({ lines: 'none' }, 'lines')).toMatchObject([{ other_fields: '{"lines":"none"}' }]);
    expect(fieldsOf({ lines: [{ amount: '1', unit: 'kg' }, 'two'] }, 'lines')).toMatchObject([
      { 'lines.amount': '1', other_fields: '{"unit":"kg"}' },
      { 'lines.amount': '', other_fields: '{"record":"two"}' },
    ]);
  });

  it('that the spec does not have is refused, naming those it has', () => {
    expect(() => recordColumns([current], 'rows')).toThrow('This spec has no list "rows"; it has lines.');
    expect(() => recordColumns([current], 'total')).toThrow('it has lines.');
    expect(() => recordColumns([older], 'lines')).toThrow('it has none.');
  });
});
