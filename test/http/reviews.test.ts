import { describe, expect, it } from 'vitest';
import { leaseMs } from '../../src/application/claim-review.js';
import { SubmittedExtraction } from '../../src/http/schemas/extraction.js';
import {
  Draft,
  NextClaim,
  ReviewCheck,
  ReviewDecided,
  ReviewPage,
  ReviewQueue,
  ReviewSummary,
} from '../../src/http/schemas/review.js';
import { ReviewSheet } from '../../src/http/schemas/review-sheet.js';
import { exhaustAll, sampleAll, sampleId } from '../support/fakes/bench.js';
import { badReceipt, goodReceipt } from '../support/fakes/receipt-spec.js';
import { type Api, conforms, createApi, problemIn, submission } from './api.js';

async function waiting(prepare: (api: Api) => void = (api) => exhaustAll(api, 'human_review')) {
  const api = createApi();
  prepare(api);
  const answer = await api.post(
    '/v1/extractions',
    submission({ document: { text: 'a' }, fileName: 'a.txt' }),
  );
  const { id: extractionId } = conforms(SubmittedExtraction, answer);
  api.engine.script = () => null;
  const [id = ''] = api.store.reviews.tasks.keys();
  const post = (path: string, body: object, headers = {}) =>
    api.post(`/v1/reviews/${id}/${path}`, body, headers);
  return { api, extractionId, id, post };
}

/** The question becomes another one, as a second exhaustion makes it. */
function renew(api: Api, id: string): void {
  const task = api.store.reviews.tasks.get(id);
  if (task === undefined) throw new Error('nothing to renew');
  const version = task.version + 1;
  api.store.reviews.tasks.set(id, { ...task, version });
  const run = { key: task.key, run: 2 };
  const quiet = { actor: null, holder: null, leaseExpiresAt: null, note: null, decision: null };
  api.store.reviews.trails.set(id, [{ ...quiet, kind: 'renewed', run, version, at: 0 }]);
}

