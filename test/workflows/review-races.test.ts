import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { claimReview, leaseMs } from '../../src/application/claim-review.js';
import { decideReview, type ReviewDecision } from '../../src/application/decide-review.js';
import { redriveByKey } from '../../src/application/redrive.js';
import { readDraft, saveDraft } from '../../src/application/review-draft.js';
import { readReviewSheet } from '../../src/application/review-sheet.js';
import { workflowIds } from '../../src/domain/workflow-id.js';
import { eventually } from '../support/eventually.js';
import { held, type Turn } from '../support/model-relay.js';
import { claimText } from '../support/papers.js';
import { claimSpec } from './claim-specs.js';
import { type Ended, openScene, type Scene } from './scene.js';

const plain = claimSpec('claim-plain');
const sampled = claimSpec('claim-sampled', { sampleShare: 1 });

/** The same wrong amount whatever the model is told. */
const stubborn = { behaviour: { misread: 1, stubborn: 1 } };
const fine = {};

let scene: Scene;
beforeAll(async () => {
  scene = await openScene({ specs: [plain, sampled] });
});
afterAll(() => scene.close());

const app = () => scene.house.app;
const reviewOf = (subject: string) => scene.client.workflow.getHandle(workflowIds.humanReview(subject));
const statusOf = async (subject: string) => (await reviewOf(subject).describe()).status.name;
const trailOf = async (id: string) => (await app().store.reviews.steps(id)).map(({ kind }) => kind);

/** A claim that waits for a person; `later` is what the calls of its next runs meet. */
async function waiting(...later: readonly Turn[]): Promise<Ended & { readonly text: string }> {
  const text = claimText({});
  const ended = await scene.run({ spec: plain, text, turns: [stubborn, stubborn, ...later] });
  expect(ended.extraction).toMatchObject({ outcome: 'unverified', route: 'human_review', attempts: 2 });
  await eventually(async () => expect(await statusOf(ended.extraction.subject)).toBe('RUNNING'));
  return { ...ended, text };
}

const decide = (ended: Ended, decision: Partial<ReviewDecision>, at = app()) =>
  decideReview(at, {
    ...{ review: ended.extraction.subject, actor: 'ada', verb: 'not_in_document', values: null, note: null },
    ...{ overrides: [], ifVersion: null, ...decision },
  });

const corrected = (ended: Ended): never => {
  const candidate = ended.outcome?.kind === 'unverified' ? ended.outcome.bestEffort : null;
  const lines = ['120.50', '79.50'].map((amount, index) => ({
    amount,
    description: `Repair of window ${index + 1}`,
  }));
  return { ...(candidate as object), total_claimed: '200.00', line_items: lines } as never;
};

