import { describe, expect, it } from 'vitest';
import { machineUser } from '../../src/application/machine-user.js';
import { RepairStandings } from '../../src/http/schemas/repairs.js';
import { conforms, createApi, problemIn } from './api.js';

describe('/v1/repairs', () => {
  it('when asked, then every spec stands beside its budget and what was counted', async () => {
    const api = createApi();
    api.store.traffic.counts.set('receipt', {
      primaries: 200,
      granted: 15,
      deniedByBudget: 4,
      deniedByPause: 0,
    });
    const { items } = conforms(RepairStandings, await api.get('/v1/repairs'));
    expect(items).toEqual([
      {
        spec: 'receipt',
        share: 0.1,
        floor: 10,
        windowMs: 300_000,
        primaries: 200,
        granted: 15,
        deniedByBudget: 4,
        deniedByPause: 0,
        allowed: 20,
        usedShare: 0.075,
        paused: null,
      },
    ]);
  });

  it('when they are paused and resumed, then each answer shows who did it and why', async () => {
    const api = createApi();
    const paused = await api.post('/v1/repairs/pause', { reason: 'a bad prompt', actor: 'ada' });
    expect(conforms(RepairStandings, paused).items[0]?.paused).toEqual({
      scope: 'all',
      actor: 'ada',
      reason: 'a bad prompt',
      since: expect.stringMatching(/^2026-03-01T12:/),
    });
    const own = await api.post('/v1/repairs/pause', { spec: 'receipt' });
    expect(conforms(RepairStandings, own).items[0]?.paused?.scope).toBe('all');
    const still = await api.post('/v1/repairs/resume', {});
    expect(conforms(RepairStandings, still).items[0]?.paused).toMatchObject({
      scope: 'spec',
      actor: machineUser,
    });
    const on = await api.post('/v1/repairs/resume', { spec: 'receipt' });
    expect(conforms(RepairStandings, on).items[0]?.paused).toBeNull();
    expect(api.store.traffic.switchRows).toHaveLength(4);
  });

  it.each([
    ['an unknown spec', { spec: 'recipe' }, 'unknown-spec'],
    ['a reason of two lines', { reason: 'a\nb' }, 'invalid-request'],
    ['an unknown field', { specs: [] }, 'invalid-request'],
  ])('when it is asked with %s, then 422 says so and nothing is switched', async (_what, body, slug) => {
    const api = createApi();
    problemIn(await api.post('/v1/repairs/pause', body), 422, slug);
    expect(api.store.traffic.switchRows).toEqual([]);
  });
});
