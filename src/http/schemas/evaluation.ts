import { z } from '@hono/zod-openapi';
import {
  FailureClass,
  Instant,
  listOf,
  Money,
  orNull,
  pageOf,
  pageQuery,
  Reason,
  RouteName,
} from './common.js';

const counted = z.number().int();

const Evaluation = z
  .object({
    id: z.string(),
    spec: z.string().openapi({ example: 'claim' }),
    schemaVersion: z.string(),
    promptVersion: z.string(),
    tenant: z.string().openapi({ description: 'Its runs are this tenant’s, for as long as they are kept.' }),
    truthSet: z.string().openapi({
      description: 'SHA-256 of the documents and their true records: only equal ones can be compared.',
    }),
    providers: listOf(z.string()),
    models: listOf(z.string()),
    beganAt: Instant,
    endedAt: Instant,
    documents: counted,
    curve: listOf(z.object({ attempts: counted, verified: counted })).openapi({
      description: 'Documents verified after at most so many attempts.',
    }),
    right: counted,
    wrong: listOf(z.object({ extractionId: z.string(), differs: listOf(z.string()) })).openapi({
      description: 'Verified, and not the true record: where they differ, as JSON Pointers.',
    }),
    unjudged: counted.openapi({ description: 'Verified, but no true record is known.' }),
    fields: listOf(z.object({ pointer: z.string(), right: counted, of: counted })).openapi({
      description: 'By field, in how many of the records that could be compared it is right.',
    }),
    landed: listOf(z.object({ reason: Reason, route: orNull(RouteName), documents: counted })),
    classes: listOf(z.object({ failureClass: FailureClass, documents: counted })),
    calls: counted,
    tokens: counted,
    cost: listOf(Money),
  })
  .openapi('Evaluation', { description: 'How one version of a spec did on one truth set, in counts.' });

export const EvaluationPage = pageOf(Evaluation, 'EvaluationPage');

export const EvaluationQuery = z.object({
  schemaVersion: z.string().optional(),
  promptVersion: z.string().optional(),
  truthSet: z.string().optional(),
  ...pageQuery,
});
