import { z } from '@hono/zod-openapi';
import { reviewKinds, reviewStates, reviewVerbs } from '../../ports/review-store.js';
import {
  AnyJson,
  Evidence,
  FailureClass,
  Instant,
  listOf,
  Money,
  OfTenant,
  orNull,
  Problem,
  pageOf,
  pageQuery,
  Reason,
} from './common.js';
import { ExtractionSummary } from './extraction.js';

export const Verb = z.enum(reviewVerbs).openapi('ReviewVerb');
const Kind = z
  .enum(reviewKinds)
  .openapi('ReviewKind', { description: '`sample`: the record verified, and a person looks at it too.' });
const State = z.enum(reviewStates).openapi('ReviewState');
export const Actor = z.string().min(1).max(100).openapi({
  description: 'Who it is, by 1 to 100 printable characters; the name of the key unless told.',
});

export const Run = z.object({ extractionId: z.string(), run: z.number().int() }).openapi('RunName');

export const reviewSummary = {
  id: z.string(),
  kind: Kind,
  extractionId: z.string(),
  run: z.number().int(),
  spec: z.string(),
  tenant: z.string(),
  state: State,
  version: z.number().int().openapi({ description: 'Of the question; the `ETag` too.' }),
  reason: orNull(Reason),
  failureClass: orNull(FailureClass),
  amount: orNull(Money),
  holder: z.string().nullable(),
  leaseExpiresAt: Instant.nullable(),
  createdAt: Instant,
  dueAt: Instant.nullable(),
  overdue: z.boolean(),
  escalatedAt: Instant.nullable(),
  decidedAt: Instant.nullable(),
  verdict: orNull(Verb),
  withdrawn: z
    .object({ by: Run, from: z.string().nullable() })
    .nullable()
    .openapi({ description: 'The run that verified the document meanwhile, and who held the review then.' }),
};

export const ReviewSummary = z.object(reviewSummary).openapi('ReviewSummary');
const ListedReview = z
  .object({ ...reviewSummary, fileName: z.string().nullable(), documentHash: z.string() })
  .openapi('ListedReview');
export const ReviewPage = pageOf(ListedReview, 'ReviewPage');

/** A flag of a query: there is no such thing as a boolean in a URL. */
const flag = z.enum(['true', 'false']).transform((word) => word === 'true');

export const ReviewQuery = z.object({
  tenant: OfTenant,
  spec: z.string().optional(),
  state: State.default('open'),
  kind: Kind.optional(),
  reason: Reason.optional(),
  failureClass: FailureClass.optional(),
  holder: z.string().optional().openapi({ description: 'Held by them; of withdrawn ones: held until then.' }),
  lease: z.enum(['free', 'held']).optional(),
  overdue: flag.optional(),
  escalated: flag.optional(),
  ...pageQuery,
});

export const QueueQuery = z.object({ tenant: OfTenant, spec: z.string().optional() });

const share = z.number().min(0).max(1);

export const ReviewQueue = z
  .object({
    open: z.number().int(),
    free: z.number().int(),
    held: z.number().int(),
    overdue: z.number().int(),
    escalated: z.number().int(),
    samples: z.number().int(),
    nextFreeAt: Instant.nullable(),
    inflowPerDay: z.number(),
    minutesEach: z.number(),
    minutesFrom: z.enum(['measured', 'assumed']),
    hoursPerDay: z.number().openapi({ description: 'Reviewer-hours a day: inflow x minutes.' }),
    backlogHours: z.number(),
    audit: z
      .object({
        decided: z.number().int(),
        defects: z.number().int(),
        defectRate: share.nullable(),
        interval: z.object({ low: share, high: share }),
        byAttempts: listOf(
          z.object({ attempts: z.number().int(), decided: z.number().int(), defects: z.number().int() }),
        ),
      })
      .openapi({ description: 'Verdicts on sampled records of the last 30 days.' }),
  })
  .openapi('ReviewQueue');

export const ReviewClaim = z
  .strictObject({
    actor: Actor.optional(),
    steal: z
      .string()
      .nullable()
      .default(null)
      .openapi({ description: 'Take it from whoever holds it, and why; the trail keeps the reason.' }),
  })
  .openapi('ReviewClaim');

export const ReviewHold = z.strictObject({ actor: Actor.optional() }).openapi('ReviewHold');

export const NextClaimRequest = z
  .strictObject({
    actor: Actor.optional(),
    tenant: OfTenant,
    spec: z.string().optional(),
    kind: Kind.optional(),
  })
  .openapi('NextClaimRequest');

export const NextClaim = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('claimed'), review: ReviewSummary }).openapi('NextClaimed'),
    z
      .object({ kind: z.literal('all_held'), held: z.number().int(), nextFreeAt: Instant })
      .openapi('NextAllHeld'),
    z.object({ kind: z.literal('none') }).openapi('NextNone'),
  ])
  .openapi('NextClaim');

export const Arithmetic = z
  .object({
    rule: z.string(),
    says: z.string(),
    pointer: z.string(),
    computed: z.string(),
    holds: z.string().nullable(),
  })
  .openapi('Arithmetic');

export const CheckRequest = z
  .strictObject({
    values: AnyJson.default(null).openapi({ description: "Null: the machine's candidate." }),
  })
  .openapi('ReviewCheckRequest');

export const ReviewCheck = z
  .object({
    kind: z.enum(['holds', 'unmet', 'misshapen']),
    unmet: listOf(Problem),
    overrides: listOf(z.string()),
    contradiction: z
      .object({
        rules: z.tuple([z.string(), z.string()]).readonly(),
        pointer: z.string(),
        values: z.tuple([z.string(), z.string()]).readonly(),
        explanation: z.string(),
      })
      .nullable(),
    arithmetic: listOf(Arithmetic),
    evidence: listOf(Evidence),
    ungrounded: listOf(z.string()),
  })
  .openapi('ReviewCheck');

export const NewDraft = z
  .strictObject({
    actor: Actor.optional(),
    values: AnyJson.default(null),
    note: z.string().nullable().default(null),
  })
  .openapi('NewReviewDraft');

export const Draft = z
  .object({
    actor: z.string(),
    values: AnyJson,
    note: z.string().nullable(),
    version: z.number().int(),
    at: Instant,
  })
  .openapi('ReviewDraft');

export const ReviewDecision = z
  .strictObject({
    actor: Actor.optional(),
    verb: Verb,
    values: AnyJson.default(null),
    note: z.string().nullable().default(null),
    overrides: z.array(z.string()).default([]),
  })
  .openapi('ReviewDecision');

export const ReviewDecided = z
  .object({ review: ReviewSummary, unmet: listOf(Problem), redriven: orNull(ExtractionSummary) })
  .openapi('ReviewDecided');
