import { z } from '@hono/zod-openapi';
import { reviewStepKinds } from '../../ports/review-store.js';
import { AnyJson, Evidence, FailureClass, Instant, listOf, orNull } from './common.js';
import { DiagnosisOrNull } from './extraction.js';
import { Arithmetic, Draft, Run, reviewSummary, Verb } from './review.js';

const UnmetField = z
  .object({
    pointer: z.string(),
    title: z.string().nullable(),
    rules: listOf(
      z.object({
        rule: z.string(),
        says: z.string().nullable(),
        message: z.string(),
        expected: z.string().nullable(),
        found: z.string().nullable(),
      }),
    ),
  })
  .openapi('UnmetField');

const FieldReading = z
  .object({
    pointer: z.string(),
    title: z.string().nullable(),
    state: z.enum(['value', 'not_printed', 'blank', 'null', 'missing']).openapi({
      description: 'A value, an honest answer for one that is not there, or no answer at all.',
    }),
    value: AnyJson,
    evidence: listOf(Evidence).openapi({ description: 'Where it stands, and as it is printed there.' }),
    ungrounded: z.boolean(),
    unmet: listOf(z.string()),
  })
  .openapi('FieldReading');

const AttemptColumn = z
  .object({
    attempt: z.number().int(),
    model: z.string(),
    failureClass: orNull(FailureClass),
    unmet: listOf(z.object({ rule: z.string(), pointer: z.string() })),
    hasCandidate: z.boolean(),
  })
  .openapi('AttemptColumn');

const FieldChange = z
  .object({
    pointer: z.string(),
    title: z.string().nullable(),
    values: listOf(z.object({ attempt: z.number().int(), value: AnyJson })),
  })
  .openapi('FieldChange');

const Decision = z
  .object({
    id: z.string(),
    verb: Verb,
    values: AnyJson,
    original: AnyJson,
    overrides: listOf(z.string()),
    carriedOut: z.boolean(),
  })
  .openapi('StoredDecision');

const Step = z
  .object({
    kind: z.enum(reviewStepKinds),
    actor: z.string().nullable(),
    holder: z.string().nullable(),
    leaseExpiresAt: Instant.nullable(),
    note: z.string().nullable(),
    run: orNull(Run),
    version: z.number().int().nullable(),
    decision: orNull(Decision),
    at: Instant,
  })
  .openapi('ReviewStep');

export const ReviewSheet = z
  .object({
    ...reviewSummary,
    fileName: z.string().nullable(),
    documentHash: z.string(),
    why: z.string(),
    diagnosis: DiagnosisOrNull,
    unmet: listOf(UnmetField),
    arithmetic: listOf(Arithmetic),
    fields: listOf(FieldReading),
    candidate: AnyJson,
    attempts: listOf(AttemptColumn),
    changes: listOf(FieldChange),
    draft: orNull(Draft),
    trail: listOf(Step),
  })
  .openapi('Review');
