import { describe, expect, it } from 'vitest';
import { createKey } from '../../src/application/api-keys.js';
import type { Role } from '../../src/domain/principal.js';
import { AuditPage, AuditSheet, JudgedRecord } from '../../src/http/schemas/audit.js';
import { storeRuns, ten } from '../support/fakes/reported-runs.js';
import { conforms, createApi, problemIn } from './api.js';

async function audited() {
  const api = createApi();
  const keys = await storeRuns(api, [...ten, { attempts: 1, ending: 'verified', tenant: 'other' }]);
  const put = (id: string, body: unknown, headers: Record<string, string> = {}) =>
    api.request(`/v1/audits/records/${id}/verdict`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const keyOf = async (tenant: string, role: Role) => {
    const { secret } = await createKey(api.app, { name: `${tenant}-${role}`, tenant, roles: [role] });
    return { authorization: `Bearer ${secret}` };
  };
  return { api, keys, put, keyOf };
}

describe('audits over HTTP', () => {
  it('when some are drawn and one is judged, then every reading says what is known', async () => {
    const { api, keys, put } = await audited();
    const asked = { size: 3, seed: 7, spec: 'receipt', tenant: 'acme', since: '2026-02-01T00:00:00Z' };
    const answer = await api.post('/v1/audits', asked);
    const drawn = conforms(AuditSheet, answer);
    expect(answer.headers.get('location')).toBe(`/v1/audits/${drawn.id}`);
    expect(drawn).toMatchObject({
      ...{ seed: 7, size: 3, drawn: 3, right: 0, wrong: 0, spec: 'receipt', tenant: 'acme', version: null },
      ...{ since: '2026-02-01T00:00:00.000Z', defectRate: { share: null } },
    });
    expect(drawn.records).toHaveLength(3);
    const [key = ''] = keys;
    expect(conforms(JudgedRecord, await put(key.slice(0, 12), { verdict: 'wrong', actor: 'kim' }))).toEqual({
      ...{ id: key, verdict: 'wrong', before: null },
    });
    const shown = conforms(AuditSheet, await api.get(`/v1/audits/${drawn.id.slice(0, 8)}`));
    expect(shown).toMatchObject({ wrong: 1, defectRate: { share: 1 } });
    expect(shown.records.find(({ id }) => id === key)).toMatchObject({ verdict: 'wrong', actor: 'kim' });
    expect(conforms(JudgedRecord, await put(key, { verdict: 'right' })).before).toBe('wrong');
    // Asked for again it is the same sample.
    expect(conforms(AuditSheet, await api.post('/v1/audits', asked))).toMatchObject({
      id: drawn.id,
      right: 1,
    });
    const { items } = conforms(AuditPage, await api.get('/v1/audits?limit=1'));
    expect(items).toMatchObject([{ id: drawn.id, right: 1, wrong: 0 }]);
  });

  it('when it is drawn without a word, then by chance, a hundred and twenty or as many as there are', async () => {
    const { api } = await audited();
    const { seed, size, drawn } = conforms(AuditSheet, await api.post('/v1/audits', {}));
    expect({ size, drawn }).toEqual({ size: 120, drawn: 9 });
    expect(conforms(AuditSheet, await api.post('/v1/audits', {})).seed).not.toBe(seed);
  });

  it('refuses what was not drawn, what is no verdict, and a sample that is too large', async () => {
    const { api, keys, put } = await audited();
    const [key = ''] = keys;
    expect(problemIn(await put(key, { verdict: 'wrong' }), 404, 'not-found').detail).toContain(
      'No audit has drawn',
    );
    const problem = problemIn(await put(key, { verdict: 'fine' }), 422, 'invalid-request');
    expect(problem.errors).toMatchObject([{ pointer: '/verdict' }]);
    problemIn(await api.post('/v1/audits', { size: 10_001 }), 422, 'invalid-request');
    problemIn(await api.get('/v1/audits/00000000'), 404, 'not-found');
    problemIn(await api.get('/v1/audits/records'), 400, 'invalid-parameter');
  });

  it('a key draws, sees and judges records of its own tenant only', async () => {
    const { api, keys, put, keyOf } = await audited();
    const [review, read] = [await keyOf('other', 'review'), await keyOf('other', 'read')];
    const own = conforms(AuditSheet, await api.post('/v1/audits', { size: 20, seed: 1 }, review));
    expect(own.records.map(({ id }) => id)).toEqual([keys.at(-1)]);
    problemIn(await api.post('/v1/audits', { tenant: 'acme' }, review), 403, 'forbidden');
    problemIn(await api.post('/v1/audits', {}, read), 403, 'forbidden');
    const foreign = await keyOf('acme', 'read');
    problemIn(await api.get(`/v1/audits/${own.id}`, foreign), 404, 'not-found');
    expect((await api.get('/v1/audits', foreign)).body).toMatchObject({ items: [] });
    expect((await api.get('/v1/audits', read)).body).toMatchObject({ items: [{ id: own.id }] });
    problemIn(
      await put(keys.at(-1) ?? '', { verdict: 'wrong' }, await keyOf('acme', 'review')),
      404,
      'not-found',
    );
    problemIn(await put(keys.at(-1) ?? '', { verdict: 'wrong', actor: 'kim' }, review), 403, 'forbidden');
    await put(keys.at(-1) ?? '', { verdict: 'wrong' }, review);
    const { items } = (await api.store.trail.list({}, { limit: 2 })) ?? { items: [] };
    expect(items).toMatchObject([
      { actor: 'other-review', action: 'judgeRecord', subject: keys.at(-1), tenant: 'other' },
      { actor: 'other-review', action: 'drawAudit', subject: own.id, tenant: 'other' },
    ]);
  });
});
