import { describe, expect, it } from 'vitest';
import { nearestWord, suggestion } from '../../src/domain/nearest-word.js';

describe('the nearest word', () => {
  it.each([
    ['human_reveiw', ['fallback', 'human_review', 'best_effort', 'dead_letter'], 'human_review'],
    ['isodate', ['identifier', 'isoDate', 'list'], 'isoDate'],
    ['/totl', ['/total', '/tax'], '/total'],
    ['qty', ['amount', 'quantity'], 'quantity'],
    ['ENDSTOP_SPEC', ['ENDSTOP_SPECS', 'ENDSTOP_HOME'], 'ENDSTOP_SPECS'],
  ])('to %s is the one that was meant', (word, words, meant) => {
    expect(nearestWord(word, words)).toEqual({ word: meant, isNear: true });
    expect(suggestion(word, words)).toBe(`; did you mean "${meant}"?`);
  });

  it('is not claimed to be meant when nothing is alike', () => {
    expect(nearestWord('zzzz', ['total'])).toEqual({ word: 'total', isNear: false });
    expect(suggestion('zzzz', ['total', 'tax'])).toBe('; there is total, tax.');
    expect(nearestWord('total', [])).toBeNull();
    expect(suggestion('total', [])).toBe('.');
  });
});
