import { z } from '@hono/zod-openapi';
import { batchParts, batchStates } from '../../domain/batch.js';
import { Instant, label, listOf, orNull, pageOf, pageQuery, Reason, Tenant, wholeNumber } from './common.js';
import { Base64Document, Budgets, TextDocument } from './submission.js';

const StoredDocument = z
  .strictObject({
    documentHash: z
      .string()
      .regex(/^[0-9a-f]{64}$/, { error: 'A hash is 64 hexadecimal digits, as an extraction shows it.' }),
  })
  .openapi('BatchStoredDocument', { description: 'A document that was handed in before.' });

export const BatchItem = z
  .strictObject({
    document: z.union([StoredDocument, TextDocument, Base64Document], {
      error: 'It must hold either text, or base64 with mediaType, or documentHash',
    }),
    fileName: z.string().nullable().default(null),
    tags: z.array(z.string()).default([]),
  })
  .openapi('BatchItem');

const count = z.number().int();
const least = (from: number) => z.number().int().min(from);

const asked = {
  spec: z.string().min(1).openapi({ example: 'invoice' }),
  tenant: Tenant.optional(),
  id: label('The id of a batch').optional().openapi({
    description:
      'A name that makes this safe to repeat: asked for again, it goes on with what has not begun.',
  }),
  name: z.string().nullable().default(null),
  tokens: least(1).nullable().default(null).openapi({
    description:
      'For all documents together. Above it the attempt cap is lowered; once it is gone, the rest is parked.',
    example: 30_000_000,
  }),
  deadlineMs: least(1).nullable().default(null).openapi({ description: 'For all documents together.' }),
  patienceMs: least(0).nullable().default(null).openapi({
    description: 'How long each document sits out a provider outage; null: half an hour.',
  }),
  inFlight: least(1).max(1_000).optional().openapi({ description: 'Documents under way at once.' }),
  redrive: z.boolean().default(false).openapi({ description: 'Run again what has ended unverified.' }),
};

export const BatchRequest = z
  .strictObject({
    ...asked,
    tags: z.array(z.string()).default([]),
    budgets: Budgets.default({}).openapi({
      description: 'Tighter bounds for each document than the spec has.',
    }),
    documents: z.array(BatchItem).min(1).max(100_000),
  })
  .openapi('BatchRequest');

const number = (from: number) => wholeNumber(from, 999_999_999_999_999).optional();

/** What a manifest cannot say about itself stands in the query. */
export const BatchManifestQuery = z.object({
  spec: z.string().optional(),
  tenant: z.string().optional(),
  id: z.string().optional(),
  name: z.string().optional(),
  tokens: number(1),
  deadlineMs: number(1),
  patienceMs: number(0),
  inFlight: wholeNumber(1, 1_000).optional(),
  redrive: z.enum(['true', 'false']).optional(),
  tag: z.union([z.string(), z.array(z.string())]).optional(),
});

export const Batch = z
  .object({
    id: z.string(),
    name: z.string().nullable(),
    state: z.enum([...batchStates, 'stopped']).openapi({
      description:
        'Stopped: its workflow is gone; it gets another within a minute. In lists such a batch still runs.',
    }),
    tenant: z.string(),
    spec: z.string(),
    schemaVersion: z.string(),
    promptVersion: z.string(),
    tags: listOf(z.string()),
    documents: count,
    waiting: count,
    underWay: count,
    verified: count,
    unverified: count,
    unverifiedBy: z.partialRecord(Reason, count),
    refused: count.openapi({ description: 'No run could be started for them.' }),
    runs: z
      .object({ own: count, followed: count, known: count, repeated: count })
      .openapi({ description: 'Documents by how they came by their run.' }),
    tokens: count.openapi({ description: 'Spent by its own runs.' }),
    budgetTokens: count.nullable(),
    projectedTokens: count.nullable(),
    attemptCap: count.openapi({
      description: 'In force for documents that begin now; 0: the budget is gone.',
    }),
    createdAt: Instant,
    beganAt: Instant.nullable(),
    deadlineAt: Instant.nullable(),
    endedAt: Instant.nullable(),
  })
  .openapi('Batch');

export const BatchPage = pageOf(Batch, 'BatchPage');

const BatchDocument = z
  .object({
    item: z.string(),
    fileName: z.string().nullable(),
    state: z.enum(['waiting', 'running', 'ended']),
    part: z.enum(batchParts).nullable().openapi({
      description:
        'How it came by its run: started for it, under way before, ended before, or of the same bytes as another.',
    }),
    outcomeKind: z.enum(['verified', 'unverified']).nullable(),
    reason: orNull(Reason),
    id: z.string().openapi({ description: 'Its extraction.' }),
    run: count.nullable(),
    documentHash: z.string(),
    attempts: count,
    tokens: count,
  })
  .openapi('BatchDocument');

export const BatchDocumentPage = pageOf(BatchDocument, 'BatchDocumentPage');

export const BatchQuery = z.object({
  tenant: z.string().optional(),
  spec: z.string().optional(),
  state: z.enum(batchStates).optional(),
  ...pageQuery,
});

export const BatchDocumentQuery = z.object({
  state: z.enum(['waiting', 'running', 'ended']).optional(),
  outcome: z.enum(['verified', 'unverified']).optional(),
  reason: Reason.optional(),
  ...pageQuery,
});

export const BatchCancel = z
  .strictObject({
    runs: z.enum(['finish', 'cancel']).default('finish').openapi({
      description: 'What is under way goes on to its end, or is cancelled when its call in flight has ended.',
    }),
  })
  .openapi('BatchCancel');

export const BatchCancelling = z
  .object({ kind: z.enum(['requested', 'ended']), id: z.string() })
  .openapi('BatchCancelling');
