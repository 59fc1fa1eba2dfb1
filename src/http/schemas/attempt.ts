import { z } from '@hono/zod-openapi';
import {
  AnyJson,
  FailureClass,
  Instant,
  listOf,
  Money,
  NormalisationCount,
  orNull,
  Problem,
} from './common.js';

const Usage = z
  .object({
    inputTokens: z.number().int(),
    outputTokens: z.number().int(),
    cacheReadTokens: z.number().int(),
    cacheWriteTokens: z.number().int(),
    thinkingTokens: z.number().int(),
  })
  .openapi('Usage');

const Call = z
  .object({
    model: z.string(),
    provider: z.string().nullable().openapi({ description: 'The server that was asked.' }),
    state: z.enum(['open', 'answered', 'failed']),
    faultClass: z.string().nullable(),
    status: z.number().int().nullable(),
    requestId: z.string().nullable(),
    tokens: z.number().int(),
    cost: Money,
    known: z.boolean().openapi({ description: 'False: tokens and cost are the upper estimate.' }),
    startedAt: Instant,
    endedAt: Instant.nullable(),
  })
  .openapi('Call');

const ProvedContradiction = z
  .object({
    rules: z.tuple([z.string(), z.string()]).readonly(),
    pointer: z.string(),
    values: z.tuple([z.string(), z.string()]).readonly(),
    explanation: z.string(),
  })
  .openapi('ProvedContradiction');

const Attempt = z
  .object({
    attempt: z.number().int(),
    result: z.enum(['accepted', 'rejected', 'unanswered']),
    lane: z.enum(['first', 'repair']).nullable(),
    model: z.string().nullable(),
    provider: z.string().nullable().openapi({ description: 'The server that answered.' }),
    failureClass: orNull(FailureClass),
    problems: listOf(Problem),
    contradiction: orNull(ProvedContradiction),
    ungrounded: listOf(z.string()),
    maxTokens: z.number().int().nullable(),
    promptVersion: z.string().nullable(),
    normalisations: listOf(NormalisationCount),
    usage: z.union([Usage, z.literal('unknown')]),
    tokens: z.number().int(),
    cost: orNull(Money),
    durationMs: z.number().nullable(),
    calls: listOf(Call),
    candidate: AnyJson,
    feedback: z.string().nullable(),
    at: Instant.nullable(),
  })
  .openapi('Attempt');

export const AttemptList = z
  .object({ id: z.string(), run: z.number().int(), items: listOf(Attempt) })
  .openapi('AttemptList');
