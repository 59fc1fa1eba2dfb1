import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decideReview, type ReviewDecision } from '../../src/application/decide-review.js';
import { workflowIds } from '../../src/domain/workflow-id.js';
import { ReviewClosed } from '../../src/ports/engine.js';
import { createCatalogue } from '../../src/spec/catalogue.js';
import { historyText, textsOf } from '../support/decoded-history.js';
import { eventually } from '../support/eventually.js';
import { claimText } from '../support/papers.js';
import { claimSpec } from './claim-specs.js';
import { type Ended, openScene, type Scenario, type Scene } from './scene.js';

const plain = claimSpec('claim-plain');
const reworded = claimSpec('claim-plain', {
  prompt: { version: '2', text: 'Read the claim form carefully.' },
});

/** The same wrong amount whatever the model is told. */
const stubborn = { behaviour: { misread: 1, stubborn: 1 } };
const fine = {};

let scene: Scene;
beforeAll(async () => {
  scene = await openScene({ specs: [reworded, plain] });
});
afterAll(() => scene.close());

/** Runs a claim that ends in review. */
async function reviewed(changes: Partial<Scenario> = {}): Promise<Ended> {
  const ended = await scene.run({ spec: reworded, text: claimText({}), turns: [stubborn], ...changes });
  expect(ended.extraction).toMatchObject({ outcome: 'unverified', route: 'human_review' });
  await eventually(async () => expect(await statusOf(ended.extraction.subject)).toBe('RUNNING'));
  return ended;
}

const reviewOf = (subject: string) => scene.client.workflow.getHandle(workflowIds.humanReview(subject));

async function statusOf(subject: string): Promise<string> {
  return await reviewOf(subject)
    .describe()
    .then(({ status }) => status.name)
    .catch(() => 'NOT_FOUND');
}

const decide = (ended: Ended, decision: Partial<ReviewDecision>) =>
  decideReview(scene.house.app, {
    review: ended.extraction.key,
    actor: 'ada',
    verb: 'approve',
    values: null,
    note: null,
    overrides: [],
    ifVersion: null,
    ...decision,
  });

/** The candidate with every amount as printed. */
const corrected = (ended: Ended): never => {
  const candidate = ended.outcome?.kind === 'unverified' ? ended.outcome.bestEffort : null;
  const lines = ['120.50', '79.50'].map((amount, index) => ({
    amount,
    description: `Repair of window ${index + 1}`,
  }));
  return { ...(candidate as object), total_claimed: '200.00', line_items: lines } as never;
};

