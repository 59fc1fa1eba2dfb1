import type { ReadDocument } from '../../ports/document-reader.js';
import { sniff } from './media.js';

/**
 * A text document: UTF-8 without NUL bytes, one page for each stretch between form feeds. A byte order mark is no part
 * of the text. Nothing but white space is an empty document: there is nothing to extract.
 */
export function readText(bytes: Uint8Array): ReadDocument {
  const text = decode(bytes);
  if (text === null) return { kind: 'unreadable', fault: 'mislabelled' };
  if (text.trim() === '') return { kind: 'unreadable', fault: 'empty' };
  // A form feed at the very end closes the last page, as printers expect it to.
  const pages = text.replace(/\f\s*$/, '').split('\f');
  return { kind: 'readable', pages: pages.length, text: { pages } };
}

function decode(bytes: Uint8Array): string | null {
  // A text may mention %PDF- further down; only one that begins with a binary mark is something else.
  const kind = sniff(bytes);
  if (kind !== null && (kind !== 'pdf' || bytes[0] === 0x25)) return null;
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
