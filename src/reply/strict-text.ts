import { parseFailure, type Reading } from './reading.js';
import { ValueScanner } from './value-scanner.js';

/** Reads text that is one strict JSON object, with nothing around it but whitespace and byte order marks. */
export function readStrictText(text: string): Reading {
  const scanner = new ValueScanner(text, false);
  skipBlank(scanner);
  const first = text[scanner.at];
  if (first !== '{') return parseFailure(first === '[' ? 'not_an_object' : 'text_outside_value', scanner.at);
  const value = scanner.object(1);
  if (value === undefined) return scanner.failure;
  skipBlank(scanner);
  if (scanner.at < text.length) return parseFailure('text_outside_value', scanner.at);
  return { kind: 'value', value, normalisations: scanner.normalisations };
}

function skipBlank(scanner: ValueScanner): void {
  while (Number.isNaN(scanner.skipWhitespace()) === false && scanner.text[scanner.at] === '\uFEFF') {
    scanner.normalisations.push({ kind: 'byte_order_mark', at: scanner.at });
    scanner.at += 1;
  }
}
