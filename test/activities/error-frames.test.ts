import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { errorFrames } from '../../activities/error-frames.js';

describe('the frames of an unexpected error', () => {
  it('name it and say where it came from', () => {
    const frames = errorFrames(new RangeError('too much')).split('\n');
    expect(frames[0]).toBe('RangeError');
    expect(frames[1]).toContain('error-frames.test');
    expect(frames.length).toBeLessThanOrEqual(9);
  });

  it('hold no line of its message, not even one that looks like a frame', () => {
    const error = new Error('cannot read\n    at Ada Muster (12 High Street:1:2)\n at 1,204.375 EUR');
    expect(errorFrames(error)).not.toMatch(/Ada|1,204/);
  });

  it('hold nothing of any message', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 3, unit: 'grapheme' }), (text) => {
        const marker = `<<${text}>>`;
        for (const message of [marker, `${marker}\n    at ${marker} (a.ts:1:1)`, `\n    at ${marker}:1:1`]) {
          expect(errorFrames(new Error(message))).not.toContain(marker);
        }
      }),
    );
  });

  it('leave out a stack that does not begin with the message, rather than guess', () => {
    const error = new Error('first');
    expect(error.stack).toContain('first');
    error.message = 'second';
    expect(errorFrames(error)).toBe('Error');
  });

  it('of what is no error say only what it is', () => {
    expect(errorFrames('cannot read Ada Muster')).toBe('string');
  });
});
