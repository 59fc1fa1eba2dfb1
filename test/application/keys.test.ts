import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { extractionKey, type KeyParts, subjectKey } from '../../src/application/keys.js';

const names = ['tenant', 'documentHash', 'specId', 'schemaVersion', 'promptVersion'] as const;
/** Short texts over few characters, quotes and commas among them, so that parts often touch and often repeat. */
const part = fc.string({ unit: fc.constantFrom('a', 'b', '"', ',', '\\', '[', '\u0000'), maxLength: 4 });
const parts: fc.Arbitrary<KeyParts> = fc.record({
  tenant: part,
  documentHash: part,
  specId: part,
  schemaVersion: part,
  promptVersion: part,
});

describe('an extraction key', () => {
  it('is 64 hexadecimal digits, the same for the same parts', () => {
    fc.assert(
      fc.property(parts, (some) => {
        expect(extractionKey(some)).toMatch(/^[0-9a-f]{64}$/);
        expect(extractionKey({ ...some })).toBe(extractionKey(some));
      }),
    );
  });

  it('differs whenever any part differs, however the parts touch', () => {
    fc.assert(
      fc.property(parts, parts, (one, other) => {
        const same = names.every((name) => one[name] === other[name]);
        expect(extractionKey(one) === extractionKey(other)).toBe(same);
      }),
      { numRuns: 2_000 },
    );
  });

  it('stays what it was when this was written, so that stored rows are found again', () => {
    const documentHash = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
    const stored = { tenant: 'acme', documentHash, specId: 'claim', schemaVersion: '1', promptVersion: 'v7' };
    expect(extractionKey(stored)).toBe('3b63549685bf0e3d1c68dd5015e9a2cb4cc8f516cbb1ed2dc9a704ec22f08f2a');
    expect(subjectKey(stored)).toBe('b005e0c8107a54c13d0eecd630e48cc92136bb918256ef2c3edbb9433f6396d4');
  });
});

describe('a subject', () => {
  it('is the same whatever the versions, and never a key', () => {
    fc.assert(
      fc.property(parts, part, part, (some, schemaVersion, promptVersion) => {
        expect(subjectKey({ ...some, schemaVersion, promptVersion } as KeyParts)).toBe(subjectKey(some));
        expect(subjectKey(some)).not.toBe(extractionKey(some));
      }),
    );
  });

  it('differs between tenants, documents and specs', () => {
    fc.assert(
      fc.property(parts, parts, (one, other) => {
        const same = names.slice(0, 3).every((name) => one[name] === other[name]);
        expect(subjectKey(one) === subjectKey(other)).toBe(same);
      }),
      { numRuns: 2_000 },
    );
  });
});
