import type { Claim } from './claim.js';
import { harbourPaper } from './claim-papers.js';
import { bytesOf, newPdf, pdfOf } from './pdf-paper.js';

/** A claim whose PDF asks for a password. */
export function encryptedPdf(claim: Claim): Promise<Buffer> {
  return pdfOf(harbourPaper(claim), { password: 'harbour' });
}

/** The first half of a file: how an upload looks that broke off. */
export function cutOff(bytes: Buffer): Buffer {
  return bytes.subarray(0, Math.floor(bytes.byteLength / 2));
}

/** A page like a fax: every letter is drawn as dots, so that people can read it and a text layer is missing. */
export async function faxPdf(lines: readonly string[]): Promise<Buffer> {
  const document = newPdf();
  const dot = 2.2;
  for (const [row, line] of lines.entries()) {
    for (const [column, letter] of [...line.toUpperCase()].entries()) {
      for (const [y, bits] of (GLYPHS[letter] ?? []).entries()) {
        for (let x = 0; x < 5; x += 1) {
          if ((bits >> (4 - x)) & 1) {
            document
              .rect(50 + column * dot * 6 + x * dot, 60 + row * dot * 11 + y * dot, dot, dot)
              .fill('#222');
          }
        }
      }
    }
  }
  return bytesOf(document);
}

/** Seven rows of five dots for each letter of the fax, from a classic dot-matrix face. */
const GLYPHS: Readonly<Record<string, readonly number[]>> = {
  A: [14, 17, 17, 31, 17, 17, 17],
  C: [14, 17, 16, 16, 16, 17, 14],
  D: [30, 17, 17, 17, 17, 17, 30],
  E: [31, 16, 16, 30, 16, 16, 31],
  F: [31, 16, 16, 30, 16, 16, 16],
  H: [17, 17, 17, 31, 17, 17, 17],
  I: [14, 4, 4, 4, 4, 4, 14],
  L: [16, 16, 16, 16, 16, 16, 31],
  M: [17, 27, 21, 21, 17, 17, 17],
  N: [17, 25, 21, 19, 17, 17, 17],
  O: [14, 17, 17, 17, 17, 17, 14],
  P: [30, 17, 17, 30, 16, 16, 16],
  R: [30, 17, 17, 30, 20, 18, 17],
  S: [15, 16, 16, 14, 1, 1, 30],
  T: [31, 4, 4, 4, 4, 4, 4],
  U: [17, 17, 17, 17, 17, 17, 14],
  Y: [17, 17, 10, 4, 4, 4, 4],
  '0': [14, 17, 19, 21, 25, 17, 14],
  '1': [4, 12, 4, 4, 4, 4, 14],
  '2': [14, 17, 1, 2, 4, 8, 31],
  '3': [31, 2, 4, 2, 1, 17, 14],
  '4': [2, 6, 10, 18, 31, 2, 2],
  '5': [31, 16, 30, 1, 1, 17, 14],
  '6': [6, 8, 16, 30, 17, 17, 14],
  '7': [31, 1, 2, 4, 8, 8, 8],
  '8': [14, 17, 17, 14, 17, 17, 14],
  '9': [14, 17, 17, 15, 1, 2, 12],
  '-': [0, 0, 0, 31, 0, 0, 0],
  '.': [0, 0, 0, 0, 0, 12, 12],
  ':': [0, 12, 12, 0, 12, 12, 0],
};
