import { describe, expect, it } from 'vitest';
import specs from '../../specs/index.js';
import { createCatalogue, labelOf } from '../../src/spec/catalogue.js';
import { defineSpec, money, SpecError } from '../../src/spec/index.js';

const version = (schemaVersion: string, prompt: string) =>
  defineSpec({
    id: 'receipt',
    title: 'Receipt',
    schemaVersion,
    prompt: { version: prompt, text: 'A receipt.' },
    fields: { total: money('Total') },
    constraints: [],
  });

describe('a catalogue', () => {
  const newest = version('2', 'v8');
  const older = version('2', 'v7');
  const catalogue = createCatalogue([newest, older, ...specs]);

  it('finds a spec by id and both versions, and no other', () => {
    expect(catalogue.find({ id: 'receipt', schemaVersion: '2', promptVersion: 'v7' })).toBe(older);
    expect(catalogue.find(labelOf(newest))).toBe(newest);
    expect(catalogue.find({ id: 'receipt', schemaVersion: '1', promptVersion: 'v7' })).toBeNull();
    expect(catalogue.find({ id: 'receip', schemaVersion: 't2', promptVersion: 'v7' })).toBeNull();
  });

  it('starts new extractions under the version listed first', () => {
    expect(catalogue.current('receipt')).toBe(newest);
    expect(catalogue.current('claim')?.id).toBe('claim');
    expect(catalogue.current('unknown')).toBeNull();
  });

  it('lists every version in the order given', () => {
    expect(catalogue.list().map(({ id }) => id)).toEqual([
      'receipt',
      'receipt',
      ...specs.map(({ id }) => id),
    ]);
  });

  it('refuses two specs of one label, naming it', () => {
    const create = () => createCatalogue([older, version('2', 'v7')]);
    expect(create).toThrow(SpecError);
    expect(create).toThrow(/"receipt" with schema version "2" and prompt version "v7"/);
  });
});
