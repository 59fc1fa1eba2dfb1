import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { limitTenant, tenantAccounts } from '../../application/tenants.js';
import { forAllTenants, needs } from '../access.js';
import type { HttpEnv } from '../environment.js';
import { AccountQuery, TenantAccounts, TenantLimits } from '../schemas/tenant.js';
import { answer, given, problem } from './answers.js';

const tags = ['Tenants'];

const list = createRoute({
  operationId: 'listTenants',
  method: 'get',
  path: '/v1/tenants',
  security: needs('read'),
  tags,
  summary: 'Read what each tenant used over a time: calls, tokens, money and outcomes',
  request: { query: AccountQuery },
  responses: { 200: answer('Every tenant that used anything, by name.', TenantAccounts), default: problem },
});

const limit = createRoute({
  operationId: 'setTenantLimits',
  method: 'put',
  path: '/v1/tenants/{tenant}/limits',
  security: needs('operate'),
  // Before its body is judged: a foreigner is not told what it should have sent.
  middleware: forAllTenants,
  tags,
  summary: 'Set how much a tenant may have open and hand in; null does not limit it',
  request: {
    params: z.object({ tenant: z.string() }),
    body: { required: true, content: { 'application/json': { schema: TenantLimits } } },
  },
  responses: { 200: answer('They hold within a second.', TenantLimits), default: problem },
});

export function tenantRoutes(api: OpenAPIHono<HttpEnv>): void {
  api.openapi(list, async (c) => {
    return c.json({ items: await tenantAccounts(c.get('app'), given(c.req.valid('query'))) }, 200);
  });

  api.openapi(limit, async (c) => {
    const limits = c.req.valid('json');
    await limitTenant(c.get('app'), c.req.valid('param').tenant, limits);
    return c.json(limits, 200);
  });
}
