import { z } from '@hono/zod-openapi';
import type { Page } from '../../ports/page.js';
import { ProblemDetails } from '../problem.js';
import { Id } from '../schemas/common.js';

/** The path parameter of everything that has an id or a unique beginning of one. */
export const byId = z.object({ id: Id });

/** A JSON body of an API description, which a request must have. */
export function jsonBody<Schema extends z.ZodType>(schema: Schema) {
  return { required: true as const, content: { 'application/json': { schema } } };
}

/** A JSON answer of an API description. */
export function answer<Schema extends z.ZodType>(description: string, schema: Schema) {
  return { description, content: { 'application/json': { schema } } };
}

/** Every endpoint may answer with a problem. */
export const problem = {
  description: 'What is wrong, as a problem document (RFC 9457).',
  content: { 'application/problem+json': { schema: ProblemDetails } },
};

export function mapPage<Row, View>(page: Page<Row>, view: (row: Row) => View): Page<View> {
  return { items: page.items.map(view), nextCursor: page.nextCursor };
}

/** The entries that have a value, for filters whose absent fields mean "any". */
export function given<Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Fields]?: Exclude<Fields[Name], undefined>;
  };
}
