import { z } from '@hono/zod-openapi';
import { auditVerdicts } from '../../ports/audit-store.js';
import { FailureClass, Instant, listOf, orNull, pageOf, Tenant } from './common.js';
import { EstimatedShare } from './report.js';

const count = z.number().int();
const instant = (description: string) =>
  z.iso
    .datetime({ offset: true })
    .transform((text) => Date.parse(text))
    .optional()
    .openapi({ type: 'string', format: 'date-time', description });

export const AuditRequest = z
  .strictObject({
    size: z.number().int().min(1).max(10_000).default(120).openapi({ description: 'How many records.' }),
    seed: z.number().int().min(0).max(999_999_999_999_999).optional().openapi({
      description: 'The same seed, size and filters are the same records; by chance unless given.',
    }),
    spec: z.string().optional(),
    version: z.string().optional().openapi({ description: 'Only under this prompt version.' }),
    failureClass: FailureClass.optional().openapi({
      description: 'Only documents of which an attempt was rejected with this class.',
    }),
    tenant: Tenant.optional(),
    since: instant('Begun then or later; thirty days ago unless given.'),
    until: instant('Begun before then.'),
  })
  .openapi('AuditRequest');

const audit = {
  id: z.string(),
  ...{ seed: count, size: count, drawnAt: Instant },
  ...{ spec: z.string().nullable(), version: z.string().nullable(), failureClass: orNull(FailureClass) },
  ...{ tenant: z.string().nullable(), since: Instant.nullable(), until: Instant.nullable() },
  drawn: count.openapi({ description: 'Fewer than `size` when there were no more.' }),
  ...{ right: count, wrong: count },
  defectRate: EstimatedShare,
};

const Audit = z
  .object(audit)
  .openapi('Audit', { description: 'Verified records that were drawn by chance.' });
export const AuditPage = pageOf(Audit, 'AuditPage');

const Verdict = z.enum(auditVerdicts).openapi('AuditVerdict');

const AuditRecord = z
  .object({
    id: z.string().openapi({ description: 'Its extraction.' }),
    ...{ run: count, tenant: z.string(), spec: z.string(), promptVersion: z.string() },
    attempt: count.openapi({ description: 'The one that verified it.' }),
    fileName: z.string().nullable(),
    verdict: orNull(Verdict).openapi({ description: 'Null: nobody has looked at it yet.' }),
    ...{ actor: z.string().nullable(), judgedAt: Instant.nullable() },
  })
  .openapi('AuditRecord');

export const AuditSheet = z
  .object({ ...audit, records: listOf(AuditRecord).openapi({ description: 'In the order of the draw.' }) })
  .openapi('AuditSheet');

export const NewVerdict = z
  .strictObject({
    verdict: Verdict,
    actor: z
      .string()
      .min(1)
      .max(100)
      .optional()
      .openapi({ description: 'Who says so; default: the name of the key.' }),
  })
  .openapi('NewAuditVerdict');

export const JudgedRecord = z
  .object({
    id: z.string().openapi({ description: 'Its extraction.' }),
    verdict: Verdict,
    before: orNull(Verdict).openapi({ description: 'What stood there; null for the first verdict.' }),
  })
  .openapi('JudgedRecord');
