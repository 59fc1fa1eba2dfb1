import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createHistoryCodec } from '../../../src/adapters/temporal/codec.js';
import { UndecodablePayload, type WirePayload } from '../../../src/ports/payload-codec.js';

const key = (id: string) => ({ id, secret: randomBytes(32) });
const [one, two] = [key('one'), key('two')];
const text = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? Buffer.of()).toString('utf8');
const plain = (said: string): WirePayload => ({
  metadata: { encoding: Buffer.from('json/plain') },
  data: Buffer.from(JSON.stringify(said)),
});
const same = (one: WirePayload | undefined, other: WirePayload | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other);
const hexOf = ({ metadata, data }: WirePayload) => [
  Object.entries(metadata).map(([name, value]) => [name, Buffer.from(value).toString('hex')]),
  Buffer.from(data).toString('hex'),
];

describe('given a codec key', () => {
  it('then whatever is encoded comes back to the byte, metadata included', async () => {
    const codec = createHistoryCodec([one]);
    const payload = fc.record({
      metadata: fc.dictionary(
        fc.string({ minLength: 1 }).filter((name) => name !== '__proto__'),
        fc.uint8Array(),
      ),
      data: fc.uint8Array({ maxLength: 5_000 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(payload, { maxLength: 3 }), async (payloads) => {
        const decoded = await codec.decode(await codec.encode(payloads));
        expect(decoded.map(hexOf)).toEqual(payloads.map(hexOf));
      }),
    );
  });

  it('then what is encoded says nothing but the key that opens it, and never twice the same', async () => {
    const codec = createHistoryCodec([one]);
    const [first, second] = await codec.encode([plain('the same words'), plain('the same words')]);
    expect(Object.keys(first?.metadata ?? {})).toEqual(['encoding', 'encryption-key-id']);
    expect(text(first?.metadata['encryption-key-id'])).toBe('one');
    expect(text(first?.data)).not.toMatch(/same words|json/);
    expect(same(first, second)).toBe(false);
  });

  it('when it is rotated, then the new one encrypts, the old one still decodes, and so does what was in the clear', async () => {
    const [before] = await createHistoryCodec([one]).encode([plain('before')]);
    const rotated = createHistoryCodec([two, one]);
    const [after] = await rotated.encode([plain('after')]);
    if (before === undefined || after === undefined) throw new Error('nothing was encoded');
    const opened = await rotated.decode([before, after, plain('never encoded')]);
    expect(opened.map(({ data }) => text(data))).toEqual(['"before"', '"after"', '"never encoded"']);
    expect(text(after.metadata['encryption-key-id'])).toBe('two');
  });

  it('when it is rotated in the order that the guide gives, then processes of two steps read each other', async () => {
    const steps = [
      ...readFileSync('docs/operate.md', 'utf8').matchAll(/^\| \w+ \| `((?:old|new):.*?)` \|/gm),
    ];
    const given = { old: one, new: two };
    const codecs = steps.map(([, list = '']) => {
      const [first, ...rest] = list.split(',').map((entry) => given[entry.startsWith('old') ? 'old' : 'new']);
      if (first === undefined) throw new Error('a step without a key');
      return createHistoryCodec([first, ...rest]);
    });
    expect(codecs).toHaveLength(4);
    for (const [place, codec] of codecs.entries()) {
      const next = codecs[place + 1] ?? codec;
      const crossed = [
        await codec.decode(await next.encode([plain('later')])),
        await next.decode(await codec.encode([plain('sooner')])),
      ];
      expect(crossed.flat().map(({ data }) => text(data))).toEqual(['"later"', '"sooner"']);
    }
  });

  it('when it is missing, then the fault names it', async () => {
    const sealed = await createHistoryCodec([one]).encode([plain('x')]);
    await expect(createHistoryCodec([two]).decode(sealed)).rejects.toThrow(
      new UndecodablePayload(
        'No codec key "one" is configured here: add it to ENDSTOP_CODEC_KEYS, behind the current one, to read what it encrypted.',
      ),
    );
  });

  it('when any bit of a value or the name of its key is changed, then it does not open', async () => {
    const codec = createHistoryCodec([one, { ...one, id: 'alias' }]);
    const [sealed] = await codec.encode([plain('100.00')]);
    if (sealed === undefined) throw new Error('nothing was encoded');
    await fc.assert(
      fc.asyncProperty(fc.nat(sealed.data.length * 8 - 1), async (bit) => {
        const data = Buffer.from(sealed.data);
        data[bit >> 3] = (data[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        await expect(codec.decode([{ ...sealed, data }])).rejects.toThrow(
          /does not open with the codec key "one"/,
        );
      }),
    );
    const renamed = { ...sealed.metadata, 'encryption-key-id': Buffer.from('alias') };
    await expect(codec.decode([{ ...sealed, metadata: renamed }])).rejects.toThrow(UndecodablePayload);
    await expect(codec.decode([{ ...sealed, data: Buffer.of(1, 2) }])).rejects.toThrow(UndecodablePayload);
  });
});
