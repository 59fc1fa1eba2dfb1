import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from '../../src/config.js';

const key = randomBytes(32);
const keysOf = (text: string) => readConfig({ ENDSTOP_CODEC_KEYS: text }, undefined, '/').temporal.codecKeys;
const message = (text: string): string => {
  try {
    keysOf(text);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return 'accepted';
};

describe('given codec keys', () => {
  it('then each is 32 bytes in base64 or hex under its id, the current one first, however they are set apart', () => {
    const old = randomBytes(32);
    const text = `2026-b:${key.toString('base64')},\n2026-a:${old.toString('hex')}  url:${key.toString('base64url')}`;
    const read = keysOf(text).map(({ id, secret }) => [id, Buffer.from(secret).toString('hex')]);
    expect(read).toEqual([
      ['2026-b', key.toString('hex')],
      ['2026-a', old.toString('hex')],
      ['url', key.toString('hex')],
    ]);
  });

  it('when there is none, then histories are in the clear', () => {
    expect(keysOf('')).toEqual([]);
  });

  it('when one is of another length, then the sentence names its id and its length', () => {
    expect(message(`a:${randomBytes(16).toString('base64')}`)).toBe(
      'ENDSTOP_CODEC_KEYS holds a key "a" of 16 bytes, but it must be 32 bytes in base64 or hex: openssl rand -base64 32 makes one.',
    );
  });

  it('when two have one id, or an entry has none, then that is said', () => {
    const one = key.toString('base64');
    expect(message(`a:${one},b:${one},a:${one}`)).toBe(
      'ENDSTOP_CODEC_KEYS has two keys "a": give each its own id.',
    );
    expect(message(`a:${one},${one}`)).toMatch(/^ENDSTOP_CODEC_KEYS holds an entry, number 2, that is not/);
  });

  it('then no message repeats a key, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 12, maxLength: 80 }), (secret) => {
        const said = message(`a:${secret}`);
        if (said !== 'accepted') expect(said).not.toContain(secret);
      }),
    );
  });
});
