import { z } from '@hono/zod-openapi';
import type { Route } from '../../domain/route.js';
import { letterStates } from '../../ports/dead-letter-store.js';
import {
  FailureClass,
  Id,
  Instant,
  label,
  listOf,
  Money,
  OfTenant,
  orNull,
  pageOf,
  pageQuery,
  Reason,
} from './common.js';
import { ExtractionSummary } from './extraction.js';

const DeadLetter = z
  .object({
    id: z.string(),
    run: z.number().int(),
    state: z.enum(letterStates),
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
    redrivenInto: z
      .object({ id: z.string(), run: z.number().int() })
      .nullable()
      .openapi({ description: 'The run that its last redrive led to.' }),
  })
  .openapi('DeadLetter');

/** As the spec's author wrote it. */
const RouteLine = (z.unknown() as z.ZodType<Route, Route>).openapi('Route', {
  description: 'Where such a run goes, and when.',
});

const Policy = z
  .object({
    attemptCap: z.number().int(),
    deadlineMs: z.number(),
    tokenCap: z.number().int(),
    moneyCap: orNull(Money),
    tokenCeilings: listOf(z.number().int()),
    transport: z.object({ maximumCalls: z.number().int(), backoffTotalMs: z.number() }),
    repairLaneWaitMs: z.number(),
    outage: z.object({ patienceMs: z.number(), pauseMs: z.number() }),
    estimateMs: listOf(z.number()),
    models: listOf(z.string()),
    routes: listOf(RouteLine),
  })
  .openapi('Policy');

export const DeadLetterDetail = DeadLetter.extend({
  policy: Policy.openapi({
    description: 'The bounds it ran under; they hold again under the same versions.',
  }),
}).openapi('DeadLetterDetail');

export const DeadLetterGroups = z
  .object({
    items: listOf(
      z
        .object({
          spec: z.string(),
          reason: Reason,
          failureClass: orNull(FailureClass),
          schemaVersion: z.string(),
          promptVersion: z.string(),
          count: z.number().int(),
          oldestAt: Instant,
        })
        .openapi('DeadLetterGroup'),
    ),
  })
  .openapi('DeadLetterGroups');

export const DeadLetterPage = pageOf(DeadLetter, 'DeadLetterPage');

const selection = {
  tenant: OfTenant,
  spec: z.string().optional(),
  reason: Reason.optional(),
  failureClass: FailureClass.optional(),
  promptVersion: z.string().optional(),
  schemaVersion: z.string().optional(),
};

export const DeadLetterSelection = z.object(selection);

export const DeadLetterQuery = z.object({
  ...selection,
  state: z.enum(letterStates).default('parked'),
  ...pageQuery,
});

const withVersion = z
  .string()
  .nullable()
  .default(null)
  .openapi({ description: 'Prompt version to run under; null: the one each failed under.' });

const atMost = (most: number) => z.number().int().min(1).max(most).nullable().default(null);

/** One extraction, wherever it went, or the parked letters that a filter selects. An empty filter selects all. */
export const RedriveRequest = z
  .union([
    z.strictObject({ id: Id, with: withVersion }).openapi('RedriveOne'),
    z
      .strictObject({
        filter: z.strictObject(selection),
        with: withVersion,
        max: atMost(1_000_000).openapi({ description: 'Run at most this many, the oldest first.' }),
        perSecond: atMost(1_000).openapi({ description: 'Start at most this many in a second.' }),
        name: label('The id of a redrive').nullable().default(null).openapi({
          description: 'A name of its own; null: the same request on the same day (UTC) is one redrive.',
        }),
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
        kind: z.literal('redriving'),
        id: z.string(),
        isNew: z.boolean().openapi({ description: 'False: the same redrive was under way already.' }),
        parked: z.number().int().openapi({ description: 'Parked under this filter.' }),
      })
      .openapi('RedriveStarted'),
    z.object({ kind: z.literal('running'), extraction: ExtractionSummary }).openapi('RedrivenOne'),
  ])
  .openapi('RedriveAnswer');

const count = z.number().int();

export const RedriveReport = z
  .object({
    id: z.string(),
    state: z.enum(['running', 'finished', 'cancelled', 'stopped']).openapi({
      description: 'Stopped: ended from outside; asked for again, it goes on.',
    }),
    parked: count.openapi({ description: 'Parked under its filter when it began.' }),
    selected: count,
    started: count,
    attached: count.openapi({ description: 'Under way already, started by somebody else.' }),
    recovered: count,
    returned: count,
    returnedBy: z.partialRecord(Reason, count),
    alreadyVerified: count,
    taken: count.openapi({ description: 'Another redrive was first.' }),
    refused: count.openapi({ description: 'No worker knows the version they would run under.' }),
    underWay: count,
  })
  .openapi('RedriveReport');
