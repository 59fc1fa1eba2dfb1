import { z } from '@hono/zod-openapi';
import { FailureClass, Id, Instant, listOf, orNull, pageOf, pageQuery, Reason } from './common.js';
import { ExtractionSummary } from './extraction.js';

const DeadLetter = z
  .object({
    id: z.string(),
    run: z.number().int(),
    state: z.enum(['parked', 'redriven', 'recovered']),
    reason: Reason,
    failureClass: orNull(FailureClass),
    spec: z.string(),
    schemaVersion: z.string(),
    promptVersion: z.string(),
    tenant: z.string(),
    documentHash: z.string(),
    fileName: z.string().nullable(),
    tags: listOf(z.string()),
    at: Instant,
  })
  .openapi('DeadLetter');

export const DeadLetterPage = pageOf(DeadLetter, 'DeadLetterPage');

const selection = {
  tenant: z.string().optional(),
  spec: z.string().optional(),
  reason: Reason.optional(),
  failureClass: FailureClass.optional(),
  promptVersion: z.string().optional(),
  schemaVersion: z.string().optional(),
};

export const DeadLetterQuery = z.object({
  ...selection,
  state: z.enum(['parked', 'redriven', 'recovered']).default('parked'),
  ...pageQuery,
});

const withVersion = z
  .string()
  .nullable()
  .default(null)
  .openapi({ description: 'Prompt version to run under; null: the one each failed under.' });

/** One extraction, wherever it went, or the parked letters that a filter selects. `{}` selects all. */
export const RedriveRequest = z
  .union([
    z.strictObject({ id: Id, with: withVersion }).openapi('RedriveOne'),
    z
      .strictObject({
        filter: z.strictObject(selection),
        with: withVersion,
        limit: z
          .number()
          .int()
          .min(1)
          .max(50)
          .default(20)
          .openapi({ description: 'Ask again for the rest.' }),
        dryRun: z.boolean().default(false),
      })
      .openapi('RedriveMany'),
  ])
  .openapi('RedriveRequest');

export const RedriveAnswer = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('counted'), parked: z.number().int() }).openapi('RedriveCounted'),
    z
      .object({
        kind: z.literal('redriven'),
        selected: z.number().int(),
        started: z.number().int(),
        attached: z.number().int(),
        alreadyVerified: z.number().int(),
        taken: z.number().int(),
        refused: z.number().int(),
        parked: z.number().int().openapi({ description: 'Still parked under this filter.' }),
      })
      .openapi('RedriveReport'),
    z.object({ kind: z.literal('running'), extraction: ExtractionSummary }).openapi('RedriveStarted'),
  ])
  .openapi('RedriveAnswer');
