import { describe, expect, it } from 'vitest';
import { ApplicationError } from '../../src/application/application-error.js';
import { claimReview } from '../../src/application/claim-review.js';
import { decideReview, type ReviewDecision } from '../../src/application/decide-review.js';
import { submitExtraction } from '../../src/application/submit-extraction.js';
import { ReviewClosed } from '../../src/ports/engine.js';
import { createCatalogue } from '../../src/spec/catalogue.js';
import { type Bench, createBench, exhaustAll, textSubmission } from '../support/fakes/bench.js';
import { badReceipt, goodReceipt } from '../support/fakes/receipt-spec.js';

/** One extraction whose best candidate breaks the sum rule, waiting for a person. */
async function waiting(): Promise<Bench & { subject: string }> {
  const bench = createBench();
  exhaustAll(bench, 'human_review');
  const { extraction } = await submitExtraction(bench.app, textSubmission('a'));
  bench.engine.started.length = 0;
  bench.engine.script = () => null;
  return { ...bench, subject: extraction.subject };
}

const decision = (subject: string, changes: Partial<ReviewDecision>): ReviewDecision => ({
  review: subject,
  actor: 'ada',
  verb: 'correct',
  values: null,
  note: null,
  overrides: [],
  ifVersion: null,
  ...changes,
});

const refused = async (bench: Bench, asked: ReviewDecision): Promise<ApplicationError> => {
  const error = await decideReview(bench.app, asked).catch((thrown: unknown) => thrown);
  if (!(error instanceof ApplicationError)) throw error;
  expect(bench.store.reviews.stored).toEqual([]);
  expect(bench.engine.decided).toEqual([]);
  return error;
};

