import { z } from '@hono/zod-openapi';
import { Instant, instantQuery, pageOf, pageQuery } from './common.js';

const TrailEntry = z
  .object({
    at: Instant,
    actor: z.string().openapi({
      description:
        'The name of the key; `local` and `environment` are no stored key. Of a command: a person.',
    }),
    keyId: z.string().openapi({ description: '`cli`: somebody at a command line.' }),
    action: z
      .string()
      .openapi({ description: 'The `operationId` here, or a command.', example: 'cancelExtraction' }),
    subject: z.string().openapi({ description: 'What was changed, by its id.' }),
    tenant: z.string().nullable(),
    requestId: z.string().nullable(),
  })
  .openapi('TrailEntry');

export const TrailPage = pageOf(TrailEntry, 'TrailPage');

export const TrailQuery = z.object({
  tenant: z.string().optional(),
  actor: z.string().optional(),
  action: z.string().optional(),
  subject: z.string().optional(),
  since: instantQuery('Changed at this instant or later.'),
  until: instantQuery('Changed before this instant.'),
  ...pageQuery,
});