describe('reviews', () => {
  it('when they are listed, then each says why, how much and until when', async () => {
    const { api, extractionId, id } = await waiting();
    const page = conforms(ReviewPage, await api.get('/v1/reviews?spec=receipt'));
    expect(page.items).toEqual([
      expect.objectContaining({
        ...{ fileName: 'a.txt', documentHash: expect.stringMatching(/^[0-9a-f]{64}$/) },
        ...{ id, extractionId, reason: 'no_progress', amount: { amount: '5.50', currency: 'EUR' } },
        ...{ holder: null, dueAt: '2026-03-01T13:00:00.000Z', overdue: false, kind: 'exhausted', version: 1 },
      }),
    ]);
    for (const none of [
      'state=decided',
      'kind=sample',
      'lease=held',
      'overdue=true',
      'holder=ada',
      'escalated=true',
    ])
      expect(conforms(ReviewPage, await api.get(`/v1/reviews?${none}`)).items, none).toEqual([]);
    api.pass(3_600_001);
    const overdue = await api.get('/v1/reviews?lease=free&overdue=true&escalated=false&reason=no_progress');
    expect(conforms(ReviewPage, overdue).items).toHaveLength(1);
    problemIn(await api.get('/v1/reviews?overdue=yes'), 400, 'invalid-parameter');
  });

  it('when the queue is asked for, then it says what waits and how many hours it takes', async () => {
    const { api, post } = await waiting();
    await post('claim', { actor: 'ada' });
    expect(conforms(ReviewQueue, await api.get('/v1/reviews/queue?spec=receipt'))).toEqual({
      ...{ open: 1, free: 0, held: 1, overdue: 0, escalated: 0, samples: 0 },
      nextFreeAt: expect.stringMatching(/^2026-03-01T12:15:00/),
      ...{ inflowPerDay: 1, minutesEach: 2.4, minutesFrom: 'assumed', hoursPerDay: 0.04, backlogHours: 0.04 },
      audit: { decided: 0, defects: 0, defectRate: null, interval: { low: 0, high: 1 }, byAttempts: [] },
    });
  });

  it("when one is read by its extraction's id, then it says why, by field, and offers the candidate", async () => {
    const { api, extractionId, id } = await waiting();
    const answer = await api.get(`/v1/reviews/${extractionId.slice(0, 8)}`);
    expect(answer.headers.get('etag')).toBe('"1"');
    expect(conforms(ReviewSheet, answer)).toMatchObject({
      id,
      why: 'It was not verified: the model gave the same answer again.',
      candidate: badReceipt,
      unmet: [
        { pointer: '/total', title: 'Total', rules: [{ rule: 'sum', expected: '4.50', found: '5.50' }] },
      ],
      arithmetic: [{ rule: 'sum', pointer: '/total', computed: '4.50', holds: '5.50' }],
      draft: null,
      trail: [],
    });
  });

  it('when one is claimed, then another is told who holds it, and steals it only with a reason', async () => {
    const { post } = await waiting();
    const claimed = await post('claim', { actor: 'ada' });
    expect(conforms(ReviewSummary, claimed)).toMatchObject({ holder: 'ada', version: 1 });
    expect(claimed.headers.get('etag')).toBe('"1"');
    expect(problemIn(await post('claim', { actor: 'grace' }), 409, 'review-held').detail).toContain('ada');
    problemIn(await post('claim', { actor: 'grace', steal: ' ' }), 422, 'invalid-request');
    const stolen = await post('claim', { actor: 'grace', steal: 'ada is ill' });
    expect(conforms(ReviewSummary, stolen).holder).toBe('grace');
    problemIn(await post('heartbeat', { actor: 'ada' }), 409, 'lease-lost');
  });

  it('when the holder goes on, then it is held longer; when they let go or are away too long, then it is free', async () => {
    const { api, post } = await waiting();
    const first = conforms(ReviewSummary, await post('claim', { actor: 'ada' }));
    api.pass(60_000);
    const longer = conforms(ReviewSummary, await post('heartbeat', { actor: 'ada' }));
    expect(Date.parse(longer.leaseExpiresAt ?? '')).toBeGreaterThan(Date.parse(first.leaseExpiresAt ?? ''));
    expect(conforms(ReviewSummary, await post('release', { actor: 'ada' })).holder).toBeNull();
    problemIn(await post('release', { actor: 'ada' }), 409, 'lease-lost');
    await post('claim', { actor: 'ada' });
    api.pass(leaseMs);
    const lost = problemIn(await post('heartbeat', { actor: 'ada' }), 409, 'lease-lost');
    expect(lost.detail).toBe(
      'You do not hold this review (any more); nobody holds it: claim it again. Drafts are kept.',
    );
  });

  it('when the next one is asked for, then it is claimed, or all are held, or there is none', async () => {
    const { api, id } = await waiting();
    const next = (more: object = {}) => api.post('/v1/reviews/next', { actor: 'ada', ...more });
    const claimed = await next();
    expect(conforms(NextClaim, claimed)).toMatchObject({ kind: 'claimed', review: { id, holder: 'ada' } });
    expect(claimed.headers.get('etag')).toBe('"1"');
    expect(conforms(NextClaim, await next({ actor: 'grace' }))).toEqual({
      ...{ kind: 'all_held', held: 1, nextFreeAt: expect.stringMatching(/^2026-03-01T12:15:00/) },
    });
    expect(conforms(NextClaim, await next({ spec: 'invoice' }))).toEqual({ kind: 'none' });
    problemIn(await next({ actor: '' }), 422, 'invalid-request');
  });

  it('when values are checked, then it says what they would come to, and nothing is stored', async () => {
    const { api, post } = await waiting();
    expect(conforms(ReviewCheck, await post('check', { values: goodReceipt }))).toMatchObject({
      ...{ kind: 'holds', unmet: [], overrides: [], contradiction: null },
      arithmetic: [{ rule: 'sum', computed: '4.50', holds: '4.50' }],
    });
    expect(conforms(ReviewCheck, await post('check', {}))).toMatchObject({
      kind: 'unmet',
      overrides: ['sum'],
      unmet: [{ rule: 'sum', pointer: '/total', expected: '4.50', found: '5.50' }],
    });
    const shapeless = { ...goodReceipt, total: 'four' };
    expect(conforms(ReviewCheck, await post('check', { values: shapeless }))).toMatchObject({
      kind: 'misshapen',
      unmet: [{ rule: 'schema/format', pointer: '/total' }],
    });
    const errors = problemIn(await post('check', { values: { total: 4.5 } }), 422, 'invalid-request').errors;
    expect(errors[0]?.pointer).toBe('/values/total');
    expect(api.store.reviews.stored).toEqual([]);
    expect(api.store.reviews.drafts.size).toBe(0);
  });

  it('when a draft is kept, then its author reads it again, also beside the sheet; others have none', async () => {
    const { api, id } = await waiting();
    const put = (body: object) =>
      api.request(`/v1/reviews/${id}/draft`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    problemIn(await api.get(`/v1/reviews/${id}/draft?actor=ada`), 404, 'not-found');
    const draft = conforms(Draft, await put({ actor: 'ada', values: { total: '4.' }, note: 'so far' }));
    expect(draft).toMatchObject({ actor: 'ada', values: { total: '4.' }, note: 'so far', version: 1 });
    expect(conforms(Draft, await api.get(`/v1/reviews/${id}/draft?actor=ada`))).toEqual(draft);
    expect(conforms(ReviewSheet, await api.get(`/v1/reviews/${id}?actor=ada`)).draft).toEqual(draft);
    expect(conforms(ReviewSheet, await api.get(`/v1/reviews/${id}?actor=grace`)).draft).toBeNull();
  });

  it('when one is corrected, then it is decided and the values went to the store', async () => {
    const { api, post } = await waiting();
    const answer = await post('decision', { actor: 'ada', verb: 'correct', values: goodReceipt });
    expect(answer.headers.get('etag')).toBe('"2"');
    expect(conforms(ReviewDecided, answer)).toMatchObject({
      review: { state: 'decided', verdict: 'correct', version: 2 },
      unmet: [],
      redriven: null,
    });
    expect(api.store.reviews.stored[0]?.values).toEqual(goodReceipt);
    const late = problemIn(
      await post('decision', { actor: 'kim', verb: 'reject', note: 'x' }),
      409,
      'review-not-open',
    );
    expect(late.detail).toMatch(
      /^This review was decided on \S+ by ada: correct; there is nothing left to decide\.$/,
    );
  });

  it('when two tabs decide, then the second is refused with what the first one did', async () => {
    const { post } = await waiting();
    const reject = (ifMatch: string) =>
      post('decision', { actor: 'ada', verb: 'reject', note: 'blurred' }, { 'if-match': ifMatch });
    expect((await reject('"1"')).status).toBe(200);
    const second = problemIn(await reject('"1"'), 412, 'review-changed');
    expect(second.detail).toContain('(version 1, now 2)');
    expect(second.errors).toEqual([
      { pointer: '', detail: expect.stringMatching(/^It was decided on \S+ by ada: reject\.$/) },
    ]);
  });

  it('when the question changed meanwhile, then a decision on the old one is refused, and on the new one taken', async () => {
    const { api, id, post } = await waiting();
    renew(api, id);
    const decide = (ifMatch: string) =>
      post('decision', { actor: 'ada', verb: 'reject', note: 'x' }, { 'if-match': ifMatch });
    expect(problemIn(await decide('"1"'), 412, 'review-changed').errors[0]?.detail).toContain('renewed');
    for (const stranger of ['"9"', 'W/"2"', 'nonsense', '""'])
      expect(problemIn(await decide(stranger), 412, 'review-changed').detail, stranger).toContain('is at 2');
    expect(api.store.reviews.stored).toEqual([]);
    expect((await decide('"1", "2"')).status).toBe(200);
  });

  it('when rules do not hold, then 422 names each with its pointer, and an override needs a note', async () => {
    const { post } = await waiting();
    const decide = (more: object) =>
      post('decision', { actor: 'ada', verb: 'approve', ...more }, { 'if-match': '*' });
    expect(problemIn(await decide({}), 422, 'unmet-rules').errors).toEqual([
      { pointer: '/values/total', detail: expect.stringMatching(/^sum: /) },
    ]);
    const noteless = problemIn(await decide({ overrides: ['sum'] }), 422, 'invalid-request');
    expect(noteless.errors[0]?.pointer).toBe('/note');
    const answer = await decide({ overrides: ['sum'], note: 'as printed' });
    expect(conforms(ReviewDecided, answer).unmet).toEqual([expect.objectContaining({ rule: 'sum' })]);
  });

  it('when another run is asked for, then it is in the answer', async () => {
    const { post } = await waiting();
    const answer = await post('decision', { actor: 'ada', verb: 'redrive' });
    expect(conforms(ReviewDecided, answer).redriven).toMatchObject({ run: 2, state: 'running' });
  });

  it('when a run verified the document meanwhile, then whoever held the review is told by which', async () => {
    const { api, id, post } = await waiting();
    const task = api.store.reviews.tasks.get(id);
    if (task === undefined) throw new Error('no task');
    const by = { key: task.key, run: 2 };
    const quiet = { actor: null, leaseExpiresAt: null, note: null, decision: null };
    api.store.reviews.tasks.set(id, {
      ...task,
      state: 'withdrawn',
      version: 2,
      withdrawn: { by, from: 'ada' },
    });
    api.store.reviews.trails.set(id, [
      { ...quiet, kind: 'withdrawn', holder: 'ada', run: by, version: 2, at: 0 },
    ]);
    const told = `while ada held it: run 2 of ${task.key.slice(0, 12)} verified the document`;
    for (const path of ['heartbeat', 'release', 'claim', 'decision']) {
      const body = { actor: 'ada', ...(path === 'decision' ? { verb: 'not_in_document' } : {}) };
      expect(problemIn(await post(path, body), 409, 'review-not-open').detail, path).toContain(told);
    }
    const mine = conforms(ReviewPage, await api.get('/v1/reviews?state=withdrawn&holder=ada'));
    expect(mine.items).toMatchObject([
      { id, withdrawn: { by: { extractionId: task.key, run: 2 }, from: 'ada' }, holder: null },
    ]);
  });

  it('when there is none, then 404', async () => {
    problemIn(await createApi().get('/v1/reviews/00000000'), 404, 'not-found');
    for (const path of ['claim', 'heartbeat', 'release'])
      problemIn(await createApi().post(`/v1/reviews/00000000/${path}`, { actor: 'a' }), 404, 'not-found');
    problemIn(await createApi().post('/v1/reviews/00000000/check', {}), 404, 'not-found');
  });
});

describe('a sampled record', () => {
  it('when it is read, then it says that it verified, and offers the record', async () => {
    const { api, extractionId, id } = await waiting(sampleAll);
    expect(id).toBe(sampleId(extractionId));
    expect(conforms(ReviewSheet, await api.get(`/v1/reviews/${id}`))).toMatchObject({
      ...{ kind: 'sample', reason: null, dueAt: null, overdue: false, candidate: goodReceipt, unmet: [] },
      why: 'It verified, and is in the sample that people look at too.',
    });
  });

  it('when a person agrees or corrects, then it is decided without the engine', async () => {
    for (const [verb, values] of [
      ['approve', null],
      ['correct', { ...goodReceipt, currency: 'CHF' }],
    ] as const) {
      const { api, post } = await waiting(sampleAll);
      api.engine.down = true;
      const answer = await post('decision', { actor: 'ada', verb, values });
      expect(conforms(ReviewDecided, answer).review).toMatchObject({ kind: 'sample', verdict: verb });
    }
  });

  it.each([
    ['another run', { verb: 'redrive' }, '/verb'],
    ['agreement with other values', { verb: 'approve', values: goodReceipt }, '/values'],
    [
      'a correction that changes nothing',
      { verb: 'correct', values: { ...goodReceipt, total: '4.5' } },
      '/values',
    ],
  ])('when %s is decided, then it is refused', async (_what, decision, pointer) => {
    const { api, post } = await waiting(sampleAll);
    const refused = problemIn(await post('decision', { actor: 'ada', ...decision }), 422, 'invalid-request');
    expect(refused.errors[0]?.pointer).toBe(pointer);
    expect(api.store.reviews.stored).toEqual([]);
  });

  it('when verdicts are there, then the queue says how many of what verified was wrong', async () => {
    const { api } = await waiting(sampleAll);
    api.store.reviews.verdicts = [
      { attempts: 1, decided: 90, defects: 1 },
      { attempts: 2, decided: 10, defects: 4 },
    ];
    const { audit } = conforms(ReviewQueue, await api.get('/v1/reviews/queue'));
    expect(audit).toMatchObject({ decided: 100, defects: 5, defectRate: 0.05 });
    expect(audit.interval.low).toBeCloseTo(0.0215, 3);
    expect(audit.interval.high).toBeCloseTo(0.1118, 3);
  });
});
