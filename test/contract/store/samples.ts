import { describe, expect, it } from 'vitest';
import type { StoreUnderTest } from './fixtures.js';
import {
  accepted,
  askAboutSample,
  askPerson,
  claim,
  decide,
  openRun,
  sameDocument,
  sha,
  toReview,
} from './fixtures.js';

const usd = (amount: string) => ({ amount, currency: 'USD' });

export function sampleCases(store: StoreUnderTest): void {
  describe('a sampled record', () => {
    it('verifies as it would have, and is asked about beside that', async () => {
      const { ref, id } = await askAboutSample(store(), {}, usd('12.50'), 2);
      const record = { status: 'verified', record: { insured: 'Ada Lund', total: '1204.375' } };
      expect(await store().records.current(ref.subject)).toMatchObject(record);
      expect(await store().extractions.find(ref.key)).toMatchObject({ state: 'closed', outcome: 'verified' });
      const task = await store().reviews.find(id);
      expect(task).toMatchObject({
        ...{ ...ref, id, kind: 'sample', state: 'open', version: 1, reason: null, failureClass: null },
        ...{ bestAttempt: 2, amount: usd('12.50'), createdAt: 2_000_000, dueAt: null },
      });
      expect(await store().reviews.find(ref.key)).toEqual(task);
      expect(await store().reviews.steps(id)).toMatchObject([
        { kind: 'opened', run: { key: ref.key, run: 1 } },
      ]);
    });

    it('is asked about once, however often its attempt is committed, and not when the attempt came too late', async () => {
      const { ref, id } = await askAboutSample(store());
      await store().attempts.commit(accepted(ref, { sample: { reviewId: id, amount: null } }));
      expect(await store().reviews.steps(id)).toHaveLength(1);
      const late = await openRun(store());
      await store().extractions.land(toReview(late, { bestAttempt: null }));
      await store().attempts.commit(accepted(late, { sample: { reviewId: sha(late.key), amount: null } }));
      expect(await store().reviews.find(sha(late.key))).toBeNull();
    });

    it('is not asked about when a person stands for a record of the subject already', async () => {
      const ref = await askPerson(store());
      await decide(store(), ref.subject, 'correct', { total: '1' });
      const later = await askAboutSample(store(), sameDocument(ref, { promptVersion: 'v8' }));
      expect(await store().reviews.find(later.id)).toBeNull();
    });

    it('keeps its question when the subject is exhausted, asked about and verified under other versions', async () => {
      const { ref, id } = await askAboutSample(store());
      const worse = await openRun(store(), sameDocument(ref, { promptVersion: 'v8' }));
      await store().extractions.land(toReview(worse, { bestAttempt: null }));
      expect(await store().reviews.find(ref.subject)).toMatchObject({ kind: 'exhausted', state: 'open' });
      const better = await openRun(store(), sameDocument(ref, { promptVersion: 'v9' }));
      expect(await store().attempts.commit(accepted(better))).toMatchObject({ withdrewReview: true });
      expect(await store().reviews.find(ref.subject)).toMatchObject({ state: 'withdrawn' });
      expect(await store().reviews.find(id)).toMatchObject({ state: 'open', version: 1 });
    });

    it('that a person agrees with stays as it is', async () => {
      const { ref, id } = await askAboutSample(store());
      const before = await store().records.ofKey(ref.key);
      expect((await decide(store(), id, 'approve', { total: '1204.375' })).applied).toBe('applied');
      expect(await store().records.ofKey(ref.key)).toEqual(before);
      expect(await store().reviews.find(id)).toMatchObject({ state: 'decided', verdict: 'approve' });
    });

    it('that a person corrects gives way to the correction, which keeps the original beside it', async () => {
      const { ref, id } = await askAboutSample(store());
      const { eventId } = await decide(store(), id, 'correct', { total: '9' });
      expect(await store().records.current(ref.subject)).toMatchObject({
        status: 'human_verified',
        record: { total: '9' },
      });
      expect((await store().reviews.decision(eventId))?.original).toMatchObject({ total: '1204.375' });
      const own = await store().records.ofKey(ref.key);
      expect(own.map(({ status }) => status).sort()).toEqual(['human_verified', 'verified']);
      expect((await store().extractions.find(ref.key))?.outcome).toBe('verified');
    });

    it('that a person rejects is in no list of verified records, and an older record is current again', async () => {
      const older = await openRun(store(), { promptVersion: 'v6' });
      await store().attempts.commit(accepted(older, { at: 1_000_000 }));
      const { ref, id } = await askAboutSample(store(), sameDocument(older, { promptVersion: 'v7' }));
      expect((await store().records.current(ref.subject))?.key).toBe(ref.key);
      await decide(store(), id, 'reject');
      expect((await store().records.current(ref.subject))?.key).toBe(older.key);
      const keys = async (filter: object) => {
        const { items } = await store().records.list({ subject: ref.subject, ...filter }, { limit: 10 });
        return items.map(({ key }) => key);
      };
      expect(await keys({})).toEqual([older.key]);
      expect(await keys({ statuses: ['verified'] })).toEqual([older.key]);
      expect(await keys({ statuses: ['rejected'] })).toEqual([ref.key]);
    });

    it('stands in the queue with the others, by its amount', async () => {
      const tenant = 'sampled queue';
      const { id } = await askAboutSample(store(), { tenant }, usd('20'));
      const high = await askPerson(store(), { tenant }, { amount: usd('30') });
      const low = await askPerson(store(), { tenant }, { amount: usd('10') });
      const ids = async (filter: object) => {
        const { items } = await store().reviews.list({ tenant, ...filter }, { limit: 10 });
        return items.map((task) => task.id);
      };
      expect(await ids({})).toEqual([high.subject, id, low.subject]);
      expect(await ids({ kind: 'sample' })).toEqual([id]);
      await claim(store(), id);
      expect(await ids({ lease: 'free' })).toEqual([high.subject, low.subject]);
    });
  });

  describe('counting reviews', () => {
    it('tells what is open, held, overdue, escalated and sampled, what came in, and how long decisions took', async () => {
      const tenant = 'counted';
      const at = 10_000_000;
      const overdue = await askPerson(store(), { tenant }, { at: 1_000, reviewDueAt: at - 1 });
      await store().reviews.markEscalated(overdue.subject, at - 1);
      const held = await askPerson(store(), { tenant }, { at: 2_000, reviewDueAt: at });
      await claim(store(), held.subject, { leaseMs: 500, at: at - 100 });
      await askAboutSample(store(), { tenant });
      for (const tookMs of [60_000, 120_000]) {
        const done = await askPerson(store(), { tenant }, { at: 3_000 });
        await claim(store(), done.subject, { actor: 'lee', at: 1_000_000, leaseMs: 10 });
        await claim(store(), done.subject, { at: 2_000_000 });
        await decide(store(), done.subject, 'reject', null, 2_000_000 + tookMs);
      }
      const unclaimed = await askPerson(store(), { tenant }, { at: 900 });
      await decide(store(), unclaimed.subject, 'reject');
      expect(await store().reviews.tally({ tenant }, at, 1_000)).toEqual({
        ...{ open: 3, held: 1, overdue: 1, escalated: 1, samples: 1, nextFreeAt: at + 400 },
        ...{ opened: 5, firstOpenedAt: 1_000, decisions: 2, decidingMs: 180_000 },
      });
      expect(await store().reviews.tally({ tenant, specId: 'other' }, at, 0)).toEqual({
        ...{ open: 0, held: 0, overdue: 0, escalated: 0, samples: 0, nextFreeAt: null },
        ...{ opened: 0, firstOpenedAt: null, decisions: 0, decidingMs: 0 },
      });
    });

    it('gives the verdicts on samples by the attempts that their records took', async () => {
      const tenant = 'audited';
      const verdicts = [
        [1, 'approve'],
        [1, 'correct'],
        [2, 'approve'],
        [2, 'reject'],
        [2, 'not_in_document'],
      ] as const;
      for (const [attempt, verb] of verdicts) {
        const { id } = await askAboutSample(store(), { tenant }, null, attempt);
        await decide(store(), id, verb, verb === 'correct' ? { total: '9' } : null, 5_000_000 + attempt);
      }
      await askAboutSample(store(), { tenant });
      expect(await store().reviews.sampleVerdicts({ tenant }, 0)).toEqual([
        { attempts: 1, decided: 2, defects: 1 },
        { attempts: 2, decided: 3, defects: 2 },
      ]);
      expect(await store().reviews.sampleVerdicts({ tenant, specId: 'other' }, 0)).toEqual([]);
      expect(await store().reviews.sampleVerdicts({ tenant }, 5_000_003)).toEqual([
        { attempts: 2, decided: 3, defects: 2 },
      ]);
    });
  });
}
