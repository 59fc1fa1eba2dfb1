import { z } from '@hono/zod-openapi';
import { Tenant } from './common.js';

export const Budgets = z
  .strictObject({
    attemptCap: z.number().optional(),
    deadlineMs: z.number().optional(),
    tokenCap: z.number().optional(),
    moneyCap: z.strictObject({ amount: z.string(), currency: z.string() }).optional(),
  })
  .openapi('Budgets', { description: 'Tighter bounds than the spec has; looser ones are refused.' });

const shared = {
  spec: z.string().min(1).openapi({ example: 'claim' }),
  tenant: Tenant.optional(),
  tags: z
    .array(z.string().openapi({ minLength: 1, maxLength: 64 }))
    .max(16)
    .default([]),
  budgets: Budgets.default({}),
  fileName: z.string().nullable().default(null),
  webhookUrl: z
    .string()
    .optional()
    .openapi({ description: 'Told when it ends, and whatever becomes of the document later.' }),
  redrive: z.boolean().default(false).openapi({ description: 'Run again what has ended unverified.' }),
};

export const TextDocument = z.strictObject({ text: z.string() }).openapi('TextDocument');

export const Base64Document = z
  .strictObject({
    base64: z.base64(),
    mediaType: z.string().openapi({ example: 'application/pdf' }),
  })
  .openapi('Base64Document');

const StoredDocument = z
  .strictObject({
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/, { error: 'It must be 64 hexadecimal digits in lower case.' })
      .openapi({ description: 'Of a document that the tenant handed in before.' }),
  })
  .openapi('StoredDocument');

export const JsonSubmission = z
  .strictObject({
    ...shared,
    document: z.union([TextDocument, Base64Document, StoredDocument], {
      error: 'It must hold either text, or base64 with mediaType, or sha256',
    }),
  })
  .openapi('Submission');

/** The fields of a form beside its file. Lists and objects are JSON texts, or a field given several times for tags. */
export const FormSubmission = z.strictObject({
  ...shared,
  fileName: z.undefined().optional(),
  redrive: z.enum(['true', 'false']).default('false'),
});

/** Only for the API description: a form is read by hand, since its file is no text. */
export const formDescription = {
  type: 'object' as const,
  required: ['spec'],
  // As FormSubmission is: a field that is not known is refused.
  additionalProperties: false,
  properties: {
    spec: { type: 'string' as const },
    document: {
      type: 'string' as const,
      format: 'binary',
      description: 'The file; its type and name are used. Either this or `page`.',
    },
    page: {
      type: 'array' as const,
      items: { type: 'string' as const, format: 'binary' },
      description: 'PNG, JPEG or WebP images that are the pages of one document, in this order.',
    },
    tenant: { type: 'string' as const },
    tags: { type: 'array' as const, items: { type: 'string' as const, minLength: 1, maxLength: 64 } },
    budgets: { type: 'string' as const, description: 'Budgets as JSON.' },
    webhookUrl: { type: 'string' as const },
    redrive: { type: 'string' as const, enum: ['true', 'false'] },
  },
};
