import { z } from '@hono/zod-openapi';
import type { JsonSchema } from '../../spec/json-schema.js';
import { listOf } from './common.js';

const spec = {
  id: z.string().openapi({ example: 'claim' }),
  title: z.string(),
  schemaVersion: z.string(),
  promptVersion: z.string(),
  current: z.boolean().openapi({ description: 'New extractions start under this version.' }),
  mode: z
    .string()
    .nullable()
    .openapi({ description: 'Null: each model is asked in the mode that suits it.' }),
  attemptCap: z.number().int(),
  deadlineMs: z.number().int(),
  tokenCap: z.number().int(),
  models: listOf(z.string()).openapi({ description: 'Of attempt 1, 2 and so on; the last one repeats.' }),
  rules: listOf(z.object({ id: z.string(), version: z.number().int(), says: z.string() })),
};

const Spec = z.object(spec).openapi('Spec', {
  description: 'A version of a spec; a submission may tighten its bounds.',
});

export const Specs = z.object({ items: listOf(Spec) }).openapi('Specs');

export const SpecSheet = z
  .object({
    ...spec,
    recordSchema: (z.record(z.string(), z.unknown()) as unknown as z.ZodType<JsonSchema>).openapi({
      type: 'object',
      description: 'JSON Schema of a verified record.',
    }),
  })
  .openapi('SpecSheet');
