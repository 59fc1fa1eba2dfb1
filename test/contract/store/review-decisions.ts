import { describe, expect, it } from 'vitest';
import type { RunRef } from '../../../src/domain/extraction-input.js';
import type { ReviewDraft } from '../../../src/ports/review-store.js';
import type { StoreUnderTest } from './fixtures.js';
import {
  accepted,
  askPerson,
  claim,
  decide,
  decisionOn,
  landing,
  newExtraction,
  openRun,
  problem,
  redrive,
  sameDocument,
  say,
  takeLetter,
  toReview,
} from './fixtures.js';

const draft = ({ subject }: RunRef, holder: string): ReviewDraft => ({
  ...{ reviewId: subject, holder, version: 1, values: { total: '1.' }, note: 'half', at: 5 },
});

export function reviewDecisionCases(store: StoreUnderTest): void {
  const ask = (given: object = {}) => askPerson(store(), given);

  describe('a decision', () => {
    it('keeps the original beside the corrected values, in the order things were said', async () => {
      const ref = await ask();
      const values = { total: '1204.380' };
      const overrides = ['total.equals-sum'];
      const first = await say(store(), ref.subject, { note: 'blurred' });
      const second = await say(store(), ref.subject, {
        verb: 'correct',
        values,
        overrides,
        note: null,
        at: 7,
      });
      const original = { insured: 'Ada Lund', total: '1204.375' };
      const subject = { reviewId: ref.subject, subject: ref.subject };
      expect(await store().reviews.decision(second)).toEqual({
        ...{ ...subject, eventId: second, actor: 'kim', verb: 'correct', values, original, overrides },
        ...{ note: null, at: 7, appliedAt: null },
      });
      await store().reviews.apply(second, [], 'verifier-3', 8);
      const steps = await store().reviews.steps(ref.subject);
      expect(steps.map(({ kind, version, decision }) => [kind, version, decision?.eventId])).toEqual([
        ['opened', 1, undefined],
        ['decided', null, first],
        ['decided', 2, second],
      ]);
      expect(steps.map(({ decision }) => decision?.appliedAt)).toEqual([undefined, null, 8]);
      expect(await store().reviews.decision('not-an-id')).toBeNull();
      expect(
        await store().reviews.addDecision({ ...(await decisionOn(store(), 'x')), version: 1 }),
      ).toBeNull();
    });

    it('is not stored when somebody else holds the review, when it is another question by now, or none', async () => {
      const ref = await ask();
      await claim(store(), ref.subject, { actor: 'lee', leaseMs: 100, at: 3_100_000 });
      const asked = await decisionOn(store(), ref.subject, { at: 3_100_099 });
      expect(await store().reviews.addDecision(asked)).toMatchObject({
        kind: 'held',
        task: { holder: 'lee' },
      });
      expect(await store().reviews.addDecision({ ...asked, actor: 'lee' })).toMatchObject({ kind: 'asked' });
      expect(await store().reviews.addDecision({ ...asked, at: 3_100_100 })).toMatchObject({ kind: 'asked' });
      const again = await openRun(store(), sameDocument(ref, { promptVersion: 'v8' }));
      await store().extractions.land(toReview(again, { at: 3_500_000, bestAttempt: null }));
      const changed = await store().reviews.addDecision({ ...asked, at: 3_500_001 });
      expect(changed).toMatchObject({ kind: 'changed', task: { version: 2, key: again.key } });
      await decide(store(), ref.subject, 'reject');
      expect(await store().reviews.addDecision({ ...asked, at: 5_000_000 })).toMatchObject({
        kind: 'not_open',
        task: { state: 'decided', version: 3 },
      });
    });

    it('is not carried out when the question changed after it was stored', async () => {
      const ref = await ask();
      const eventId = await say(store(), ref.subject, { verb: 'approve', values: { total: '1' } });
      const again = await openRun(store(), sameDocument(ref, { promptVersion: 'v8' }));
      await store().extractions.land(toReview(again, { at: 4_500_000, bestAttempt: null }));
      expect(await store().reviews.apply(eventId, [], 'verifier-3', 5_000_000)).toBe('changed');
      expect(await store().reviews.find(ref.subject)).toMatchObject({ state: 'open', version: 2 });
      expect(await store().records.ofKey(ref.key)).toEqual([]);
    });

    it.each([
      ['approve', 'human_verified'],
      ['correct', 'human_verified'],
      ['reject', 'rejected'],
      ['not_in_document', 'rejected'],
    ] as const)(
      'to %s writes the record as %s, settles the task and closes old letters',
      async (verb, status) => {
        const dead = await openRun(store(), { promptVersion: 'v6' });
        await store().extractions.land(landing(dead));
        const ref = await ask(sameDocument(dead, { promptVersion: 'v7' }));
        await claim(store(), ref.subject, { at: 3 });
        await store().reviews.saveDraft(draft(ref, 'kim'));
        await store().reviews.saveDraft(draft(ref, 'lee'));
        const values = status === 'rejected' ? null : { total: '1.00' };
        const eventId = await say(store(), ref.subject, { verb, values, note: null, at: 7 });
        expect(await store().reviews.apply(eventId, [problem], 'verifier-9', 8)).toBe('applied');
        expect(await store().reviews.draft(ref.subject, 'kim')).toBeNull();
        expect(await store().reviews.draft(ref.subject, 'lee')).toEqual(draft(ref, 'lee'));
        expect(await store().reviews.find(ref.subject)).toMatchObject({
          state: 'decided',
          verdict: verb,
          decidedAt: 8,
          holder: null,
          leaseExpiresAt: null,
        });
        const record = { status, record: values, unmet: [problem], verifierVersion: 'verifier-9', at: 8 };
        expect(await store().records.ofKey(ref.key)).toMatchObject([record]);
        expect((await store().records.current(ref.subject))?.status ?? 'none').toBe(
          status === 'rejected' ? 'none' : status,
        );
        expect((await store().deadLetters.find(dead.key))?.state).toBe('recovered');
        // The run's own outcome never changes.
        expect((await store().extractions.find(ref.key))?.outcome).toBe('unverified');
      },
    );

    it('to redrive settles the task, writes no record, and parks the run until it is started again', async () => {
      const given = newExtraction();
      const ref = await ask(given);
      expect((await decide(store(), ref.subject, 'redrive')).applied).toBe('applied');
      expect(await store().records.ofKey(ref.key)).toEqual([]);
      expect(await store().deadLetters.find(ref.key)).toMatchObject({
        ...{ state: 'parked', run: 1, reason: 'attempt_cap', policy: given.policy, tags: given.tags },
      });
      expect((await takeLetter(store(), ref)).run).toBe(2);
    });

    it('is carried out once, however often and by however many it is applied', async () => {
      const ref = await ask();
      const { eventId } = await decide(store(), ref.subject, 'approve', { total: '1' });
      const again = Array.from({ length: 10 }, () => store().reviews.apply(eventId, [], 'verifier-3', 99));
      expect(await Promise.all(again)).toEqual(Array.from({ length: 10 }, () => 'applied'));
      expect((await store().reviews.find(ref.subject))?.decidedAt).toBe(4_000_001);
      for (const unknown of [crypto.randomUUID(), 'not-an-id'])
        await expect(store().reviews.apply(unknown, [], 'v', 1)).rejects.toThrow('no review decision');
    });

    it('of two people at once is the first one: the other is told that the task is no longer open', async () => {
      const ref = await ask();
      const events = [];
      for (const actor of ['kim', 'lee'])
        events.push(await say(store(), ref.subject, { actor, verb: 'correct', values: { total: actor } }));
      const applied = await Promise.all(events.map((id) => store().reviews.apply(id, [], 'verifier-3', 6)));
      expect([...applied].sort()).toEqual(['applied', 'not_open']);
      const winner = applied[0] === 'applied' ? 'kim' : 'lee';
      expect(await store().records.ofKey(ref.key)).toMatchObject([{ record: { total: winner } }]);
    });

    it('applied again after the task opened anew does not settle the new question', async () => {
      const ref = await ask();
      const { eventId } = await decide(store(), ref.subject, 'reject');
      const again = await openRun(store(), sameDocument(ref, { promptVersion: 'v8' }));
      await store().extractions.land(toReview(again, { bestAttempt: null }));
      expect(await store().reviews.apply(eventId, [], 'verifier-3', 9)).toBe('applied');
      expect((await store().reviews.find(ref.subject))?.state).toBe('open');
    });

    it('taken while a redrive runs stands: the redrive ends without asking again, parking, or a second record', async () => {
      const given = newExtraction();
      const ref = await ask(given);
      const again = await redrive(store(), given);
      await decide(store(), ref.subject, 'correct', { total: '1' });
      await store().extractions.land(toReview(again, { at: 6_000_000 }));
      expect(await store().reviews.find(ref.subject)).toMatchObject({ state: 'decided', verdict: 'correct' });
      expect(await store().records.ofKey(ref.key)).toMatchObject([
        { status: 'human_verified', record: { total: '1' } },
      ]);
      expect((await store().extractions.open(given, true)).kind).toBe('closed');
    });

    it('of a person stands over every later machine: superseding records are kept beside it', async () => {
      const given = newExtraction();
      const ref = await ask(given);
      const running = await redrive(store(), given);
      await decide(store(), ref.subject, 'correct', { total: '1' });
      // The same key's redrive, and a later prompt, both verify afterwards.
      await store().attempts.commit(accepted(running, { at: 7_000_000 }));
      const later = await openRun(store(), sameDocument(ref, { promptVersion: 'v9' }));
      await store().attempts.commit(accepted(later, { at: 8_000_000 }));
      expect(await store().records.current(ref.subject)).toMatchObject({
        status: 'human_verified',
        record: { total: '1' },
      });
      expect((await store().records.ofKey(ref.key)).map(({ status }) => status).sort()).toEqual([
        'human_verified',
        'verified',
      ]);
      const { items } = await store().records.list({ subject: ref.subject }, { limit: 10 });
      expect(items).toMatchObject([{ status: 'human_verified' }]);
    });
  });

  describe('a draft', () => {
    it('is kept for each person, whoever holds the review; the later one counts, in whichever order they arrive', async () => {
      const ref = await ask();
      expect(await store().reviews.draft(ref.subject, 'kim')).toBeNull();
      await store().reviews.saveDraft(draft(ref, 'kim'));
      await store().reviews.saveDraft({ ...draft(ref, 'lee'), values: null, note: null });
      const later = { ...draft(ref, 'kim'), values: { total: '1.5' }, version: 2, at: 7 };
      await store().reviews.saveDraft(later);
      await store().reviews.saveDraft({ ...draft(ref, 'kim'), at: 6 });
      expect(await store().reviews.draft(ref.subject, 'kim')).toEqual(later);
      expect(await store().reviews.draft(ref.subject, 'lee')).toMatchObject({ values: null, note: null });
    });
  });
}
