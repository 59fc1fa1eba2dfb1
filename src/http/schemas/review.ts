import { z } from '@hono/zod-openapi';
import { reviewVerbs } from '../../ports/review-store.js';
import {
  AnyJson,
  FailureClass,
  Instant,
  listOf,
  Money,
  orNull,
  Problem,
  pageOf,
  pageQuery,
  Reason,
} from './common.js';
import { DiagnosisOrNull, ExtractionSummary } from './extraction.js';

const Verb = z.enum(reviewVerbs).openapi('ReviewVerb');

const summary = {
  id: z.string(),
  extractionId: z.string(),
  run: z.number().int(),
  spec: z.string(),
  tenant: z.string(),
  state: z.enum(['open', 'decided', 'withdrawn']),
  reason: Reason,
  failureClass: orNull(FailureClass),
  amount: orNull(Money),
  holder: z.string().nullable(),
  leaseExpiresAt: Instant.nullable(),
  createdAt: Instant,
  dueAt: Instant,
  overdue: z.boolean(),
  escalatedAt: Instant.nullable(),
  decidedAt: Instant.nullable(),
  verdict: orNull(Verb),
};

export const ReviewSummary = z.object(summary).openapi('ReviewSummary');
export const ReviewPage = pageOf(ReviewSummary, 'ReviewPage');

const Event = z
  .object({
    id: z.string(),
    actor: z.string(),
    verb: Verb,
    values: AnyJson,
    original: AnyJson,
    note: z.string().nullable(),
    overrides: listOf(z.string()),
    at: Instant,
  })
  .openapi('ReviewEvent');

export const Review = z
  .object({
    ...summary,
    fileName: z.string().nullable(),
    candidate: AnyJson,
    unmet: listOf(Problem),
    diagnosis: DiagnosisOrNull,
    events: listOf(Event),
  })
  .openapi('Review');

export const ReviewQuery = z.object({
  tenant: z.string().optional(),
  spec: z.string().optional(),
  state: z.enum(['open', 'decided', 'withdrawn']).default('open'),
  ...pageQuery,
});

export const ReviewClaim = z
  .strictObject({ actor: z.string(), steal: z.boolean().default(false) })
  .openapi('ReviewClaim');

export const ReviewDecision = z
  .strictObject({
    actor: z.string(),
    verb: Verb,
    values: AnyJson.default(null),
    note: z.string().nullable().default(null),
    overrides: z.array(z.string()).default([]),
  })
  .openapi('ReviewDecision');

export const ReviewDecided = z
  .object({ review: ReviewSummary, unmet: listOf(Problem), redriven: orNull(ExtractionSummary) })
  .openapi('ReviewDecided');
