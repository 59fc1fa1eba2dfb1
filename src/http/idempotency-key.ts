import { z } from '@hono/zod-openapi';
import { HttpProblem } from './problem.js';

/** As the draft standard writes it: a quoted text; many send it bare. Printable, at most 255 characters. */
const form = /^(?:"([\x20\x21\x23-\x5b\x5d-\x7e]{1,255})"|([\x21\x23-\x7e]{1,255}))$/;

/** The header for the description of an operation that takes it. */
export const idempotencyKey = (leadsTo: 'run' | 'batch') => ({
  'idempotency-key': z
    .string()
    .optional()
    .openapi({
      example: 'invoice-2026-0042',
      pattern: form.source,
      description: `Your own name for this request. Sent again within 24 hours under the same key, it leads to the same ${leadsTo}; with another body it is refused.`,
    }),
});

/** Refuses a key where it would mean nothing: whoever sends one counts on it. Throws HttpProblem. */
export function refuseIdempotencyKey(header: string | undefined): void {
  if (header === undefined) return;
  throw new HttpProblem({
    slug: 'idempotency-unsupported',
    detail: 'This operation takes no Idempotency-Key; only POST /v1/extractions and POST /v1/batches do.',
  });
}

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
