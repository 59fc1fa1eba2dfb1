import { z } from '@hono/zod-openapi';
import { failureClasses } from '../../domain/failure-class.js';
import { reasons } from '../../domain/reason.js';
import { routeNames } from '../../domain/route.js';
import type { StoredJson } from '../../ports/attempt-store.js';

/** A list that nobody may change, as all views have. */
export const listOf = <Item extends z.ZodType>(item: Item) => z.array(item).readonly();

/**
 * A named schema or null. Written so that the API description refers to it: `.nullable()` would put the null into the
 * named schema, and a plain union would take another union apart.
 */
export const orNull = <Schema extends z.ZodType>(schema: Schema) => z.union([z.lazy(() => schema), z.null()]);

export const Id = z
  .string()
  .regex(/^[0-9A-Fa-f]{8,64}$/, {
    error: 'Give an id, or at least the first 8 of its digits (0 to 9, a to f), as lists show them.',
  })
  .openapi({
    description: 'The whole id, or a unique beginning of at least 8 digits.',
    example: '3f9a1c20b7d4',
  });

/** A name that stands in paths and lists: a tenant, or what somebody called a batch or a redrive. */
export const label = (what: string) =>
  z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, {
    error: `${what} is 1 to 64 letters, digits, ".", "_" or "-", starting with a letter or digit.`,
  });

export const Tenant = label('A tenant');

/** Whose, in a list. */
export const OfTenant = z
  .string()
  .optional()
  .openapi({ description: 'Left out: all that the key may see, without evaluations (`eval-...`).' });

/** One event of a stream, as text/event-stream writes it. */
export const SentEvent = z
  .object({
    id: z.string().openapi({ description: 'For `Last-Event-ID`.' }),
    event: z.string(),
    data: z.string().openapi({ description: 'As JSON.' }),
  })
  .openapi('SentEvent');

export const Instant = z.iso.datetime().openapi({ example: '2026-03-01T12:00:00.000Z' });

export const Money = z
  .object({
    amount: z.string().openapi({ description: 'A plain decimal; never a JSON number.', example: '0.00017' }),
    currency: z.string().openapi({ example: 'USD' }),
  })
  .openapi('Money');

/** A record or candidate: its shape is its spec's, so it is any JSON here. */
export const AnyJson = (z.unknown() as z.ZodType<StoredJson, StoredJson>).openapi('Json', {
  description: 'Any JSON; its shape is that of the spec. Numbers of a document are texts.',
});

export const Reason = z.enum(reasons).openapi('Reason');
export const FailureClass = z.enum(failureClasses).openapi('FailureClass');
export const RouteName = z.enum(routeNames).openapi('RouteName');

export const Problem = z
  .object({
    rule: z.string(),
    pointer: z.string().openapi({ description: 'RFC 6901 pointer of the field.' }),
    message: z.string(),
    expected: z.string().nullable(),
    found: z.string().nullable(),
  })
  .openapi('UnmetRule');

export const NormalisationCount = z
  .object({ kind: z.string(), count: z.number().int() })
  .openapi('NormalisationCount');

export const Evidence = z
  .object({
    pointer: z.string(),
    page: z.number().int(),
    start: z.number().int(),
    end: z.number().int(),
    printed: z.string(),
    otherReadings: listOf(z.string()).optional(),
  })
  .openapi('Evidence');

/** A whole number of a path or a query, which are texts: digits only, so that no two texts are one number. */
export const wholeNumber = (least: number, most: number) =>
  z
    .string()
    .refine((text) => /^\d{1,15}$/.test(text) && Number(text) >= least && Number(text) <= most, {
      error: `It must be a whole number from ${least} to ${most}.`,
    })
    .transform(Number)
    .openapi({ type: 'integer', minimum: least, maximum: most });

/** An instant of a query, as epoch milliseconds. */
export const instantQuery = (description: string) =>
  z.iso
    .datetime({ offset: true })
    .transform((text) => Date.parse(text))
    .optional()
    .openapi({ type: 'string', format: 'date-time', description, example: '2026-03-01T00:00:00Z' });

/** The header of a conditional read. */
export const ifNoneMatch = {
  'if-none-match': z.string().optional().openapi({ description: 'An `ETag` that you have.' }),
};

const mostRows = 200;

/** Query parameters of every list. */
export const pageQuery = {
  limit: wholeNumber(1, mostRows).default(50),
  cursor: z.string().max(2_000).optional().openapi({ description: 'From `nextCursor` of the page before.' }),
};

export const pageOf = <Item extends z.ZodType>(item: Item, name: string) =>
  z.object({ items: listOf(item), nextCursor: z.string().nullable() }).openapi(name);