describe('given a review that waits for a person', () => {
  it('when corrected values satisfy the rules, then they are stored first and the workflow is told their event', async () => {
    const bench = await waiting();
    const decided = await decideReview(bench.app, decision(bench.subject, { values: goodReceipt }));
    expect(bench.store.reviews.stored).toEqual([
      expect.objectContaining({
        verb: 'correct',
        actor: 'ada',
        values: goodReceipt,
        overrides: [],
        note: null,
      }),
    ]);
    expect(bench.engine.decided).toEqual([{ subject: bench.subject, eventId: 'event-1', verb: 'correct' }]);
    expect(decided).toMatchObject({
      task: { state: 'decided', verdict: 'correct' },
      unmet: [],
      redriven: null,
    });
  });

  it('when a whole number comes as a JSON number, then it is stored as candidates are: as a text', async () => {
    const bench = await waiting();
    const values = { currency: 'EUR', lines: [{ amount: 2 }, { amount: '3' }], total: 5 };
    await decideReview(bench.app, decision(bench.subject, { values }));
    expect(bench.store.reviews.stored[0]?.values).toEqual({
      currency: 'EUR',
      lines: [{ amount: '2' }, { amount: '3' }],
      total: '5',
    });
  });

  it('when it is approved as it is while a rule does not hold, then the rule is named and nothing is stored', async () => {
    const bench = await waiting();
    const error = await refused(bench, decision(bench.subject, { verb: 'approve' }));
    expect(error.code).toBe('unmet_rules');
    expect(error.message).toBe(
      'These rules do not hold: sum; correct the values, or override each by name with a note.',
    );
    expect(error.faults).toEqual([{ pointer: '/values/total', detail: expect.stringMatching(/^sum: /) }]);
  });

  it('when the rule is overridden by name with a note, then the approval is stored with both', async () => {
    const bench = await waiting();
    const asked = decision(bench.subject, {
      verb: 'approve',
      overrides: ['sum'],
      note: 'The till rounds up.',
    });
    const decided = await decideReview(bench.app, asked);
    expect(bench.store.reviews.stored).toEqual([
      expect.objectContaining({ values: badReceipt, overrides: ['sum'], note: 'The till rounds up.' }),
    ]);
    expect(decided.unmet.map(({ rule }) => rule)).toEqual(['sum']);
  });

  it.each<[string, Partial<ReviewDecision>, string, string]>([
    [
      'an override without a note',
      { verb: 'approve', overrides: ['sum'], note: '  ' },
      'invalid_request',
      '/note',
    ],
    [
      'an override of another rule',
      { verb: 'approve', overrides: ['sum', 'decimals'], note: 'x' },
      'invalid_request',
      '/overrides',
    ],
    ['a correction without values', {}, 'invalid_request', '/values'],
    ['a rejection without a note', { verb: 'reject' }, 'invalid_request', '/note'],
    [
      'a rejection with values',
      { verb: 'reject', note: 'x', values: goodReceipt },
      'invalid_request',
      '/values',
    ],
    ['a redrive with overrides', { verb: 'redrive', overrides: ['sum'] }, 'invalid_request', '/overrides'],
    [
      'values of another shape',
      { values: { ...goodReceipt, total: 'four' } },
      'invalid_request',
      '/values/total',
    ],
    ['a field that does not exist', { values: { ...goodReceipt, tip: '1' } }, 'invalid_request', '/values'],
    [
      'an amount as a JSON number',
      { values: { ...goodReceipt, total: 4.5 } },
      'invalid_request',
      '/values/total',
    ],
    ['corrected values that break a rule', { values: badReceipt }, 'unmet_rules', '/values/total'],
    ['an actor without a name', { actor: ' ', values: goodReceipt }, 'invalid_request', '/actor'],
  ])('when the decision is %s, then it is refused at its place', async (_what, changes, code, pointer) => {
    const bench = await waiting();
    const error = await refused(bench, decision(bench.subject, changes));
    expect(error.code).toBe(code);
    expect(error.faults[0]?.pointer).toBe(pointer);
  });

  it.each<[ReviewDecision['verb'], string | null]>([
    ['reject', 'Not a receipt.'],
    ['not_in_document', null],
  ])('when a person decides %s, then it stands for no record', async (verb, note) => {
    const bench = await waiting();
    await decideReview(bench.app, decision(bench.subject, { verb, note }));
    expect(bench.store.reviews.stored).toEqual([expect.objectContaining({ verb, values: null, note })]);
  });

  it('when a person asks for another run, then one is started under the frozen bounds', async () => {
    const bench = await waiting();
    const decided = await decideReview(bench.app, decision(bench.subject, { verb: 'redrive' }));
    expect(decided.redriven).toMatchObject({ run: 2, state: 'open' });
    expect(bench.engine.started).toHaveLength(1);
  });

  it('when another run is asked for that this process cannot start, then nothing is decided', async () => {
    const bench = await waiting();
    const app = { ...bench.app, catalogue: createCatalogue([]) };
    await expect(decideReview(app, decision(bench.subject, { verb: 'redrive' }))).rejects.toMatchObject({
      code: 'unknown_spec',
    });
    expect(bench.store.reviews.stored).toEqual([]);
  });

  it('when it was decided meanwhile, then there is nothing left to decide, and by whom it was', async () => {
    const bench = await waiting();
    await decideReview(bench.app, decision(bench.subject, { values: goodReceipt }));
    await expect(
      decideReview(bench.app, decision(bench.subject, { values: goodReceipt })),
    ).rejects.toMatchObject({
      code: 'review_not_open',
      message: expect.stringMatching(
        /^This review was decided on \S+ by ada: correct; there is nothing left/,
      ),
    });
    expect(bench.engine.decided).toHaveLength(1);
  });

  it('when another decision overtakes it on the way to the engine, then it is told which', async () => {
    const bench = await waiting();
    const { engine, store } = bench;
    const carryOut = engine.decideReview;
    engine.decideReview = async (review, eventId, verb) => {
      engine.decideReview = carryOut;
      await decideReview(bench.app, decision(bench.subject, { actor: 'kim', verb: 'reject', note: 'mine' }));
      await engine.decideReview(review, eventId, verb);
    };
    await expect(
      decideReview(bench.app, decision(bench.subject, { values: goodReceipt })),
    ).rejects.toMatchObject({ code: 'review_not_open', message: expect.stringContaining('by kim: reject') });
    expect(store.reviews.tasks.get(bench.subject)).toMatchObject({ verdict: 'reject' });
  });

  it('when it becomes another question on the way to the engine, then nothing is decided and the change is told', async () => {
    const bench = await waiting();
    const { engine, store } = bench;
    const carryOut = engine.decideReview;
    engine.decideReview = async (...asked) => {
      const task = store.reviews.tasks.get(bench.subject);
      if (task !== undefined) store.reviews.tasks.set(task.id, { ...task, version: 2 });
      await carryOut(...asked);
    };
    await expect(
      decideReview(bench.app, decision(bench.subject, { values: goodReceipt })),
    ).rejects.toMatchObject({ code: 'review_changed' });
    expect(store.reviews.tasks.get(bench.subject)).toMatchObject({ state: 'open', version: 2 });
  });

  it('when another decision is being carried out, then it says to look again', async () => {
    const bench = await waiting();
    bench.engine.decideReview = async () => {
      throw new ReviewClosed('busy');
    };
    await expect(decideReview(bench.app, decision(bench.subject, { values: goodReceipt }))).rejects.toThrow(
      'Another decision on this review is being carried out: look at it again.',
    );
  });

  it('when no whole candidate was ever read, then approving needs the values', async () => {
    const bench = await waiting();
    const task = bench.store.reviews.tasks.get(bench.subject);
    if (task !== undefined) bench.store.reviews.tasks.set(bench.subject, { ...task, bestAttempt: null });
    const error = await refused(bench, decision(bench.subject, { verb: 'approve' }));
    expect(error.faults[0]?.pointer).toBe('/values');
  });
});

describe('given two people and one review', () => {
  it('when one holds it, then the other is told who and until when, and cannot decide', async () => {
    const bench = await waiting();
    await claimReview(bench.app, { review: bench.subject, actor: 'grace', steal: null });
    const error = await refused(bench, decision(bench.subject, { values: goodReceipt }));
    expect(error.code).toBe('review_held');
    expect(error.message).toMatch(/^This review is held by grace until 2026-03-01 12:15Z\.$/);
  });

  it('when nobody holds it, then deciding it claims nothing and leaves no lease behind', async () => {
    const bench = await waiting();
    await refused(bench, decision(bench.subject, { verb: 'approve' }));
    expect(bench.store.reviews.tasks.get(bench.subject)?.holder).toBeNull();
    expect(bench.store.reviews.trails.get(bench.subject)).toBeUndefined();
  });
});
