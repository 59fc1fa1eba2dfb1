import { z } from '@hono/zod-openapi';
import {
  AnyJson,
  FailureClass,
  Instant,
  instantQuery,
  listOf,
  Money,
  NormalisationCount,
  OfTenant,
  orNull,
  Problem,
  pageOf,
  pageQuery,
  Reason,
  RouteName,
} from './common.js';
import { RecordDocument } from './record.js';

const Verified = z
  .object({
    kind: z.literal('verified'),
    record: AnyJson,
    attempts: z.number().int(),
    verifierVersion: z.string(),
    normalisations: listOf(NormalisationCount),
    tokens: z.number().int(),
  })
  .openapi('Verified');

const Diagnosis = z
  .discriminatedUnion('kind', [
    z
      .object({
        kind: z.literal('contradiction'),
        rules: z.tuple([z.string(), z.string()]).readonly(),
        pointer: z.string(),
        values: z.tuple([z.string(), z.string()]).readonly().nullable(),
        explanation: z.string().nullable(),
      })
      .openapi('Contradiction'),
    z.object({ kind: z.literal('oscillation'), rules: listOf(z.string()) }).openapi('Oscillation'),
    z.object({ kind: z.literal('unreadable'), fault: z.string() }).openapi('Unreadable'),
  ])
  .openapi('Diagnosis');

export const DiagnosisOrNull = orNull(Diagnosis);

const Unverified = z
  .object({
    kind: z.literal('unverified'),
    bestEffort: AnyJson,
    unmet: listOf(Problem),
    attempts: z.number().int(),
    reason: Reason,
    failureClass: orNull(FailureClass),
    diagnosis: DiagnosisOrNull,
    tokens: z.number().int(),
    route: orNull(RouteName),
    fallback: z.object({ fields: AnyJson, template: z.string() }).nullable(),
  })
  .openapi('Unverified');

/** Exhaustion is a result: both kinds come with status 200. */
const Outcome = z.discriminatedUnion('kind', [Verified, Unverified]).openapi('Outcome');

const summary = {
  id: z.string(),
  run: z.number().int(),
  state: z.enum(['running', 'ended']),
  outcomeKind: z.enum(['verified', 'unverified']).nullable(),
  reason: orNull(Reason),
  failureClass: orNull(FailureClass),
  route: orNull(RouteName),
  spec: z.string(),
  schemaVersion: z.string(),
  promptVersion: z.string(),
  tenant: z.string(),
  documentHash: z.string(),
  fileName: z.string().nullable(),
  tags: listOf(z.string()),
  batch: z.string().nullable(),
  provider: z
    .string()
    .nullable()
    .openapi({ description: 'The server that gave the last answer; null while none answered.' }),
  model: z.string().nullable().openapi({ description: 'The model that gave the last answer.' }),
  attempts: z.number().int(),
  calls: z.number().int(),
  tokens: z.number().int(),
  cost: Money,
  startedAt: Instant,
  deadlineAt: Instant,
  closedAt: Instant.nullable(),
  durationMs: z.number().int().nullable(),
  erasedAt: Instant.nullable().openapi({ description: 'Since then only counts are left of it.' }),
};

export const ExtractionSummary = z.object(summary).openapi('ExtractionSummary');
export const ExtractionPage = pageOf(ExtractionSummary, 'ExtractionPage');

const whole = {
  ...summary,
  outcome: orNull(Outcome),
  humanRecord: orNull(RecordDocument),
  engineUrl: z.string().nullable(),
};

export const Extraction = z.object(whole).openapi('Extraction');

export const SubmittedExtraction = z
  .object({
    ...whole,
    submission: z.object({
      kind: z.enum(['started', 'attached', 'ended']),
      policyDiffers: z
        .boolean()
        .openapi({ description: 'The run there is keeps its own bounds, not the ones asked for.' }),
    }),
  })
  .openapi('SubmittedExtraction');

export const Cancelling = z
  .object({ kind: z.enum(['requested', 'ended']), extraction: ExtractionSummary })
  .openapi('Cancelling');

export const ExtractionQuery = z.object({
  tenant: OfTenant,
  state: z.enum(['running', 'ended']).optional(),
  outcome: z.enum(['verified', 'unverified']).optional(),
  reason: Reason.optional(),
  class: FailureClass.optional().openapi({ description: 'Of the last rejected attempt.' }),
  route: RouteName.optional(),
  spec: z.string().optional(),
  batch: z.string().optional(),
  tag: z.string().optional(),
  file: z
    .string()
    .min(1)
    .optional()
    .openapi({ description: 'Whose document has a name that begins like this, in capitals or not.' }),
  since: instantQuery('Started at this instant or later.'),
  until: instantQuery('Started before this instant.'),
  ...pageQuery,
});
