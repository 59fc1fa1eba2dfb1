import { HttpProblem } from './problem.js';

/** As the draft standard writes it: a quoted text; many send it bare. Printable, at most 255 characters. */
const form = /^(?:"([\x20\x21\x23-\x5b\x5d-\x7e]{1,255})"|([\x21\x23-\x7e]{1,255}))$/;

/** The same for the API description. */
export const idempotencyKeyPattern = form.source;

/** The sender's own key of a request; null when it has none. Throws HttpProblem when it cannot be used. */
export function readIdempotencyKey(header: string | undefined): string | null {
  if (header === undefined) return null;
  const match = form.exec(header.trim());
  const key = match?.[1] ?? match?.[2];
  if (key !== undefined) return key;
  throw new HttpProblem({
    slug: 'invalid-parameter',
    detail: 'Idempotency-Key must be 1 to 255 printable characters, with or without quotes around them.',
  });
}
