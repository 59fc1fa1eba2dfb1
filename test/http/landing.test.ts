import { describe, expect, it } from 'vitest';
import {
  DeadLetterDetail,
  DeadLetterGroups,
  DeadLetterPage,
  RedriveAnswer,
  RedriveReport,
} from '../../src/http/schemas/dead-letter.js';
import { SubmittedExtraction } from '../../src/http/schemas/extraction.js';
import { RecordPage } from '../../src/http/schemas/record.js';
import { exhaustAll, storedRecord, verifyAll } from '../support/fakes/bench.js';
import { badReceipt, goodReceipt } from '../support/fakes/receipt-spec.js';
import { type Api, conforms, createApi, problemIn, submission } from './api.js';

async function submitted(api: Api, text: string): Promise<string> {
  const answer = await api.post(
    '/v1/extractions',
    submission({ document: { text }, fileName: `${text}.txt` }),
  );
  return conforms(SubmittedExtraction, answer).id;
}

async function parked(...texts: readonly string[]): Promise<Api> {
  const api = createApi();
  exhaustAll(api, 'dead_letter');
  for (const text of texts) await submitted(api, text);
  api.engine.script = () => null;
  api.engine.started.length = 0;
  return api;
}

describe('dead letters', () => {
  it('when they are listed, then the oldest is first and filters hold', async () => {
    const api = await parked('a', 'b');
    const page = conforms(DeadLetterPage, await api.get('/v1/dead-letters'));
    expect(page.items.map(({ fileName, reason }) => [fileName, reason])).toEqual([
      ['a.txt', 'no_progress'],
      ['b.txt', 'no_progress'],
    ]);
    expect(conforms(DeadLetterPage, await api.get('/v1/dead-letters?failureClass=schema')).items).toEqual([]);
    expect(conforms(DeadLetterPage, await api.get('/v1/dead-letters?state=redriven')).items).toEqual([]);
  });

  it('when a redrive is dry, then it only counts', async () => {
    const api = await parked('a', 'b');
    const answer = await api.post('/v1/dead-letters/redrive', {
      filter: { reason: 'no_progress' },
      dryRun: true,
    });
    expect(answer.status).toBe(200);
    expect(conforms(RedriveAnswer, answer)).toEqual({ kind: 'counted', parked: 2 });
    expect(api.engine.started).toEqual([]);
  });

  it('when they are counted, then each group says why, under what and since when', async () => {
    const api = await parked('a', 'b');
    const { items } = conforms(DeadLetterGroups, await api.get('/v1/dead-letters/groups?spec=receipt'));
    expect(items).toEqual([
      expect.objectContaining({ reason: 'no_progress', promptVersion: 'v2', schemaVersion: '1', count: 2 }),
    ]);
    expect((await api.get('/v1/dead-letters/groups?promptVersion=v1')).body).toEqual({ items: [] });
  });

  it('when one is read, then the bounds it ran under are there', async () => {
    const api = await parked('a');
    const id = api.store.rows[0]?.key ?? '';
    const detail = conforms(DeadLetterDetail, await api.get(`/v1/dead-letters/${id.slice(0, 10)}`));
    expect(detail).toMatchObject({
      id,
      redrivenInto: null,
      policy: { attemptCap: 3, models: expect.anything() },
    });
    problemIn(await api.get('/v1/dead-letters/00000000'), 404, 'not-found');
  });

  it('when a filter selects, then a redrive is under way, which says how it fares', async () => {
    const api = await parked('a', 'b', 'c');
    const asked = { filter: { promptVersion: 'v2' }, max: 2, with: 'v1', perSecond: 10 };
    const answer = await api.post('/v1/dead-letters/redrive', asked);
    expect(answer.status).toBe(202);
    const started = conforms(RedriveAnswer, answer);
    expect(started).toEqual({ kind: 'redriving', id: expect.any(String), isNew: true, parked: 3 });
    const location = answer.headers.get('location') ?? '';
    const report = conforms(RedriveReport, await api.get(location));
    expect(report).toMatchObject({ state: 'running', started: 2, underWay: 2, returnedBy: {} });
    expect(api.engine.started.map(({ promptVersion }) => promptVersion)).toEqual(['v1', 'v1']);

    const again = conforms(RedriveAnswer, await api.post('/v1/dead-letters/redrive', asked));
    expect(again).toEqual({ ...started, isNew: false, parked: 1 });
    const [first, second] = api.engine.started;
    api.store.end(first?.key ?? '', { outcome: 'verified' });
    api.store.end(second?.key ?? '', { outcome: 'unverified', reason: 'deadline' });
    expect(conforms(RedriveReport, await api.get(location))).toMatchObject({
      ...{ state: 'finished', recovered: 1, returned: 1, returnedBy: { deadline: 1 } },
    });
  });

  it('when a redrive is cancelled, then it runs no further letter; one that is over cannot be', async () => {
    const api = await parked('a', 'b');
    await api.post('/v1/dead-letters/redrive', { filter: {}, name: 'monday' });
    expect((await api.request('/v1/redrives/monday/cancel', { method: 'POST' })).status).toBe(202);
    expect(conforms(RedriveReport, await api.get('/v1/redrives/monday')).state).toBe('cancelled');
    problemIn(await api.request('/v1/redrives/monday/cancel', { method: 'POST' }), 404, 'not-found');
    problemIn(await api.get('/v1/redrives/tuesday'), 404, 'not-found');
  });

  it('when one is named, then its new run is the answer', async () => {
    const api = await parked('a');
    const id = api.store.rows[0]?.key ?? '';
    const answer = await api.post('/v1/dead-letters/redrive', { id: id.slice(0, 12) });
    expect(answer.status).toBe(202);
    expect(conforms(RedriveAnswer, answer)).toMatchObject({ kind: 'running', extraction: { id, run: 2 } });
  });

  it.each<[object, number, string]>([
    [{}, 422, 'invalid-request'],
    [{ id: 'short' }, 422, 'invalid-request'],
    [{ filter: { reason: 'bad luck' } }, 422, 'invalid-request'],
    [{ filter: {}, max: 0 }, 422, 'invalid-request'],
    [{ filter: {}, perSecond: 1.5 }, 422, 'invalid-request'],
    [{ filter: {}, name: 'a/b' }, 422, 'invalid-request'],
    [{ filter: {}, with: 'v9' }, 422, 'invalid-request'],
    [{ id: '00000000' }, 404, 'not-found'],
  ])('when a redrive is %j, then it is refused', async (body, status, slug) => {
    const api = await parked('a');
    problemIn(await api.post('/v1/dead-letters/redrive', body), status, slug);
    expect(api.engine.started).toEqual([]);
  });

  it('when what is named is verified, then 409', async () => {
    const api = createApi();
    verifyAll(api);
    problemIn(
      await api.post('/v1/dead-letters/redrive', { id: await submitted(api, 'a') }),
      409,
      'not-redrivable',
    );
  });
});

describe('records', () => {
  it('when nothing else is asked, then only verified ones are there, each with its status', async () => {
    const api = createApi();
    verifyAll(api);
    await submitted(api, 'a');
    const [row] = api.store.rows;
    if (row !== undefined) api.store.recordRows.push(storedRecord(row, 'best_effort', badReceipt));
    const page = conforms(RecordPage, await api.get('/v1/records'));
    expect(page.items.map(({ verificationStatus, record }) => [verificationStatus, record])).toEqual([
      ['verified', goodReceipt],
    ]);
    const all = conforms(RecordPage, await api.get('/v1/records?status=best_effort&status=verified'));
    expect(all.items).toHaveLength(2);
    problemIn(await api.get('/v1/records?status=good'), 400, 'invalid-parameter');
  });
});
