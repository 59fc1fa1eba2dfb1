import { z } from '@hono/zod-openapi';
import { exportFormats } from '../../application/export-records.js';
import { verificationStatuses } from '../../ports/record-store.js';
import {
  AnyJson,
  Evidence,
  Instant,
  instantQuery,
  listOf,
  NormalisationCount,
  OfTenant,
  Problem,
  pageOf,
  pageQuery,
} from './common.js';

export const VerificationStatus = z.enum(verificationStatuses).openapi('VerificationStatus');

export const RecordDocument = z
  .object({
    extractionId: z.string(),
    run: z.number().int(),
    subject: z.string(),
    spec: z.string(),
    schemaVersion: z.string(),
    promptVersion: z.string(),
    tenant: z.string(),
    documentHash: z.string(),
    verificationStatus: VerificationStatus,
    record: AnyJson,
    evidence: listOf(Evidence),
    ungrounded: listOf(z.string()),
    unmet: listOf(Problem),
    normalisations: listOf(NormalisationCount),
    verifierVersion: z.string(),
    template: z.string().nullable(),
    at: Instant,
  })
  .openapi('Record');

export const RecordPage = pageOf(RecordDocument, 'RecordPage');

export const RecordQuery = z.object({
  tenant: OfTenant,
  spec: z.string().optional(),
  subject: z.string().optional(),
  status: z
    .union([VerificationStatus, z.array(VerificationStatus)])
    .optional()
    .openapi({
      description: 'Left out: verified and human_verified, the current record of each subject only.',
    }),
  since: instantQuery('Recorded at this instant or later.'),
  format: z
    .enum(['json', ...exportFormats])
    .default('json')
    .openapi({
      description:
        'json: one page. csv and jsonl: all of them as they are at this instant, whatever limit and cursor say.',
    }),
  flatten: z.string().optional().openapi({ description: 'csv: a row for each item of this list.' }),
  ...pageQuery,
});
