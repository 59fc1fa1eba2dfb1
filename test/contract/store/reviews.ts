import { describe, expect, it } from 'vitest';
import type { Landing } from '../../../src/ports/extraction-store.js';
import type { StoreUnderTest } from './fixtures.js';
import {
  accepted,
  askPerson,
  decide,
  landing,
  newExtraction,
  openRun,
  problem,
  redrive,
  rejected,
  sameDocument,
  toReview,
} from './fixtures.js';

export function reviewCases(store: StoreUnderTest): void {
  const ask = (given: object = {}, landed: Partial<Landing> = {}) => askPerson(store(), given, landed);

  describe('a review task', () => {
    it('carries what the person needs, and is found by prefix of its subject or its key', async () => {
      const ref = await ask({}, { amount: { amount: '1204.375', currency: 'BHD' } });
      const task = await store().reviews.find(ref.subject);
      expect(task).toEqual({
        ...ref,
        state: 'open',
        reason: 'attempt_cap',
        failureClass: 'constraint',
        bestAttempt: 1,
        amount: { amount: '1204.375', currency: 'BHD' },
        holder: null,
        leaseExpiresAt: null,
        createdAt: 3_000_000,
        dueAt: 9_000_000,
        escalatedAt: null,
        decidedAt: null,
        verdict: null,
      });
      expect(await store().reviews.find(ref.subject.slice(0, 9))).toEqual(task);
      expect(await store().reviews.find(ref.key.slice(0, 9))).toEqual(task);
      expect(await store().reviews.find(ref.subject.slice(0, 7))).toBeNull();
      expect(await store().reviews.find('no-such-task')).toBeNull();
    });

    it.each(['12,00', 'n/a', '1e9', '', 'NaN', '9'.repeat(200)])(
      'takes %j, which an unverified candidate may hold, for an unknown amount',
      async (amount) => {
        const ref = await ask({}, { amount: { amount, currency: 'USD' } });
        expect((await store().reviews.find(ref.subject))?.amount).toBeNull();
      },
    );

    it('needs a time by which it is due', async () => {
      const ref = await openRun(store());
      const undated = landing(ref, { route: 'human_review' });
      await expect(store().extractions.land(undated)).rejects.toThrow('no time is set');
    });

    it('is one for each subject: a second exhaustion while it is open renews it for whoever holds it', async () => {
      const ref = await ask();
      await store().reviews.claim(ref.subject, 'kim', 60_000, 3_100_000);
      await store().reviews.markEscalated(ref.subject, 3_200_000);
      const again = await openRun(store(), sameDocument(ref, { promptVersion: 'v8' }));
      await store().attempts.commit(rejected(again));
      await store().extractions.land(toReview(again, { at: 5_000_000, reviewDueAt: 11_000_000 }));
      expect(await store().reviews.find(ref.subject)).toMatchObject({
        key: again.key,
        promptVersion: 'v8',
        holder: 'kim',
        createdAt: 3_000_000,
        dueAt: 9_000_000,
        escalatedAt: 3_200_000,
      });
    });

    it('opens anew when it was settled and the document is exhausted again', async () => {
      const ref = await ask();
      await decide(store(), ref.subject, 'reject');
      const again = await openRun(store(), sameDocument(ref, { promptVersion: 'v8' }));
      await store().extractions.land(
        toReview(again, { at: 5_000_000, reviewDueAt: 11_000_000, bestAttempt: null }),
      );
      expect(await store().reviews.find(ref.subject)).toMatchObject({
        state: 'open',
        createdAt: 5_000_000,
        dueAt: 11_000_000,
        verdict: null,
        decidedAt: null,
        bestAttempt: null,
      });
    });

    it('is marked as escalated once, while it is open', async () => {
      const ref = await ask();
      await store().reviews.markEscalated(ref.subject, 5);
      await store().reviews.markEscalated(ref.subject, 6);
      expect((await store().reviews.find(ref.subject))?.escalatedAt).toBe(5);
    });

    it('stands in the queue by amount, then age; unknown amounts last; settled ones elsewhere', async () => {
      const tenant = 'queue';
      const usd = (amount: string) => ({ amount: { amount, currency: 'USD' } });
      const unknown = await ask({ tenant }, { at: 1 });
      const small = await ask({ tenant }, { ...usd('9.5'), at: 2 });
      const credit = await ask({ tenant }, { ...usd('-20'), at: 3 });
      const younger = await ask({ tenant, specId: 'invoice' }, { ...usd('1000.00'), at: 5 });
      const older = await ask({ tenant }, { ...usd('1000'), at: 4 });
      const settled = await ask({ tenant }, usd('5000'));
      await decide(store(), settled.subject, 'reject');
      const keys = async (filter: object) => {
        const page = await store().reviews.list({ tenant, ...filter }, { limit: 10 });
        return page.items.map(({ key }) => key);
      };
      expect(await keys({})).toEqual([older.key, younger.key, small.key, credit.key, unknown.key]);
      expect(await keys({ specId: 'invoice' })).toEqual([younger.key]);
      expect(await keys({ state: 'decided' })).toEqual([settled.key]);
    });
  });

  describe('a decision', () => {
    it('keeps the original beside the corrected values, in the order things were said', async () => {
      const ref = await ask();
      const event = {
        subject: ref.subject,
        actor: 'kim',
        note: null,
        overrides: ['total.equals-sum'],
        at: 7,
      };
      const values = { total: '1204.380' };
      const first = await store().reviews.addEvent({
        ...event,
        verb: 'reject',
        values: null,
        note: 'blurred',
      });
      const second = await store().reviews.addEvent({ ...event, verb: 'correct', values });
      const original = { insured: 'Ada Lund', total: '1204.375' };
      const stored = { ...event, eventId: second, verb: 'correct', values, original };
      expect(await store().reviews.event(second)).toEqual(stored);
      expect((await store().reviews.events(ref.subject)).map(({ eventId }) => eventId)).toEqual([
        first,
        second,
      ]);
      expect(await store().reviews.event('not-an-id')).toBeNull();
      await expect(
        store().reviews.addEvent({ ...event, subject: 'x', verb: 'reject', values }),
      ).rejects.toThrow('no review task');
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
        await store().reviews.claim(ref.subject, 'kim', 60_000, 3_100_000);
        const values = status === 'rejected' ? null : { total: '1.00' };
        const eventId = await store().reviews.addEvent({
          subject: ref.subject,
          actor: 'kim',
          verb,
          values,
          note: null,
          overrides: [],
          at: 7,
        });
        expect(await store().reviews.apply(eventId, [problem], 'verifier-9', 8)).toBe(true);
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

    it('to redrive settles the task and writes no record', async () => {
      const given = newExtraction();
      const ref = await ask(given);
      expect((await decide(store(), ref.subject, 'redrive')).applied).toBe(true);
      expect(await store().records.ofKey(ref.key)).toEqual([]);
      expect((await redrive(store(), given)).run).toBe(2);
    });

    it('is carried out once, however often and by however many it is applied', async () => {
      const ref = await ask();
      const { eventId } = await decide(store(), ref.subject, 'approve', { total: '1' });
      const again = Array.from({ length: 10 }, () => store().reviews.apply(eventId, [], 'verifier-3', 99));
      expect(await Promise.all(again)).toEqual(Array.from({ length: 10 }, () => true));
      expect((await store().reviews.find(ref.subject))?.decidedAt).toBe(4_000_001);
      for (const unknown of [crypto.randomUUID(), 'not-an-id'])
        await expect(store().reviews.apply(unknown, [], 'v', 1)).rejects.toThrow('no review event');
    });

    it('of two people at once is the first one: the other is told that the task is no longer open', async () => {
      const ref = await ask();
      const say = (actor: string) =>
        store().reviews.addEvent({
          subject: ref.subject,
          actor,
          verb: 'correct',
          values: { total: actor },
          note: null,
          overrides: [],
          at: 5,
        });
      const events = [await say('kim'), await say('lee')];
      const applied = await Promise.all(events.map((id) => store().reviews.apply(id, [], 'verifier-3', 6)));
      expect(applied.filter(Boolean)).toHaveLength(1);
      const winner = applied[0] ? 'kim' : 'lee';
      expect(await store().records.ofKey(ref.key)).toMatchObject([{ record: { total: winner } }]);
    });

    it('applied again after the task opened anew does not settle the new question', async () => {
      const ref = await ask();
      const { eventId } = await decide(store(), ref.subject, 'reject');
      const again = await openRun(store(), sameDocument(ref, { promptVersion: 'v8' }));
      await store().extractions.land(toReview(again, { bestAttempt: null }));
      expect(await store().reviews.apply(eventId, [], 'verifier-3', 9)).toBe(true);
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
}
