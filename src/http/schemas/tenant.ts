import { z } from '@hono/zod-openapi';
import { instantQuery, listOf, Money, orNull } from './common.js';

export const TenantLimits = z
  .strictObject({
    mostOpen: z.number().int().positive().nullable().openapi({ description: 'Extractions open at once.' }),
    perSecond: z.number().min(0.001).max(10_000).nullable().openapi({ description: 'Submissions a second.' }),
  })
  .openapi('TenantLimits');

const TenantAccount = z
  .object({
    tenant: z.string(),
    extractions: z.number().int().openapi({ description: 'Runs that began in the range.' }),
    open: z.number().int(),
    verified: z.number().int(),
    unverified: z.number().int(),
    calls: z
      .number()
      .int()
      .openapi({ description: 'Requests to models in the range, failed ones included.' }),
    unknownCalls: z
      .number()
      .int()
      .openapi({ description: 'Calls whose tokens and cost are upper estimates.' }),
    tokens: z.number().int(),
    cost: listOf(Money).openapi({ description: 'One sum for each currency.' }),
    limits: orNull(TenantLimits).openapi({ description: 'Null: those of the configuration, or none.' }),
  })
  .openapi('TenantAccount');

export const TenantAccounts = z.object({ items: listOf(TenantAccount) }).openapi('TenantAccounts');

export const AccountQuery = z.object({
  tenant: z.string().optional(),
  since: instantQuery('Default: thirty days before `until`.'),
  until: instantQuery('Default: now.'),
});
