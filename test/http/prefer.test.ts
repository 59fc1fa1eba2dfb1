import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { preferredWait } from '../../src/http/prefer.js';

describe('the Prefer header', () => {
  it.each([
    ['wait=20', 20],
    ['respond-async, wait=5', 5],
    ['WAIT = "7"', 7],
    ['wait=10; foo=bar', 10],
    ['wait=61', 60],
    ['wait=0', 0],
    ['wait=-1', 0],
    ['wait=soon', 0],
    ['nowait=5', 0],
    [undefined, 0],
  ])('%j asks to wait %i seconds', (header, seconds) => {
    expect(preferredWait(header)).toBe(seconds);
  });

  it('never asks for less than nothing or more than a minute, whatever it says', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.integer().map((n) => `wait=${n}`),
        ),
        (header) => {
          const seconds = preferredWait(header);
          expect(seconds >= 0 && seconds <= 60 && Number.isInteger(seconds)).toBe(true);
        },
      ),
    );
  });
});
