import { describe, expect, it } from 'vitest';
import { createKey } from '../../src/application/api-keys.js';
import { drawAudit, judgeRecord, listAudits, readAudit } from '../../src/application/audits.js';
import { tenantView } from '../../src/application/tenant-view.js';
import { reportNames } from '../../src/application/views/report-view.js';
import { createApp } from '../../src/http/app.js';
import { createLogger } from '../../src/http/log.js';
import { Report, ReportOf } from '../../src/http/schemas/report.js';
import { csvObjects } from '../support/csv.js';
import { storeRuns, ten } from '../support/fakes/reported-runs.js';
import { conforms, createApi, problemIn } from './api.js';

async function apiOver() {
  const api = createApi();
  const keys = await storeRuns(api, [...ten, { attempts: 1, ending: 'verified', tenant: 'other' }]);
  return { api, keys };
}

describe('GET /v1/reports', () => {
  it('answers with every measure as described, and nothing beside it', async () => {
    const { api } = await apiOver();
    const report = conforms(Report, await api.get('/v1/reports?tenant=acme'));
    expect(report.counts).toMatchObject({ documents: 10, runs: 10, attempts: 13, verified: 8, open: 1 });
    const { since, at } = report.scope;
    expect(Date.parse(at) - Date.parse(since ?? '')).toBe(30 * 86_400_000);
    expect(report.reasons).toEqual([{ reason: 'attempt_cap', runs: 1 }]);
  });

  it.each(reportNames)('/%s answers with that measure alone', async (name) => {
    const { api } = await apiOver();
    const answer = await api.get(`/v1/reports/${name}`);
    expect(answer.status).toBe(200);
    expect(Object.keys(conforms(ReportOf[name], answer))).toEqual(['scope', 'counts', name]);
  });

  it('takes the filters of the command line, and the price of a reviewer', async () => {
    const { api } = await apiOver();
    const query = 'since=2026-03-01T12:00:00Z&until=2026-03-01T12:00:03Z&spec=receipt&version=v2';
    const early = conforms(ReportOf.yield, await api.get(`/v1/reports/yield?${query}`));
    expect(early.counts.runs).toBe(3);
    const failed = conforms(
      ReportOf.cost,
      await api.get(
        '/v1/reports/cost?failureClass=constraint&reviewerCost=50&reviewsPerHour=20&currency=EUR',
      ),
    );
    expect(failed).toMatchObject({
      counts: { runs: 3 },
      cost: { reviewer: { perReview: { amount: '2.500000', currency: 'EUR' } } },
    });
  });

  it('refuses a spec and a prompt version that there never were, instead of a report of nothing', async () => {
    const { api } = await apiOver();
    problemIn(await api.get('/v1/reports/yield?spec=nope'), 422, 'unknown-spec');
    const problem = problemIn(await api.get('/v1/reports?version=v99'), 422, 'invalid-request');
    expect(problem.detail).toContain('There never was a prompt version "v99"');
    problemIn(await api.get('/v1/reports?since=2999-01-01T00:00:00Z'), 422, 'invalid-request');
  });

  it('gives one measure as csv, and all of them as one page', async () => {
    const { api } = await apiOver();
    const { app } = api;
    const logger = createLogger('silent');
    const server = createApp({ app, apiKey: null, tenant: 'acme', inFlight: 4, logger, version: '0' });
    const csv = await server.request('/v1/reports/yield?format=csv');
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    expect(csvObjects(await csv.text()).map((row) => row['passed'])).toEqual(['8', '1', '0']);
    const html = await server.request('/v1/reports?format=html&tenant=acme');
    expect(html.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const text = await html.text();
    expect(text).toContain('<svg class="plot"');
    expect(text).toContain('10 documents, 10 runs, 13 attempts, 13 calls.');
  });

  it('refuses what it cannot read, naming the parameter', async () => {
    const { api } = await apiOver();
    const problem = problemIn(await api.get('/v1/reports/yield?since=yesterday'), 400, 'invalid-parameter');
    expect(problem.errors).toMatchObject([{ pointer: '/since' }]);
    problemIn(await api.get('/v1/reports/cost?reviewsPerHour=0'), 400, 'invalid-parameter');
    problemIn(await api.get('/v1/reports/yield?format=html'), 400, 'invalid-parameter');
    problemIn(await api.get('/v1/reports/speed'), 404, 'not-found');
  });

  it('shows a key of one tenant the runs of that tenant, whatever it asks for', async () => {
    const { api } = await apiOver();
    const { secret } = await createKey(api.app, { name: 'other', tenant: 'other', roles: ['read'] });
    const headers = { authorization: `Bearer ${secret}` };
    const own = conforms(ReportOf.yield, await api.get('/v1/reports/yield', headers));
    expect(own).toMatchObject({ scope: { tenant: 'other' }, counts: { runs: 1, verified: 1 } });
    problemIn(await api.get('/v1/reports/yield?tenant=acme', headers), 403, 'forbidden');
    expect(conforms(Report, await api.get('/v1/reports', headers)).repairs).toMatchObject([{ primaries: 1 }]);
  });
});

describe('given audits as one tenant may use them', () => {
  it('when it draws, lists and judges, then only its own records are there', async () => {
    const { api, keys } = await apiOver();
    const request = { size: 20, seed: 1, filter: {} };
    const [own, foreign, all] = [tenantView(api.app, 'other'), tenantView(api.app, 'acme'), api.app];
    const sample = await drawAudit(own, request);
    expect(sample).toMatchObject({ drawn: 1 });
    expect((await drawAudit(foreign, request)).drawn).toBe(8);
    expect((await drawAudit(all, request)).drawn).toBe(9);
    await expect(readAudit(foreign, sample.id)).rejects.toThrow('There is no audit');
    expect(await foreign.store.audits.items(sample.id)).toEqual([]);
    expect((await listAudits(own, { limit: 9 })).items.map(({ id }) => id)).toEqual([sample.id]);
    const verdict = { id: keys.at(-1) ?? '', verdict: 'wrong' as const };
    await expect(judgeRecord(foreign, verdict, 'eve')).rejects.toThrow('No audit has drawn');
    expect(await judgeRecord(own, verdict, 'kim')).toMatchObject({ verdict: 'wrong', before: null });
  });
});