describe.concurrent('a review', () => {
  it('is opened with what a person needs, and named in the lists of the engine', async () => {
    const ended = await reviewed();
    const { subject, key } = ended.extraction;
    expect(await scene.house.app.store.reviews.find(subject)).toMatchObject({
      state: 'open',
      key,
      reason: 'no_progress',
      failureClass: 'constraint',
      bestAttempt: 2,
      amount: { currency: 'EUR' },
    });
    const described = await reviewOf(subject).describe();
    expect(described.typedSearchAttributes.getAll()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ value: 'claim-plain' }),
        expect.objectContaining({ value: 'test' }),
      ]),
    );
  });

  it('approved with a named override becomes the record of its subject, beside an outcome that stays', async () => {
    const ended = await reviewed();
    await expect(decide(ended, {})).rejects.toMatchObject({ code: 'unmet_rules' });
    const unmet = ended.outcome?.kind === 'unverified' ? ended.outcome.unmet : [];
    const overrides = [...new Set(unmet.map(({ rule }) => rule))];
    expect(overrides).not.toEqual([]);
    const decided = await decide(ended, { overrides, note: 'the fax cut the figure' });
    expect(decided.task).toMatchObject({ state: 'decided', verdict: 'approve' });
    expect(await reviewOf(ended.extraction.subject).result()).toEqual({ ended: 'decided', verb: 'approve' });

    const reading = await scene.ended(ended.extraction);
    expect(reading.outcome).toEqual(ended.outcome);
    expect(reading.humanRecord).toMatchObject({ status: 'human_verified', unmet: decided.unmet });
  });

  it('corrected keeps the original beside the correction, and no value enters its history', async () => {
    const ended = await reviewed();
    const values = corrected(ended);
    await decide(ended, { verb: 'correct', values });
    const { subject } = ended.extraction;
    expect((await scene.ended(ended.extraction)).humanRecord).toMatchObject({ record: values, unmet: [] });
    const steps = await scene.house.app.store.reviews.steps(subject);
    expect(steps.map(({ kind }) => kind)).toEqual(['opened', 'decided']);
    const event = steps[1]?.decision;
    expect(event).toMatchObject({ actor: 'ada', verb: 'correct', values });
    expect(event?.original).toEqual(ended.outcome?.kind === 'unverified' && ended.outcome.bestEffort);
    const texts = textsOf(await historyText(scene.client, workflowIds.humanReview(subject)));
    expect(texts.some((text) => text.includes(String(event?.eventId)))).toBe(true);
    expect(texts.filter((text) => /Ada Muster|120\.50|200\.00/.test(text))).toEqual([]);
  });

  it.each([
    { verb: 'reject' as const, note: 'not a claim' },
    { verb: 'not_in_document' as const, note: null },
  ])('decided as $verb ends without data', async ({ verb, note }) => {
    const ended = await reviewed();
    await decide(ended, { verb, note });
    expect(await reviewOf(ended.extraction.subject).result()).toEqual({ ended: 'decided', verb });
    const { records } = scene.house.app.store;
    expect(await records.current(ended.extraction.subject)).toBeNull();
    expect((await records.ofKey(ended.extraction.key)).map(({ status }) => status)).toEqual(['rejected']);
    await expect(decide(ended, { verb, note })).rejects.toMatchObject({ code: 'review_not_open' });
  });

  it('sent back is run again, and gets a new review when that run is exhausted, too', async () => {
    const ended = await reviewed();
    const { subject, key } = ended.extraction;
    const { redriven } = await decide(ended, { verb: 'redrive' });
    expect(redriven).toMatchObject({ key, run: 2 });
    if (redriven === null) throw new Error('nothing was redriven');
    expect((await scene.ended(redriven)).extraction).toMatchObject({ outcome: 'unverified', run: 2 });
    await eventually(async () => expect(await statusOf(subject)).toBe('RUNNING'));
    expect(await scene.house.app.store.reviews.find(subject)).toMatchObject({ state: 'open', run: 2 });
    await decide(ended, { verb: 'reject', note: 'enough' });
    expect(await statusOf(subject)).toBe('COMPLETED');
  });

  it('is one for a subject, whatever the versions, and a later success withdraws it', async () => {
    const text = claimText({});
    const { app } = scene.house;
    const older = { ...app, catalogue: createCatalogue([plain]) };
    const first = await reviewed({ spec: plain, text, app: older });
    const { subject } = first.extraction;
    const second = await reviewed({ text });
    expect(second.extraction).toMatchObject({ subject, promptVersion: '2' });
    expect(second.extraction.key).not.toBe(first.extraction.key);
    const runs = await app.store.reviews.find(subject);
    expect(runs).toMatchObject({ state: 'open', key: second.extraction.key });

    const third = await scene.run({
      spec: plain,
      text,
      turns: [fine],
      app: older,
      submission: { redrive: true },
    });
    expect(third.extraction).toMatchObject({ key: first.extraction.key, run: 2, outcome: 'verified' });
    expect(await app.store.reviews.find(subject)).toMatchObject({ state: 'withdrawn' });
    expect(await reviewOf(subject).result()).toEqual({ ended: 'withdrawn', verb: null });
    await expect(decide(second, { verb: 'reject', note: 'late' })).rejects.toMatchObject({
      code: 'review_not_open',
    });
    expect(await app.store.records.current(subject)).toMatchObject({ status: 'verified' });
  });

  it('past its time is escalated once, and still waits for a person', async () => {
    const app = { ...scene.house.app, reviewSlaMs: 500 };
    const ended = await reviewed({ app });
    const { subject } = ended.extraction;
    const { reviews } = app.store;
    await eventually(async () => {
      expect((await reviews.find(subject))?.escalatedAt).toEqual(expect.any(Number));
    });
    expect(await statusOf(subject)).toBe('RUNNING');
    await decide(ended, { verb: 'correct', values: corrected(ended) });
    expect(await reviewOf(subject).result()).toMatchObject({ ended: 'decided' });
  });

  it('outlives a decision that is none, and a second one while the first is carried out', async () => {
    const ended = await reviewed();
    const { subject } = ended.extraction;
    const { engine } = scene.house.app;
    const review = { subject, tenant: 'test', specId: 'claim-plain', slaMs: 60_000 };
    await expect(engine.decideReview(review, 'no-such-event', 'approve')).rejects.toThrow(ReviewClosed);
    expect(await statusOf(subject)).toBe('RUNNING');
    const both = await Promise.allSettled([
      decide(ended, { verb: 'reject', note: 'first' }),
      decide(ended, { verb: 'reject', note: 'second' }),
    ]);
    expect(both.map(({ status }) => status).sort()).toContain('fulfilled');
    const records = await scene.house.app.store.records.ofKey(ended.extraction.key);
    expect(records).toHaveLength(1);
    expect(await reviewOf(subject).result()).toEqual({ ended: 'decided', verb: 'reject' });
  });
});