describe.concurrent('a redrive while a review is open', () => {
  it('that verifies withdraws the review, ends its workflow, and tells its holder by which run', async () => {
    const ended = await waiting(fine);
    const { subject, key } = ended.extraction;
    await claimReview(app(), { review: subject, actor: 'ada', steal: null });
    await saveDraft(app(), { review: subject, actor: 'ada', values: { total_claimed: '2' }, note: null });
    const again = await scene.ended(await redriveByKey(app(), key, null));
    expect(again.extraction).toMatchObject({ run: 2, outcome: 'verified' });
    expect(await reviewOf(subject).result()).toEqual({ ended: 'withdrawn', verb: null });

    const withdrawn = { by: { extractionId: key, run: 2 }, from: 'ada' };
    const sheet = await readReviewSheet(app(), subject, 'ada');
    expect(sheet).toMatchObject({ state: 'withdrawn', withdrawn, holder: null });
    expect(sheet.trail.at(-1)).toMatchObject({ kind: 'withdrawn', holder: 'ada', run: withdrawn.by });
    expect(sheet.draft).toMatchObject({ values: { total_claimed: '2' } });
    const told = `while ada held it: run 2 of ${key.slice(0, 12)} verified the document`;
    await expect(decide(ended, {})).rejects.toMatchObject({
      code: 'review_not_open',
      message: expect.stringContaining(told),
    });
    await expect(decide(ended, { ifVersion: [1] })).rejects.toMatchObject({
      code: 'review_changed',
      faults: [{ detail: expect.stringContaining(told) }],
    });
    const records = await app().store.records.ofKey(key);
    expect(records.map(({ status }) => status)).toEqual(['verified']);
  });

  it('that is exhausted again makes it another question for whoever holds it; a decision on the old one is refused', async () => {
    const ended = await waiting(stubborn);
    const { subject, key } = ended.extraction;
    await claimReview(app(), { review: subject, actor: 'ada', steal: null });
    const again = await scene.ended(await redriveByKey(app(), key, null));
    expect(again.extraction).toMatchObject({ run: 2, route: 'human_review' });
    expect(await app().store.reviews.find(subject)).toMatchObject({ run: 2, version: 2, holder: 'ada' });
    await expect(decide(ended, { ifVersion: [1] })).rejects.toMatchObject({
      code: 'review_changed',
      faults: [{ detail: expect.stringContaining('run 2 of') }],
    });
    expect(await statusOf(subject)).toBe('RUNNING');
    await decide(ended, { ifVersion: [2] });
    expect(await reviewOf(subject).result()).toEqual({ ended: 'decided', verb: 'not_in_document' });
    expect(await trailOf(subject)).toEqual(['opened', 'claimed', 'renewed', 'decided']);
  });

  it('of which a decision is taken while it runs changes nothing about what the person vouched for', async () => {
    const call = held(fine);
    const ended = await waiting(call.turn);
    const { subject, key } = ended.extraction;
    const running = await redriveByKey(app(), key, null);
    await scene.models.arrived(ended.text, 3);
    const values = corrected(ended);
    await decide(ended, { verb: 'correct', values });
    expect(await reviewOf(subject).result()).toEqual({ ended: 'decided', verb: 'correct' });
    call.release();
    expect((await scene.ended(running)).extraction).toMatchObject({ run: 2, outcome: 'verified' });
    expect(await app().store.reviews.find(subject)).toMatchObject({ state: 'decided', verdict: 'correct' });
    const current = await app().store.records.current(subject);
    expect(current).toMatchObject({ status: 'human_verified', record: values });
    const records = await app().store.records.ofKey(key);
    expect(records.map(({ status }) => status).sort()).toEqual(['human_verified', 'verified']);
    expect(await trailOf(subject)).toEqual(['opened', 'decided']);
  });
});

