import { z } from '@hono/zod-openapi';
import { Instant } from './common.js';

export const DocumentHash = z
  .string()
  .regex(/^[0-9a-f]{64}$/, {
    error: 'A document is named by its SHA-256, 64 hexadecimal digits in lower case.',
  })
  .openapi({ description: 'SHA-256 of its bytes, as `documentHash` of an extraction says.' });

export const ErasedDocument = z
  .object({
    tenant: z.string(),
    documentHash: z.string(),
    erasedAt: Instant,
    bytes: z.boolean().openapi({ description: 'False when its bytes were not kept any more.' }),
    extractions: z.number().int().openapi({ description: 'Whose texts went now.' }),
    records: z.number().int(),
    alsoHeldBy: z.array(z.string()).openapi({
      description:
        'Other tenants that keep the same bytes, for a key of all tenants; a key of one tenant is never told of others.',
    }),
    reviews: z.number().int().openapi({ description: 'That were open, and are withdrawn.' }),
  })
  .openapi('ErasedDocument');
