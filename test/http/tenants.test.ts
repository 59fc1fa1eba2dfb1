import { describe, expect, it } from 'vitest';
import { TenantAccounts } from '../../src/http/schemas/tenant.js';
import { createBench } from '../support/fakes/bench.js';
import { conforms, createApi, problemIn, submission } from './api.js';

describe('tenants over HTTP', () => {
  it('when a tenant may have no more open, then 429 says so and when to come again', async () => {
    const bench = createBench();
    const api = createApi({ app: { ...bench.app, limits: { mostOpen: 1, perSecond: null } } });
    expect((await api.post('/v1/extractions', submission())).status).toBe(202);
    const refused = await api.post('/v1/extractions', submission({ document: { text: 'another' } }));
    expect(problemIn(refused, 429, 'too-many').detail).toContain('has 1 extractions open');
    expect(refused.headers.get('retry-after')).toBe('5');
  });

  it('when accounts are asked for, then each tenant stands beside its limits', async () => {
    const api = createApi();
    const used = {
      extractions: 3,
      open: 1,
      verified: 2,
      unverified: 0,
      calls: 4,
      unknownCalls: 0,
      tokens: 900,
    };
    api.store.tenants.usageRows.push({ tenant: 'acme', ...used, cost: [{ amount: '0.1', currency: 'USD' }] });
    const put = { method: 'PUT', headers: { 'content-type': 'application/json' } };
    const limits = { mostOpen: 7, perSecond: null };
    const set = await api.request('/v1/tenants/acme/limits', { ...put, body: JSON.stringify(limits) });
    expect(set).toMatchObject({ status: 200, body: limits });
    const { items } = conforms(TenantAccounts, await api.get('/v1/tenants?since=2026-02-01T00:00:00Z'));
    expect(items).toEqual([{ tenant: 'acme', ...used, cost: [{ amount: '0.1', currency: 'USD' }], limits }]);
    problemIn(await api.get('/v1/tenants?since=2027-02-01T00:00:00Z'), 422, 'invalid-request');
  });
});