describe.concurrent('two reviewers on one review', () => {
  it('who decide at once: one decides, the other is told who did, and there is one record', async () => {
    const ended = await waiting();
    const { subject, key } = ended.extraction;
    const both = await Promise.allSettled([
      decide(ended, { actor: 'ada' }),
      decide(ended, { actor: 'kim', verb: 'correct', values: corrected(ended) }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const winner = both[0]?.status === 'fulfilled' ? 'ada' : 'kim';
    const decided = (await app().store.reviews.steps(subject)).filter(({ version }) => version === 2);
    expect(decided).toMatchObject([{ kind: 'decided', actor: winner }]);
    expect(await app().store.records.ofKey(key)).toHaveLength(1);
    expect(await reviewOf(subject).result()).toMatchObject({ ended: 'decided' });
  });

  it('of whom one holds it: the other decides only after the lease ran out, which the trail says', async () => {
    const ended = await waiting();
    const { subject } = ended.extraction;
    await claimReview(app(), { review: subject, actor: 'ada', steal: null });
    await saveDraft(app(), { review: subject, actor: 'ada', values: { total_claimed: '2' }, note: 'half' });
    await expect(decide(ended, { actor: 'kim' })).rejects.toMatchObject({ code: 'review_held' });
    const later = { ...app(), now: () => Date.now() + leaseMs };
    await decide(ended, { actor: 'kim' }, later);
    expect(await reviewOf(subject).result()).toMatchObject({ ended: 'decided' });
    expect(await trailOf(subject)).toEqual(['opened', 'claimed', 'expired', 'decided']);
    expect(await readDraft(app(), { review: subject, actor: 'ada' })).toMatchObject({ note: 'half' });
  });
});

describe.concurrent('a review past its time', () => {
  it('is escalated by its workflow’s clock, once, and its trail says when', async () => {
    const impatient = { ...app(), reviewSlaMs: 400 };
    const ended = await scene.run({ spec: plain, text: claimText({}), turns: [stubborn], app: impatient });
    const { subject } = ended.extraction;
    const task = await eventually(async () => {
      const found = await app().store.reviews.find(subject);
      expect(found?.escalatedAt).toEqual(expect.any(Number));
      return found;
    });
    expect(task?.escalatedAt).toBeGreaterThanOrEqual(task?.dueAt ?? 0);
    const { items } = await app().store.reviews.list(
      { escalated: true, dueBefore: Date.now() },
      { limit: 5 },
    );
    expect(items.map(({ id }) => id)).toContain(subject);
    await decide(ended, {});
    expect(await trailOf(subject)).toEqual(['opened', 'escalated', 'decided']);
  });

  it('whose workflow somebody terminated is decided all the same, by a new one that ends with it', async () => {
    const ended = await waiting();
    const { subject, key } = ended.extraction;
    await reviewOf(subject).terminate('by mistake');
    await decide(ended, { verb: 'correct', values: corrected(ended) });
    expect(await reviewOf(subject).result()).toEqual({ ended: 'decided', verb: 'correct' });
    expect((await app().store.records.ofKey(key)).map(({ status }) => status)).toEqual(['human_verified']);
  });

  it('of which a new workflow is asked too late ends by itself instead of waiting for ever', async () => {
    const ended = await waiting();
    const { subject } = ended.extraction;
    const { reviews } = app().store;
    const asked = { reviewId: subject, actor: 'ada', verb: 'reject' as const, values: null, note: 'no' };
    const stored = await reviews.addDecision({ ...asked, overrides: [], version: 1, at: Date.now() });
    await decide(ended, { actor: 'kim' });
    await reviewOf(subject).result();
    const review = { subject, tenant: 'test', specId: plain.id, slaMs: 60_000 };
    const eventId = stored?.kind === 'asked' ? stored.eventId : '';
    await expect(app().engine.decideReview(review, eventId, 'reject')).rejects.toThrow('not open any more');
    expect(await reviewOf(subject).result()).toEqual({ ended: 'withdrawn', verb: null });
  });
});

describe.concurrent('a record that is in the sample', () => {
  it('costs no activity more, waits for a person without a workflow, and is corrected beside the original', async () => {
    const ended = await scene.run({ spec: sampled, text: claimText({}), turns: [fine] });
    const { key, subject } = ended.extraction;
    expect(ended.outcome?.kind).toBe('verified');
    const events = await scene.events(ended.extraction);
    expect(events.filter((name) => name === 'activityTaskScheduled')).toHaveLength(1);
    expect(events.length).toBeLessThanOrEqual(12);
    await expect(reviewOf(subject).describe()).rejects.toThrow();

    const sheet = await readReviewSheet(app(), key, null);
    const record = ended.outcome?.kind === 'verified' ? ended.outcome.record : null;
    expect(sheet).toMatchObject({ kind: 'sample', state: 'open', dueAt: null, candidate: record });
    const total = sheet.fields.find(({ pointer }) => pointer === '/total_claimed');
    expect(total).toMatchObject({
      title: 'Total claimed',
      value: '200.00',
      evidence: [{ printed: '200.00' }],
    });

    const values = { ...(record as object), claimant: 'Ada Lovelace' } as never;
    const unmet = await decide(ended, { review: sheet.id, verb: 'correct', values }).catch((error) => error);
    expect(unmet).toMatchObject({ code: 'unmet_rules' });
    const overrides = [
      ...new Set<string>(unmet.faults.map(({ detail }: { detail: string }) => detail.split(': ')[0])),
    ];
    await decide(ended, { review: sheet.id, verb: 'correct', values, overrides, note: 'read by hand' });
    expect(await app().store.records.current(subject)).toMatchObject({
      status: 'human_verified',
      record: values,
    });
    expect(await scene.ended(ended.extraction)).toMatchObject({ outcome: { kind: 'verified', record } });
    expect(await app().store.reviews.sampleVerdicts({ specId: sampled.id }, 0)).toEqual([
      { attempts: 1, decided: 1, defects: 1 },
    ]);
  });
});
