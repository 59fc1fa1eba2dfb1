import { describe, expect, it } from 'vitest';
import { checkReview } from '../../src/application/check-review.js';
import { claimReview, leaseMs, releaseReview } from '../../src/application/claim-review.js';
import { readDraft, saveDraft } from '../../src/application/review-draft.js';
import { listReviews, readQueue } from '../../src/application/review-queue.js';
import { readReviewSheet } from '../../src/application/review-sheet.js';
import { submitExtraction } from '../../src/application/submit-extraction.js';
import { createCatalogue } from '../../src/spec/catalogue.js';
import {
  type Bench,
  createBench,
  exhaustAll,
  rejectedAttempt,
  sampleAll,
  sumProblem,
  textSubmission,
} from '../support/fakes/bench.js';
import { runId } from '../support/fakes/memory-store.js';
import { badReceipt, goodReceipt } from '../support/fakes/receipt-spec.js';

async function waiting(): Promise<Bench & { subject: string; key: string }> {
  const bench = createBench();
  exhaustAll(bench, 'human_review');
  const { extraction } = await submitExtraction(bench.app, textSubmission('a'));
  return { ...bench, subject: extraction.subject, key: extraction.key };
}

describe('a review sheet', () => {
  it('says why first, then what does not hold by field, then every field beside its print', async () => {
    const bench = await waiting();
    const evidence = [{ pointer: '/lines/0/amount', page: 1, start: 4, end: 8, printed: '1,20' }];
    const last = rejectedAttempt(2, { evidence, ungrounded: ['/lines/1/amount'] });
    bench.store.attemptRows.set(runId(bench.key, 1), [rejectedAttempt(1), last]);
    const sheet = await readReviewSheet(bench.app, bench.subject.slice(0, 8), null);
    expect(sheet).toMatchObject({
      id: bench.subject,
      why: 'It was not verified: the model gave the same answer again.',
      unmet: [
        { pointer: '/total', title: 'Total', rules: [{ rule: 'sum', expected: '4.50', found: '5.50' }] },
      ],
      arithmetic: [{ rule: 'sum', pointer: '/total', computed: '4.50', holds: '5.50' }],
      candidate: badReceipt,
      changes: [],
      draft: null,
    });
    expect(sheet.unmet[0]?.rules[0]?.says).toBe('/total is the sum of /lines/*/amount');
    expect(sheet.fields).toEqual([
      expect.objectContaining({ title: 'Currency', value: 'EUR', unmet: [] }),
      expect.objectContaining({ title: 'Lines 1 Amount', value: '1.20', evidence }),
      expect.objectContaining({ title: 'Lines 2 Amount', value: '3.30', ungrounded: true }),
      expect.objectContaining({ title: 'Total', value: '5.50', unmet: ['sum'] }),
    ]);
  });

  it('shows what the attempts changed, and leaves a reply without a candidate out of it', async () => {
    const bench = await waiting();
    const first = rejectedAttempt(1, { candidate: { ...badReceipt, total: '9.99' } });
    const cut = rejectedAttempt(2, {
      candidate: null,
      problems: [{ ...sumProblem, rule: 'reply/cut', pointer: '' }],
    });
    bench.store.attemptRows.set(runId(bench.key, 1), [first, cut, rejectedAttempt(3)]);
    const sheet = await readReviewSheet(bench.app, bench.key, null);
    expect(sheet.attempts.map(({ attempt, hasCandidate }) => [attempt, hasCandidate])).toEqual([
      [1, true],
      [2, false],
      [3, true],
    ]);
    expect(sheet.changes).toEqual([
      {
        pointer: '/total',
        title: 'Total',
        values: [
          { attempt: 1, value: '9.99' },
          { attempt: 3, value: '5.50' },
        ],
      },
    ]);
  });

  it('without any candidate says so, and what was wrong with the last reply', async () => {
    const bench = await waiting();
    const task = bench.store.reviews.tasks.get(bench.subject);
    if (task !== undefined) bench.store.reviews.tasks.set(bench.subject, { ...task, bestAttempt: null });
    const reply = { ...sumProblem, rule: 'reply/empty', pointer: '', message: 'The reply is empty.' };
    const empty = rejectedAttempt(1, { candidate: null, problems: [reply] });
    bench.store.attemptRows.set(runId(bench.key, 1), [empty]);
    expect(await readReviewSheet(bench.app, bench.subject, null)).toMatchObject({
      why: 'It was not verified: the model gave the same answer again; no whole candidate was read.',
      ...{ candidate: null, fields: [], arithmetic: [], changes: [] },
      unmet: [{ pointer: '', title: null, rules: [{ rule: 'reply/empty', message: 'The reply is empty.' }] }],
    });
    await expect(checkReview(bench.app, bench.subject, null)).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });

  it('of a spec version that is not known here still shows the candidate, without titles', async () => {
    const bench = await waiting();
    const app = { ...bench.app, catalogue: createCatalogue([]) };
    const sheet = await readReviewSheet(app, bench.subject, null);
    expect(sheet).toMatchObject({ candidate: badReceipt, arithmetic: [], unmet: [{ title: null }] });
    expect(sheet.fields.map(({ pointer, title }) => [pointer, title])).toContainEqual(['/total', null]);
    await expect(checkReview(app, bench.subject, null)).rejects.toMatchObject({ code: 'unknown_spec' });
  });

  it('of a sample offers the record that verified', async () => {
    const bench = createBench();
    sampleAll(bench);
    const { extraction } = await submitExtraction(bench.app, textSubmission('a'));
    const sheet = await readReviewSheet(bench.app, extraction.key, null);
    expect(sheet).toMatchObject({ kind: 'sample', candidate: goodReceipt, unmet: [], diagnosis: null });
    expect(await checkReview(bench.app, extraction.key, null)).toMatchObject({ kind: 'holds' });
  });

  it('is overdue once its time has passed, and none where there is no review', async () => {
    const bench = await waiting();
    expect((await readReviewSheet(bench.app, bench.subject, null)).overdue).toBe(false);
    bench.pass(3_600_001);
    expect((await readReviewSheet(bench.app, bench.subject, null)).overdue).toBe(true);
    await expect(readReviewSheet(bench.app, 'abcdef0123', null)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('a lease that runs out', () => {
  it('is in the trail as soon as anybody looks, frees the review, and loses nobody’s draft', async () => {
    const bench = await waiting();
    const { app, subject } = bench;
    const claimed = await claimReview(app, { review: subject, actor: 'grace', steal: null });
    await saveDraft(app, { review: subject, actor: 'grace', values: { total: '4.' }, note: null });
    bench.pass(leaseMs);
    const page = await listReviews(app, { lease: 'free' }, { limit: 5 });
    expect(page.items.map(({ id }) => id)).toEqual([subject]);
    const sheet = await readReviewSheet(app, subject, 'grace');
    expect(sheet.holder).toBeNull();
    expect(sheet.trail.map(({ kind, actor, holder }) => [kind, actor, holder])).toEqual([
      ['claimed', 'grace', null],
      ['expired', null, 'grace'],
    ]);
    expect(sheet.trail[1]?.at).toBe(new Date(claimed.leaseExpiresAt ?? 0).toISOString());
    await claimReview(app, { review: subject, actor: 'ada', steal: null });
    expect(await readDraft(app, { review: subject, actor: 'grace' })).toMatchObject({
      values: { total: '4.' },
    });
    expect(await readDraft(app, { review: subject, actor: 'ada' })).toBeNull();
    await expect(releaseReview(app, { review: subject, actor: 'grace' })).rejects.toMatchObject({
      code: 'lease_lost',
      message: expect.stringContaining('held by ada until'),
    });
  });
});

describe('the queue', () => {
  it('takes inflow x minutes: 248 a day at 25 an hour are about ten hours', async () => {
    const bench = createBench();
    const day = 86_400_000;
    bench.store.reviews.tally = async (_filter, at) => ({
      ...{ open: 30, held: 3, overdue: 1, escalated: 1, samples: 2, nextFreeAt: at + 60_000 },
      ...{ opened: 1_736, firstOpenedAt: at - 7 * day, decisions: 9, decidingMs: 9 * 600_000 },
    });
    const queue = await readQueue(bench.app, {});
    expect(queue).toMatchObject({ free: 27, inflowPerDay: 248, minutesEach: 2.4, minutesFrom: 'assumed' });
    expect(queue.hoursPerDay).toBeCloseTo(9.92);
    expect(queue.backlogHours).toBeCloseTo(1.2);
  });

  it('measures the minutes once there are enough decisions, and a young queue over its own age', async () => {
    const bench = createBench();
    const day = 86_400_000;
    const empty = { open: 0, held: 0, overdue: 0, escalated: 0, samples: 0, nextFreeAt: null };
    const measured = { decisions: 10, decidingMs: 10 * 360_000 };
    bench.store.reviews.tally = async (_filter, at) => ({
      ...{ ...empty, ...measured, opened: 30, firstOpenedAt: at - 2 * day },
    });
    expect(await readQueue(bench.app, {})).toMatchObject({
      ...{ inflowPerDay: 15, minutesEach: 6, minutesFrom: 'measured', hoursPerDay: 1.5, nextFreeAt: null },
    });
    bench.store.reviews.tally = async (_filter, at) => ({
      ...{ ...empty, ...measured, opened: 30, firstOpenedAt: at - 1_000 },
    });
    expect((await readQueue(bench.app, {})).inflowPerDay).toBe(30);
    bench.store.reviews.tally = async () => ({ ...empty, ...measured, opened: 0, firstOpenedAt: null });
    expect((await readQueue(bench.app, {})).inflowPerDay).toBe(0);
  });
});
