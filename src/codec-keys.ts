import { ConfigError } from './config-error.js';

const keyBytes = 32;

/**
 * Reads ENDSTOP_CODEC_KEYS: `id:key` entries apart by commas, spaces or lines, the key as 32 bytes in base64 or hex. The
 * first encrypts, all decrypt. @throws ConfigError that names the id, and never the key
 */
export function readCodecKeys(text: string): readonly { readonly id: string; readonly secret: Uint8Array }[] {
  const keys = text
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .map(readKey);
  const twice = keys.find(({ id }, place) => keys.findIndex((other) => other.id === id) < place);
  if (twice !== undefined)
    throw new ConfigError(`ENDSTOP_CODEC_KEYS has two keys "${twice.id}": give each its own id.`);
  return keys;
}

function readKey(entry: string, place: number) {
  const [, id, text = ''] = /^([A-Za-z0-9][A-Za-z0-9._-]{0,63}):(.+)$/.exec(entry) ?? [];
  if (id === undefined) {
    throw new ConfigError(
      `ENDSTOP_CODEC_KEYS holds an entry, number ${place + 1}, that is not of the form id:key (letters, digits, ".", "_", "-" before the colon).`,
    );
  }
  const isHex = /^[0-9a-f]{64}$/i.test(text);
  const isBase64 = /^[A-Za-z0-9+/_-]+={0,2}$/.test(text);
  const secret = isHex ? Buffer.from(text, 'hex') : Buffer.from(isBase64 ? text : '', 'base64');
  if (secret.length !== keyBytes) {
    throw new ConfigError(
      `ENDSTOP_CODEC_KEYS holds a key "${id}" of ${secret.length} bytes, but it must be ${keyBytes} bytes in base64 or hex: openssl rand -base64 32 makes one.`,
    );
  }
  return { id, secret };
}
