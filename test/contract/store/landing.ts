import { describe, expect, it } from 'vitest';
import type { StoreUnderTest } from './fixtures.js';
import {
  accepted,
  exhausted,
  landing,
  newExtraction,
  openRun,
  policy,
  redrive,
  rejected,
  sameDocument,
  toReview,
} from './fixtures.js';

export function landingCases(store: StoreUnderTest): void {
  describe('landing', () => {
    it('closes the run with its ending and parks the letter with the policy it ran under', async () => {
      const own = { ...policy, attemptCap: 2, tokenCap: 123 };
      const ref = await openRun(store(), { policy: own, tags: ['vip'], fileName: 'claim.pdf' });
      const landed = await store().extractions.land(landing(ref));
      expect(landed).toMatchObject({ outcome: 'unverified', route: 'dead_letter' });
      expect(landed.extraction).toMatchObject({
        state: 'closed',
        reason: 'attempt_cap',
        failureClass: 'constraint',
        diagnosis: exhausted.diagnosis,
        attempts: 3,
        closedAt: 3_000_000,
      });
      expect(await store().deadLetters.find(ref.key)).toEqual({
        ...ref,
        reason: 'attempt_cap',
        failureClass: 'constraint',
        policy: own,
        tags: ['vip'],
        fileName: 'claim.pdf',
        at: 3_000_000,
        state: 'parked',
      });
    });

    it('twice is landing once', async () => {
      const ref = await openRun(store());
      const first = await store().extractions.land(landing(ref));
      const other = landing(ref, {
        at: 8,
        ending: { ...exhausted, reason: 'deadline' },
        route: 'best_effort',
      });
      expect(await store().extractions.land(other)).toEqual(first);
      expect((await store().deadLetters.find(ref.key))?.at).toBe(3_000_000);
    });

    it('again does not park a letter that was taken for a redrive meanwhile', async () => {
      const ref = await openRun(store());
      await store().extractions.land(landing(ref));
      await store().deadLetters.take(ref.key, 4);
      await store().extractions.land(landing(ref));
      expect((await store().deadLetters.find(ref.key))?.state).toBe('redriven');
    });

    it('after a late commit says verified and stores nothing', async () => {
      const ref = await openRun(store());
      await store().attempts.commit(accepted(ref));
      expect(await store().extractions.land(landing(ref))).toMatchObject({
        outcome: 'verified',
        route: null,
      });
      expect(await store().deadLetters.find(ref.key)).toBeNull();
    });

    it('against a commit at the same moment ends as one of the two, never both', async () => {
      const seen = { verified: 0, unverified: 0 };
      for (let round = 0; round < 15; round += 1) {
        const ref = await openRun(store());
        const land = () => store().extractions.land(landing(ref));
        const commit = () => store().attempts.commit(accepted(ref));
        const both = round % 2 === 0 ? [land(), commit()] : [commit(), land()];
        await Promise.all(both);
        const { outcome } = await land();
        seen[outcome] += 1;
        const records = await store().records.ofKey(ref.key);
        const letter = await store().deadLetters.find(ref.key);
        expect(records).toHaveLength(outcome === 'verified' ? 1 : 0);
        expect(letter === null).toBe(outcome === 'verified');
        expect(await store().attempts.list(ref.key, 1)).toHaveLength(1);
      }
      expect(seen.verified + seen.unverified).toBe(15);
    });

    it('of a cancelled run goes nowhere', async () => {
      const ref = await openRun(store());
      const cancelled = { ...exhausted, reason: 'cancelled', failureClass: null, diagnosis: null } as const;
      const landed = await store().extractions.land(landing(ref, { ending: cancelled, route: null }));
      expect(landed).toMatchObject({ outcome: 'unverified', route: null });
      expect(await store().deadLetters.find(ref.key)).toBeNull();
      expect(await store().reviews.find(ref.subject)).toBeNull();
    });

    it('moves on from a fallback that found nothing, and never back', async () => {
      const ref = await openRun(store());
      await store().attempts.commit(rejected(ref));
      await store().extractions.land(landing(ref, { route: 'fallback' }));
      expect(await store().deadLetters.find(ref.key)).toBeNull();
      const moved = await store().extractions.land(toReview(ref, { at: 3_000_500 }));
      expect(moved.route).toBe('human_review');
      expect(moved.extraction).toMatchObject({ reason: 'attempt_cap', closedAt: 3_000_000 });
      expect((await store().reviews.find(ref.subject))?.state).toBe('open');
      // A worker thought lost reports late.
      expect((await store().extractions.land(landing(ref, { route: 'fallback' }))).route).toBe(
        'human_review',
      );
      expect((await store().extractions.land(landing(ref))).route).toBe('human_review');
      expect(await store().deadLetters.find(ref.key)).toBeNull();
    });

    it('of a verified ending without an accepted attempt is refused: it would be an outcome without a record', async () => {
      const ref = await openRun(store());
      const verified = landing(ref, { ending: { kind: 'verified', attempts: 1 }, route: null });
      await expect(store().extractions.land(verified)).rejects.toThrow('no accepted attempt');
      expect((await store().extractions.find(ref.key))?.state).toBe('open');
    });

    it('of a run nobody opened is refused', async () => {
      const ref = await openRun(store());
      await expect(store().extractions.land(landing({ ...ref, run: 7 }))).rejects.toThrow('No run 7');
    });
  });

  describe('dead letters', () => {
    it('are one for each key: a second exhaustion renews it', async () => {
      const given = newExtraction({ tenant: 'letters-one' });
      const first = await openRun(store(), given);
      await store().extractions.land(landing(first));
      expect(await store().deadLetters.take(first.key, 4)).toBe(true);
      const generous = { ...policy, attemptCap: 5 };
      const second = await redrive(store(), { ...given, policy: generous });
      const ending = { ...exhausted, reason: 'no_progress' } as const;
      await store().extractions.land(landing(second, { ending, at: 5_000_000 }));
      const { items } = await store().deadLetters.list({ tenant: 'letters-one' }, { limit: 10 });
      expect(items).toMatchObject([
        { run: 2, reason: 'no_progress', at: 5_000_000, policy: generous, state: 'parked' },
      ]);
    });

    it('are taken by one of twenty redrives, and can be given back', async () => {
      const ref = await openRun(store());
      await store().extractions.land(landing(ref));
      const taken = await Promise.all(Array.from({ length: 20 }, () => store().deadLetters.take(ref.key, 4)));
      expect(taken.filter(Boolean)).toHaveLength(1);
      expect((await store().deadLetters.find(ref.key))?.state).toBe('redriven');
      await store().deadLetters.giveBack(ref.key);
      expect(await store().deadLetters.take(ref.key, 5)).toBe(true);
      expect(await store().deadLetters.take('unknown-key', 5)).toBe(false);
    });

    it('once recovered cannot be taken or given back', async () => {
      const given = newExtraction();
      const ref = await openRun(store(), given);
      await store().extractions.land(landing(ref));
      await store().attempts.commit(accepted(await redrive(store(), given)));
      expect(await store().deadLetters.take(ref.key, 5)).toBe(false);
      await store().deadLetters.giveBack(ref.key);
      expect((await store().deadLetters.find(ref.key))?.state).toBe('recovered');
    });

    it('are parked again when their redrive was cancelled', async () => {
      const given = newExtraction();
      const ref = await openRun(store(), given);
      await store().extractions.land(landing(ref));
      await store().deadLetters.take(ref.key, 4);
      const again = await redrive(store(), given);
      const cancelled = { ...exhausted, reason: 'cancelled' } as const;
      await store().extractions.land(landing(again, { ending: cancelled, route: null }));
      expect(await store().deadLetters.find(ref.key)).toMatchObject({
        state: 'parked',
        run: 1,
        reason: 'attempt_cap',
      });
    });

    it('are parked again, the newest of the subject, when a redrive under another prompt was cancelled', async () => {
      const oldest = await openRun(store(), { promptVersion: 'v6' });
      await store().extractions.land(landing(oldest, { at: 100 }));
      await store().deadLetters.take(oldest.key, 150);
      const newer = await openRun(store(), sameDocument(oldest, { promptVersion: 'v7' }));
      await store().extractions.land(landing(newer, { at: 200 }));
      await store().deadLetters.take(newer.key, 250);
      const again = await openRun(store(), sameDocument(oldest, { promptVersion: 'v8' }));
      const cancelled = { ...exhausted, reason: 'cancelled' } as const;
      await store().extractions.land(landing(again, { ending: cancelled, route: null, at: 300 }));
      expect((await store().deadLetters.find(newer.key))?.state).toBe('parked');
      expect((await store().deadLetters.find(oldest.key))?.state).toBe('redriven');
      expect(await store().deadLetters.find(again.key)).toBeNull();
    });

    it('are listed oldest first, found by prefix and grouped by why and under what they failed', async () => {
      const tenant = 'letters-groups';
      const park = async (promptVersion: string, reason: 'attempt_cap' | 'refusal', at: number) => {
        const ref = await openRun(store(), { tenant, promptVersion });
        const failureClass = reason === 'refusal' ? 'refusal' : 'schema';
        await store().extractions.land(landing(ref, { at, ending: { ...exhausted, reason, failureClass } }));
        return ref;
      };
      const c = await park('v7', 'attempt_cap', 300);
      const a = await park('v7', 'attempt_cap', 100);
      const b = await park('v8', 'refusal', 200);
      const taken = await park('v7', 'refusal', 50);
      await store().deadLetters.take(taken.key, 400);

      const keys = async (filter: object) => {
        const page = await store().deadLetters.list({ tenant, ...filter }, { limit: 10 });
        return page.items.map(({ key }) => key);
      };
      expect(await keys({})).toEqual([a.key, b.key, c.key]);
      expect(await keys({ promptVersion: 'v7', failureClass: 'schema' })).toEqual([a.key, c.key]);
      expect(await keys({ reason: 'refusal' })).toEqual([b.key]);
      expect(await keys({ specId: 'invoice' })).toEqual([]);
      expect(await keys({ schemaVersion: '1', state: 'redriven' })).toEqual([taken.key]);
      expect((await store().deadLetters.find(a.key.slice(0, 10)))?.key).toBe(a.key);

      const group = { specId: 'claim', schemaVersion: '1' };
      expect(await store().deadLetters.groups({ tenant })).toEqual([
        {
          ...group,
          promptVersion: 'v7',
          reason: 'attempt_cap',
          failureClass: 'schema',
          count: 2,
          oldestAt: 100,
        },
        {
          ...group,
          promptVersion: 'v8',
          reason: 'refusal',
          failureClass: 'refusal',
          count: 1,
          oldestAt: 200,
        },
      ]);
      expect(await store().deadLetters.groups({ tenant, promptVersion: 'v8' })).toHaveLength(1);
    });
  });
}
