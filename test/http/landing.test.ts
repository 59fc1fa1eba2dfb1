import { describe, expect, it } from 'vitest';
import { DeadLetterPage, RedriveAnswer } from '../../src/http/schemas/dead-letter.js';
import { SubmittedExtraction } from '../../src/http/schemas/extraction.js';
import { RecordPage } from '../../src/http/schemas/record.js';
import { Review, ReviewDecided, ReviewPage, ReviewSummary } from '../../src/http/schemas/review.js';
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

  it('when a filter selects, then at most the limit is started, and the rest is counted', async () => {
    const api = await parked('a', 'b', 'c');
    const answer = await api.post('/v1/dead-letters/redrive', { filter: {}, limit: 2, with: 'v1' });
    expect(answer.status).toBe(202);
    expect(conforms(RedriveAnswer, answer)).toEqual({
      ...{ kind: 'redriven', selected: 2, started: 2, attached: 0, alreadyVerified: 0, taken: 0, refused: 0 },
      parked: 1,
    });
    expect(api.engine.started.map(({ promptVersion }) => promptVersion)).toEqual(['v1', 'v1']);
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
    [{ filter: {}, limit: 51 }, 422, 'invalid-request'],
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

describe('reviews', () => {
  const waiting = async () => {
    const api = createApi();
    exhaustAll(api, 'human_review');
    const extractionId = await submitted(api, 'a');
    api.engine.script = () => null;
    const [subject = ''] = api.store.reviews.tasks.keys();
    return { api, extractionId, subject };
  };

  it('when they are listed, then each says why, how much and until when', async () => {
    const { api, extractionId, subject } = await waiting();
    const page = conforms(ReviewPage, await api.get('/v1/reviews?spec=receipt'));
    expect(page.items).toEqual([
      expect.objectContaining({
        ...{ id: subject, extractionId, reason: 'no_progress', amount: { amount: '5.50', currency: 'EUR' } },
        ...{ holder: null, dueAt: '2026-03-01T13:00:00.000Z', overdue: false },
      }),
    ]);
    expect(conforms(ReviewPage, await api.get('/v1/reviews?state=decided')).items).toEqual([]);
  });

  it("when one is read by its extraction's id, then it offers the candidate with its unmet rules", async () => {
    const { api, extractionId, subject } = await waiting();
    const review = conforms(Review, await api.get(`/v1/reviews/${extractionId.slice(0, 8)}`));
    expect(review).toMatchObject({
      id: subject,
      candidate: badReceipt,
      unmet: [{ rule: 'sum' }],
      events: [],
    });
  });

  it('when one is claimed, then another is told who holds it', async () => {
    const { api, subject } = await waiting();
    const claimed = await api.post(`/v1/reviews/${subject}/claim`, { actor: 'ada' });
    expect(conforms(ReviewSummary, claimed)).toMatchObject({ holder: 'ada' });
    const held = problemIn(
      await api.post(`/v1/reviews/${subject}/claim`, { actor: 'grace' }),
      409,
      'review-held',
    );
    expect(held.detail).toContain('ada');
    const stolen = await api.post(`/v1/reviews/${subject}/claim`, { actor: 'grace', steal: true });
    expect(conforms(ReviewSummary, stolen).holder).toBe('grace');
  });

  it('when one is corrected, then it is decided and the values went to the store', async () => {
    const { api, subject } = await waiting();
    const answer = await api.post(`/v1/reviews/${subject}/decision`, {
      ...{ actor: 'ada', verb: 'correct', values: goodReceipt },
    });
    expect(conforms(ReviewDecided, answer)).toMatchObject({
      review: { state: 'decided', verdict: 'correct' },
      unmet: [],
      redriven: null,
    });
    expect(api.store.reviews.stored[0]?.values).toEqual(goodReceipt);
    problemIn(
      await api.post(`/v1/reviews/${subject}/decision`, { actor: 'ada', verb: 'reject', note: 'x' }),
      409,
      'review-not-open',
    );
  });

  it('when rules do not hold, then 422 names each with its pointer, and an override needs a note', async () => {
    const { api, subject } = await waiting();
    const decide = (more: object) =>
      api.post(`/v1/reviews/${subject}/decision`, { actor: 'ada', verb: 'approve', ...more });
    expect(problemIn(await decide({}), 422, 'unmet-rules').errors).toEqual([
      { pointer: '/values/total', detail: expect.stringMatching(/^sum: /) },
    ]);
    expect(problemIn(await decide({ overrides: ['sum'] }), 422, 'invalid-request').errors[0]?.pointer).toBe(
      '/note',
    );
    const answer = await decide({ overrides: ['sum'], note: 'as printed' });
    expect(conforms(ReviewDecided, answer).unmet).toEqual([expect.objectContaining({ rule: 'sum' })]);
  });

  it('when another run is asked for, then it is in the answer', async () => {
    const { api, subject } = await waiting();
    const answer = await api.post(`/v1/reviews/${subject}/decision`, { actor: 'ada', verb: 'redrive' });
    expect(conforms(ReviewDecided, answer).redriven).toMatchObject({ run: 2, state: 'running' });
  });

  it('when there is none, then 404', async () => {
    problemIn(await createApi().get('/v1/reviews/00000000'), 404, 'not-found');
    problemIn(await createApi().post('/v1/reviews/00000000/claim', { actor: 'a' }), 404, 'not-found');
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
