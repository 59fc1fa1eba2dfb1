import type { IncomingMessage } from 'node:http';
import type { JsonValue } from './json.js';

/** Published limit of one request. */
const MAX_BYTES = 32 * 1024 * 1024;

export type ReadBody =
  | { readonly kind: 'json'; readonly value: JsonValue }
  | { readonly kind: 'too_large' }
  | { readonly kind: 'malformed' };

/** Reads a request body to its end, even when it is too large, so that the caller hears the answer. */
export async function readBody(request: IncomingMessage): Promise<ReadBody> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= MAX_BYTES) chunks.push(chunk);
  }
  if (size > MAX_BYTES) return { kind: 'too_large' };
  try {
    return { kind: 'json', value: JSON.parse(Buffer.concat(chunks).toString('utf8')) as JsonValue };
  } catch {
    return { kind: 'malformed' };
  }
}
