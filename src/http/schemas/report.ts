import { z } from '@hono/zod-openapi';
import { FailureClass, Instant, listOf, Money, OfTenant, orNull, Reason, RouteName } from './common.js';

const count = z.number().int();
const ms = z.number().nullable();

const Interval = z.object({ low: z.number(), high: z.number() }).openapi('Interval', {
  description: 'Bounds of a share at 95 %, both between 0 and 1.',
});
export const EstimatedShare = z
  .object({
    share: z.number().nullable().openapi({ description: 'Null: there is nothing it could be a share of.' }),
    interval: Interval,
  })
  .openapi('EstimatedShare');

const Scope = z
  .object({
    spec: z.string().nullable(),
    version: z.string().nullable(),
    failureClass: orNull(FailureClass),
    tenant: z.string().nullable(),
    since: Instant.nullable(),
    until: Instant.nullable(),
    at: Instant,
  })
  .openapi('ReportScope');

const Counts = z
  .object({
    ...{ documents: count, runs: count, verified: count, unverified: count, open: count },
    ...{ attempts: count, unanswered: count, calls: count, failedCalls: count },
  })
  .openapi('ReportCounts', {
    description: 'Documents, runs, attempts and calls; they are never added together.',
  });

const Yield = z
  .object({
    cap: count.nullable(),
    attempts: listOf(
      z.object({
        ...{ attempt: count, reached: count, passed: count, conditional: EstimatedShare },
        ...{ netConditional: EstimatedShare, cumulative: EstimatedShare, net: EstimatedShare },
        ...{ rescuedPerThousand: z.number(), netRescuedPerThousand: z.number().nullable() },
        ...{ p99Ms: ms, addedP99Ms: ms },
      }),
    ),
  })
  .openapi('YieldReport');

const spread = { ended: count, open: count, p50Ms: ms, p95Ms: ms, p99Ms: ms };
const Latency = z
  .object({
    deadlineMs: ms,
    lineMs: z.number(),
    all: z.object(spread),
    lines: listOf(z.object({ from: Instant, ...spread })),
    openMs: listOf(z.number()).openapi({
      description: 'Present ages, the oldest first; a thousand at most.',
    }),
  })
  .openapi('LatencyReport', {
    description: 'Of all documents; open ones count as longer than so far (Kaplan-Meier).',
  });

const Cost = z
  .object({
    ...{ failedFirst: count, recovered: count, recovery: EstimatedShare, net: EstimatedShare },
    byAttempt: listOf(
      z.object({
        ...{ attempt: count, recovered: count, recovery: EstimatedShare, net: EstimatedShare },
        ofRecovered: z.number(),
      }),
    ),
    ...{ repairs: count, repairTokens: z.number(), repairCost: listOf(Money) },
    ...{ tokensPerRecovered: z.number().nullable(), costPerRecovered: listOf(Money).nullable() },
    ...{ tokens: z.number(), cost: listOf(Money) },
    ...{ tokensPerVerified: z.number().nullable(), costPerVerified: listOf(Money).nullable() },
    reviewer: z.object({
      reviewsPerHour: z.number(),
      from: z.enum(['given', 'measured', 'assumed']),
      perHour: orNull(Money),
      perReview: orNull(Money),
    }),
  })
  .openapi('CostReport');

const Completeness = z
  .object({
    ...{ compared: count, incomplete: count, complete: EstimatedShare, wellFormed: count, cutOff: count },
    ...{ verifiedCompared: count, verifiedUncompared: count, restored: count, keptOut: count },
  })
  .openapi('CompletenessReport');

const Repairs = z
  .object({
    specId: z.string(),
    budget: z.object({ share: z.number(), floor: z.number(), windowMs: z.number() }).nullable(),
    ...{ primaries: count, repairs: count, share: z.number().nullable(), refused: count },
    tightest: z.object({ until: Instant, primaries: count, repairs: count, allowed: count }).nullable(),
    windows: listOf(z.object({ until: Instant, share: z.number().nullable() })),
  })
  .openapi('RepairReport');

const Estimates = z
  .object({
    ...{ begun: count, wasted: count, wastedTokens: z.number(), refused: count },
    ...{ expectedEarly: z.number(), waitedAway: count },
  })
  .openapi('EstimateReport');

const verdicts = { decided: count, defects: count, defectRate: EstimatedShare };
const Audits = z
  .object({ ...verdicts, byAttempt: listOf(z.object({ attempt: count, ...verdicts })) })
  .openapi('AuditReport');

const Lanes = z.object({
  lineMs: z.number(),
  lanes: listOf(
    z.object({
      lane: z.enum(['first', 'repair']),
      peak: count.openapi({ description: 'The most calls that were on the wire at one instant.' }),
      lines: listOf(z.object({ from: Instant, busy: z.number() })),
    }),
  ),
});

const head = { scope: Scope, counts: Counts };
const measures = {
  yield: Yield,
  latency: Latency,
  cost: Cost,
  completeness: Completeness,
  repairs: listOf(Repairs),
  estimates: Estimates,
  audits: Audits,
};

/** One measure, with what it is of. */
export const ReportOf = {
  yield: z.object({ ...head, yield: measures.yield }).openapi('YieldAnswer'),
  latency: z.object({ ...head, latency: measures.latency }).openapi('LatencyAnswer'),
  cost: z.object({ ...head, cost: measures.cost }).openapi('CostAnswer'),
  completeness: z.object({ ...head, completeness: measures.completeness }).openapi('CompletenessAnswer'),
  repairs: z.object({ ...head, repairs: measures.repairs }).openapi('RepairsAnswer'),
  estimates: z.object({ ...head, estimates: measures.estimates }).openapi('EstimatesAnswer'),
  audits: z.object({ ...head, audits: measures.audits }).openapi('AuditsAnswer'),
} as const;

/** Every measure of the same runs. */
export const Report = z
  .object({
    ...head,
    reasons: listOf(z.object({ reason: Reason, runs: count })),
    routes: listOf(z.object({ route: RouteName, runs: count })),
    classes: listOf(z.object({ failureClass: FailureClass, attempts: count })),
    ...measures,
    lanes: Lanes,
  })
  .openapi('Report');

const at = (description: string) =>
  z.iso
    .datetime({ offset: true })
    .transform((text) => Date.parse(text))
    .optional()
    .openapi({ description, example: '2026-03-01T00:00:00Z' });

const filter = {
  spec: z.string().optional(),
  version: z.string().optional().openapi({ description: 'Of this prompt version.' }),
  failureClass: FailureClass.optional().openapi({
    description: 'Documents of which an attempt was rejected with this class.',
  }),
  tenant: OfTenant,
  since: at('Begun at this instant or later. Left out: 30 days before `until`.'),
  until: at('Begun before this instant.'),
  reviewsPerHour: z.coerce.number().positive().optional().openapi({ description: 'Left out: as measured.' }),
  reviewerCost: z
    .string()
    .regex(/^\d{1,12}(\.\d{1,12})?$/, { error: 'A plain decimal such as 40.00.' })
    .optional()
    .openapi({ description: 'What an hour of a reviewer costs.' }),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, { error: 'Three capital letters such as USD.' })
    .default('USD'),
};

export const ReportQuery = z.object({ ...filter, format: z.enum(['json', 'html']).default('json') });
export const MeasureQuery = z.object({ ...filter, format: z.enum(['json', 'csv']).default('json') });
