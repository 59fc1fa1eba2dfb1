import type { BatchItem, ExtractRequest } from './types.js';

const kinds = ['text', 'bytes', 'pages', 'sha256'] as const;
type Kind = (typeof kinds)[number];

/**
 * Programs without a compiler hand in anything: what a form or a text would turn into "undefined" is refused before it
 * is sent. `known` are the kinds that can be used here, `at` is what the caller calls it. Throws TypeError.
 */
export function checkDocument(
  document: ExtractRequest['document'] | BatchItem['document'],
  at = 'document',
  known: readonly Kind[] = kinds,
): void {
  const given: unknown = document;
  const wanted = `${at} must have one of ${known.slice(0, -1).join(', ')} and ${known.at(-1)}`;
  if (typeof given !== 'object' || given === null) throw new TypeError(`${wanted}; it is ${said(given)}.`);
  const found = known.filter((name) => name in given);
  const [kind] = found;
  if (kind === undefined || found.length > 1) {
    const names = Object.keys(given).map((name) => `"${name}"`);
    throw new TypeError(`${wanted}; it has ${names.join(', ') || 'nothing'}.`);
  }
  const value: unknown = (given as Readonly<Record<string, unknown>>)[kind];
  if (kind === 'bytes') checkBytes(given, at);
  else if (kind === 'pages') checkPages(value, `${at}.pages`);
  else if (typeof value !== 'string')
    throw new TypeError(`${at}.${kind} must be a text; it is ${said(value)}.`);
}

function checkPages(pages: unknown, at: string): void {
  if (!Array.isArray(pages)) throw new TypeError(`${at} must be a list; it is ${said(pages)}.`);
  for (const [place, page] of pages.entries()) checkBytes(page, `${at}[${place}]`);
}

function checkBytes(holder: unknown, at: string): void {
  const { bytes, mediaType } = Object(holder) as Readonly<Record<string, unknown>>;
  if (!ArrayBuffer.isView(bytes))
    throw new TypeError(`${at}.bytes must be a Uint8Array; it is ${said(bytes)}.`);
  if (typeof mediaType === 'string') return;
  throw new TypeError(`${at}.mediaType must be a text such as "application/pdf"; it is ${said(mediaType)}.`);
}

/** What it is, never what it holds: documents are nobody's error message. */
function said(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
