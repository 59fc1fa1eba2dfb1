import { describe, expect, it } from 'vitest';
import { readReply } from '../../src/reply/read-reply.js';
import { readPlain, readStrict, told } from './told.js';

describe('size', () => {
  const nested = (depth: number) => `${'{"a":'.repeat(depth - 1)}{}${'}'.repeat(depth - 1)}`;
  const listed = (depth: number) => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;

  const cases: readonly (readonly [name: string, text: string, expected: string])[] = [
    ['64 levels of objects', nested(64), nested(64)],
    ['65 levels of objects', nested(65), 'too_deep@320'],
    ['64 levels of lists', listed(64), listed(64)],
    ['65 levels of lists', listed(65), 'too_deep@68'],
    ['a bomb of objects', '{"a":'.repeat(1_000_000), 'too_deep@320'],
    ['a bomb of lists', `{"a":${'['.repeat(5_000_000)}`, 'too_deep@68'],
  ];

  it.each(cases)('%s', (_name, text, expected) => {
    expect(told(readPlain(text))).toBe(expected);
    expect(told(readStrict(text))).toBe(expected);
  });

  it('reads a reply of 5 MB', () => {
    const rows = Array.from(
      { length: 60_000 },
      (_, row) => `{"row":${row},"text":"${'x\\n€'.repeat(16)}","net":"${row}.50"}`,
    );
    const text = `{"rows":[${rows.join(',')}]}`;
    expect(text.length).toBeGreaterThan(5_000_000);
    for (const reading of [readPlain(text), readStrict(text)]) {
      expect(reading.kind === 'value' && (reading.value['rows'] as readonly unknown[]).length).toBe(60_000);
    }
  });

  it('reads one string of 5 MB, plain and of escapes only', () => {
    for (const unit of ['x', '\\n', '\\ud83d\\ude00', '😀']) {
      const body = unit.repeat(5_000_000 / unit.length);
      const reading = readStrict(`{"a":"${body}"}`);
      expect(reading.kind === 'value' && reading.value['a'] === JSON.parse(`"${body}"`)).toBe(true);
    }
  });

  it('reads 100,000 keys, and finds the one that is repeated', () => {
    for (const name of ['k', '']) {
      const keys = Array.from({ length: 100_000 }, (_, index) => `"${name}${index * 7}":${index}`);
      const reading = readStrict(`{${keys.join(',')}}`);
      expect(reading.kind === 'value' && Object.keys(reading.value).length).toBe(100_000);
      expect(told(readStrict(`{${keys.join(',')},"${name}7":0}`))).toMatch(/^duplicate_key@/);
    }
  });

  it('gets through a megabyte of whatever would make a search start again and again', () => {
    for (const unit of [
      '<',
      '[',
      ']',
      '{a}',
      '[1] ',
      '<think',
      '</think>',
      '<think></think>',
      '`',
      ' ',
      '"',
      '\uFEFF',
      ',',
    ]) {
      const filler = unit.repeat(1_000_000 / unit.length);
      expect(readPlain(`${filler}.\n{"a":1}`).kind).toBe('value');
    }
    expect(told(readPlain('<think>'.repeat(150_000)))).toBe('unclosed_think@0');
    expect(told(readPlain(`{"a":1}${' '.repeat(16_000)}`.repeat(64)))).toBe('{"a":1}');
  });

  it('refuses more than 8,388,608 characters before looking at them', () => {
    const limit = 8_388_608;
    const text = `{"a":"${'x'.repeat(limit - 8)}"}`;
    expect(readStrict(text).kind).toBe('value');
    expect(readReply({ stopReason: 'end_turn', text: `${text} `, mode: 'plain' })).toMatchObject({
      failureClass: 'parse',
      code: 'too_large',
      at: null,
    });
  });
});
