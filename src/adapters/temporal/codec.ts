import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { type HistoryCodec, UndecodablePayload, type WirePayload } from '../../ports/payload-codec.js';

/** A key under its name. The name stands in every history that was written with it. */
export interface CodecKey {
  readonly id: string;
  /** 32 bytes. */
  readonly secret: Uint8Array;
}

const encoding = Buffer.from('binary/encrypted');
const cipherName = 'aes-256-gcm';
/** Random and of 96 bits: NIST SP 800-38D allows 2^32 of them under one key. */
const nonceBytes = 12;
const tagBytes = 16;

/**
 * AES-256-GCM over whole payloads, their metadata included. The first key encrypts, all of them decrypt; the key's id is
 * authenticated with what it encrypted. Data: nonce, ciphertext, tag.
 */
export function createHistoryCodec(keys: readonly [CodecKey, ...CodecKey[]]): HistoryCodec {
  const [current] = keys;
  const byId = new Map(keys.map((key) => [key.id, key]));
  return {
    encode: async (payloads) => payloads.map((payload) => seal(current, payload)),
    decode: async (payloads) =>
      payloads.map((payload) => {
        const { metadata, data } = payload;
        if (!encoding.equals(metadata['encoding'] ?? Buffer.of())) return payload;
        const id = Buffer.from(metadata['encryption-key-id'] ?? Buffer.of()).toString('utf8');
        const key = byId.get(id);
        if (key === undefined) {
          throw new UndecodablePayload(
            `No codec key "${id}" is configured here: add it to ENDSTOP_CODEC_KEYS, behind the current one, to read what it encrypted.`,
          );
        }
        return unseal(key, data);
      }),
  };
}

function seal({ id, secret }: CodecKey, payload: WirePayload): WirePayload {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(cipherName, secret, nonce).setAAD(boundTo(id));
  const data = Buffer.concat([nonce, cipher.update(framed(payload)), cipher.final(), cipher.getAuthTag()]);
  return { metadata: { encoding, 'encryption-key-id': Buffer.from(id) }, data };
}

function unseal({ id, secret }: CodecKey, data: Uint8Array): WirePayload {
  try {
    const nonce = data.subarray(0, nonceBytes);
    const decipher = createDecipheriv(cipherName, secret, nonce, { authTagLength: tagBytes }).setAAD(
      boundTo(id),
    );
    decipher.setAuthTag(data.subarray(data.length - tagBytes));
    const sealed = data.subarray(nonceBytes, data.length - tagBytes);
    return unframed(Buffer.concat([decipher.update(sealed), decipher.final()]));
  } catch {
    throw new UndecodablePayload(
      `A value does not open with the codec key "${id}": either another key has this id here, or the value was altered.`,
    );
  }
}

const boundTo = (id: string) => Buffer.from(`endstop payload 1 ${id}`);

/** Length of the metadata's JSON in four bytes, that JSON with values in base64, the data. */
function framed({ metadata, data }: WirePayload): Buffer {
  const texts = Object.entries(metadata).map(([name, value]) => [
    name,
    Buffer.from(value).toString('base64'),
  ]);
  const head = Buffer.from(JSON.stringify(Object.fromEntries(texts)));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(head.length);
  return Buffer.concat([length, head, data]);
}

function unframed(bytes: Buffer): WirePayload {
  const start = 4 + bytes.readUInt32BE();
  const texts = JSON.parse(bytes.subarray(4, start).toString('utf8')) as Record<string, string>;
  const metadata = Object.entries(texts).map(([name, text]) => [name, Buffer.from(text, 'base64')]);
  return { metadata: Object.fromEntries(metadata), data: bytes.subarray(start) };
}
