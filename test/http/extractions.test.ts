import { describe, expect, it } from 'vitest';
import { AttemptList } from '../../src/http/schemas/attempt.js';
import {
  Cancelling,
  Extraction,
  ExtractionPage,
  SubmittedExtraction,
} from '../../src/http/schemas/extraction.js';
import { EngineUnavailable } from '../../src/ports/engine.js';
import { exhaustAll, storedRecord, verifyAll } from '../support/fakes/bench.js';
import { goodReceipt } from '../support/fakes/receipt-spec.js';
import { conforms, createApi, problemIn, submission } from './api.js';

describe('GET /v1/extractions', () => {
  it('when there are more than fit, then a cursor leads through all of them, the newest first', async () => {
    const api = createApi();
    for (const text of ['a', 'b', 'c'])
      await api.post('/v1/extractions', submission({ document: { text }, fileName: text }));
    const first = conforms(ExtractionPage, await api.get('/v1/extractions?limit=2'));
    expect(first.items.map(({ fileName }) => fileName)).toEqual(['c', 'b']);
    const second = conforms(
      ExtractionPage,
      await api.get(`/v1/extractions?limit=2&cursor=${first.nextCursor}`),
    );
    expect(second.items.map(({ fileName }) => fileName)).toEqual(['a']);
    expect(second.nextCursor).toBeNull();
  });

  it('when it filters, then only those are there', async () => {
    const api = createApi();
    await api.post('/v1/extractions', submission({ document: { text: 'runs' }, tags: ['a'] }));
    verifyAll(api);
    await api.post('/v1/extractions', submission({ document: { text: 'ended' }, tags: ['b'] }));
    const count = async (query: string) =>
      conforms(ExtractionPage, await api.get(`/v1/extractions?${query}`)).items.length;
    expect(await count('state=running')).toBe(1);
    expect(await count('outcome=verified&spec=receipt&tenant=acme&tag=b')).toBe(1);
    await api.post('/v1/extractions', submission({ document: { text: 'named' }, fileName: 'R-kwd.txt' }));
    expect(await count('file=r-kwd')).toBe(1);
    expect(await count('file=kwd')).toBe(0);
    expect(await count('tenant=globex')).toBe(0);
    expect(await count('reason=refusal')).toBe(0);
  });

  it.each(['limit=0', 'limit=201', 'limit=ten', 'outcome=fine', 'reason=bad', 'state=open'])(
    'when the query is %s, then 400 points at it',
    async (query) => {
      const problem = problemIn(await createApi().get(`/v1/extractions?${query}`), 400, 'invalid-parameter');
      expect(problem.errors[0]?.pointer).toBe(`/${query.split('=')[0]}`);
    },
  );

  it('when the cursor is none of ours, then 400 says so', async () => {
    problemIn(await createApi().get('/v1/extractions?cursor=x'), 400, 'bad-cursor');
  });
});

describe('GET /v1/extractions/{id}', () => {
  const started = async () => {
    const api = createApi();
    const { id } = conforms(SubmittedExtraction, await api.post('/v1/extractions', submission()));
    return { api, id };
  };

  it('when it is found by the beginning of its id, then it is whole, and Retry-After while it runs', async () => {
    const { api, id } = await started();
    const answer = await api.get(`/v1/extractions/${id.slice(0, 8)}`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('retry-after')).toBe('3');
    expect(conforms(Extraction, answer)).toMatchObject({ id, state: 'running', outcome: null });
  });

  it('when the caller prefers to wait, then the answer is held until it has ended', async () => {
    const { api, id } = await started();
    api.engine.result = async () => {
      api.store.end(id, {
        outcome: 'unverified',
        reason: 'refusal',
        failureClass: 'refusal',
        route: 'dead_letter',
      });
      return null;
    };
    const answer = await api.get(`/v1/extractions/${id}`, { prefer: 'wait=5' });
    expect(conforms(Extraction, answer).outcome).toMatchObject({
      kind: 'unverified',
      reason: 'refusal',
      bestEffort: null,
    });
    expect(answer.headers.get('retry-after')).toBeNull();
  });

  it('when a person made a record, then it is linked', async () => {
    const { api, id } = await started();
    const row = api.store.end(id, { outcome: 'unverified', reason: 'no_progress', route: 'human_review' });
    api.store.recordRows.push(storedRecord(row, 'human_verified', goodReceipt));
    const view = conforms(Extraction, await api.get(`/v1/extractions/${id}`));
    expect(view.humanRecord).toMatchObject({ verificationStatus: 'human_verified', record: goodReceipt });
    expect(view.outcome?.kind).toBe('unverified');
  });

  it('when there is none, or the id is no id, then 404 or 400', async () => {
    const { api, id } = await started();
    problemIn(await api.get('/v1/extractions/00000000'), 404, 'not-found');
    problemIn(await api.get(`/v1/extractions/${id}?run=2`), 404, 'not-found');
    problemIn(await api.get('/v1/extractions/1234567'), 400, 'invalid-parameter');
    problemIn(await api.get(`/v1/extractions/${id.slice(0, 7)}%25`), 400, 'invalid-parameter');
  });

  it('when its record is no longer kept, then 410', async () => {
    const { api, id } = await started();
    api.store.end(id, { outcome: 'verified' });
    problemIn(await api.get(`/v1/extractions/${id}`), 410, 'gone');
  });
});

describe('GET /v1/extractions/{id}/attempts', () => {
  it('then every attempt is there with class, problems, ceiling, tokens, calls and time', async () => {
    const api = createApi();
    exhaustAll(api, 'dead_letter');
    const { id } = conforms(SubmittedExtraction, await api.post('/v1/extractions', submission()));
    const list = conforms(AttemptList, await api.get(`/v1/extractions/${id}/attempts`));
    expect(list).toMatchObject({ id, run: 1 });
    expect(list.items).toHaveLength(2);
    expect(list.items[1]).toMatchObject({
      attempt: 2,
      lane: 'repair',
      result: 'rejected',
      failureClass: 'constraint',
      problems: [{ rule: 'sum', pointer: '/total' }],
      maxTokens: 1500,
      tokens: 900,
      durationMs: 1234,
    });
  });
});

describe('POST /v1/extractions/{id}/cancel', () => {
  it('when it runs, then 202; when it has ended, then 200', async () => {
    const api = createApi();
    const { id } = conforms(SubmittedExtraction, await api.post('/v1/extractions', submission()));
    const cancel = () => api.request(`/v1/extractions/${id}/cancel`, { method: 'POST' });
    const first = await cancel();
    expect(first.status).toBe(202);
    expect(conforms(Cancelling, first).kind).toBe('requested');
    const second = await cancel();
    expect(second.status).toBe(200);
    expect(conforms(Cancelling, second)).toMatchObject({
      kind: 'ended',
      extraction: { reason: 'cancelled' },
    });
  });

  it('when the engine goes away meanwhile, then 503', async () => {
    const api = createApi();
    const { id } = conforms(SubmittedExtraction, await api.post('/v1/extractions', submission()));
    api.engine.cancel = async () => {
      throw new EngineUnavailable('No Temporal server answers.');
    };
    problemIn(await api.request(`/v1/extractions/${id}/cancel`, { method: 'POST' }), 503, 'unavailable');
  });
});
