import { describe, expect, it } from 'vitest';
import type { Landing } from '../../../src/ports/extraction-store.js';
import type { StoreUnderTest } from './fixtures.js';
import {
  accepted,
  askPerson,
  claim,
  decide,
  landing,
  openRun,
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
        id: ref.subject,
        kind: 'exhausted',
        state: 'open',
        version: 1,
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
        withdrawn: null,
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
      await claim(store(), ref.subject);
      await store().reviews.markEscalated(ref.subject, 3_200_000);
      const again = await openRun(store(), sameDocument(ref, { promptVersion: 'v8' }));
      await store().attempts.commit(rejected(again));
      await store().extractions.land(toReview(again, { at: 5_000_000, reviewDueAt: 11_000_000 }));
      expect(await store().reviews.find(ref.subject)).toMatchObject({
        key: again.key,
        promptVersion: 'v8',
        version: 2,
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
        version: 3,
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

    it('tells in its trail what happened to it, who did it and when, and which run asked or answered', async () => {
      const ref = await ask();
      await claim(store(), ref.subject, { leaseMs: 100, at: 3_100_000 });
      await store().reviews.markEscalated(ref.subject, 3_200_000);
      const second = await openRun(store(), sameDocument(ref, { promptVersion: 'v8' }));
      await store().extractions.land(toReview(second, { at: 5_000_000, bestAttempt: null }));
      await claim(store(), ref.subject, { actor: 'lee', at: 5_100_000 });
      await decide(store(), ref.subject, 'redrive', null, 9_000_000);
      const third = await openRun(store(), sameDocument(ref, { promptVersion: 'v9' }));
      await store().extractions.land(toReview(third, { at: 10_000_000, bestAttempt: null }));
      await claim(store(), ref.subject, { actor: 'lee', at: 10_100_000 });
      const last = await openRun(store(), sameDocument(ref, { promptVersion: 'v10' }));
      await store().attempts.commit(accepted(last, { at: 11_000_000 }));
      const run = ({ key }: { key: string }) => ({ key, run: 1 });
      expect(await store().reviews.steps(ref.subject)).toMatchObject([
        { kind: 'opened', actor: null, at: 3_000_000, version: 1, run: run(ref) },
        { kind: 'claimed', actor: 'kim', at: 3_100_000, version: null, leaseExpiresAt: 3_100_100 },
        { kind: 'escalated', actor: null, at: 3_200_000, version: null },
        { kind: 'renewed', actor: null, at: 5_000_000, version: 2, run: run(second) },
        { kind: 'expired', actor: null, at: 3_100_100, holder: 'kim' },
        { kind: 'claimed', actor: 'lee', at: 5_100_000 },
        { kind: 'decided', actor: 'kim', at: 9_000_000, version: 3, decision: { verb: 'redrive' } },
        { kind: 'reopened', actor: null, at: 10_000_000, version: 4, run: run(third) },
        { kind: 'claimed', actor: 'lee', at: 10_100_000 },
        { kind: 'withdrawn', actor: null, at: 11_000_000, version: 5, run: run(last), holder: 'lee' },
      ]);
    });

    it('says nothing twice when a landing or a commit is repeated', async () => {
      const ref = await ask();
      await store().extractions.land(toReview(ref));
      await store().reviews.markEscalated(ref.subject, 5);
      await store().reviews.markEscalated(ref.subject, 6);
      const better = await openRun(store(), sameDocument(ref, { promptVersion: 'v8' }));
      await store().attempts.commit(accepted(better));
      await store().attempts.commit(accepted(better));
      expect((await store().reviews.steps(ref.subject)).map(({ kind }) => kind)).toEqual([
        'opened',
        'escalated',
        'withdrawn',
      ]);
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

    it('is listed by who holds it, why it is there, when it is due and whether it was escalated', async () => {
      const tenant = 'filters';
      const early = await ask({ tenant }, { at: 1, reviewDueAt: 50 });
      const late = await ask({ tenant }, { at: 2, reviewDueAt: 70 });
      const gone = await ask({ tenant }, { at: 3, reviewDueAt: 70 });
      await store().reviews.markEscalated(early.subject, 60);
      await claim(store(), late.subject);
      await claim(store(), gone.subject);
      const better = await openRun(store(), sameDocument(gone, { promptVersion: 'v8' }));
      await store().attempts.commit(accepted(better));
      const ids = async (filter: object) => {
        const page = await store().reviews.list({ tenant, ...filter }, { limit: 10 });
        return page.items.map(({ id }) => id);
      };
      expect(await ids({})).toEqual([early.subject, late.subject]);
      expect(await ids({ holder: 'kim' })).toEqual([late.subject]);
      expect(await ids({ holder: 'kim', state: 'withdrawn' })).toEqual([gone.subject]);
      expect(await ids({ holder: 'lee' })).toEqual([]);
      expect(await ids({ lease: 'free' })).toEqual([early.subject]);
      expect(await ids({ lease: 'held' })).toEqual([late.subject]);
      expect(await ids({ dueBefore: 60 })).toEqual([early.subject]);
      expect(await ids({ escalated: true })).toEqual([early.subject]);
      expect(await ids({ escalated: false })).toEqual([late.subject]);
      expect(await ids({ reason: 'attempt_cap', failureClass: 'constraint' })).toHaveLength(2);
      expect(await ids({ reason: 'refusal' })).toEqual([]);
      expect(await ids({ kind: 'sample' })).toEqual([]);
    });
  });
}
