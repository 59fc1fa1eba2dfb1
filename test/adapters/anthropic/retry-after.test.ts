import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { retryAfterMs } from '../../../src/adapters/anthropic/retry-after.js';

const now = Date.UTC(2026, 10, 30, 12, 0, 0);
const waitOf = (headers: Record<string, string>) => retryAfterMs(new Headers(headers), now);

describe('how long a provider asks to be left alone', () => {
  it.each([
    ['0', 0],
    ['1', 1_000],
    [' 1.5 ', 1_500],
    ['3600', 3_600_000],
    ['Mon, 30 Nov 2026 12:01:00 GMT', 60_000],
    ['Monday, 30-Nov-26 12:01:00 GMT', 60_000],
    ['Mon, 30 Nov 2026 11:59:59 GMT', 0],
    ['-1', null],
    ['', null],
    ['soon', null],
    ['1e9', null],
    ['Infinity', null],
    ['2026-11-30', null],
    ['Monday', null],
    ['12345678901', null],
  ])('Retry-After %j is %j ms', (header, expected) => {
    expect(waitOf({ 'retry-after': header })).toBe(expected);
  });

  it('is read from retry-after-ms first, if that means anything', () => {
    expect(waitOf({ 'retry-after-ms': '1500.2', 'retry-after': '9' })).toBe(1_501);
    expect(waitOf({ 'retry-after-ms': 'x', 'retry-after': '9' })).toBe(9_000);
    expect(waitOf({ 'retry-after-ms': '40' })).toBe(40);
    expect(waitOf({})).toBeNull();
  });

  it('is a whole number of milliseconds or nothing, whatever the header', () => {
    const header = fc.oneof(
      fc.stringMatching(/^[ -~]{0,30}$/),
      fc.double().map(String),
      fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
    );
    fc.assert(
      fc.property(header, fc.constantFrom('retry-after', 'retry-after-ms'), (value, name) => {
        const ms = waitOf({ [name]: value });
        expect(ms === null || (Number.isSafeInteger(ms) && ms >= 0)).toBe(true);
      }),
    );
  });
});
