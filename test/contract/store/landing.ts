import { describe, expect, it } from 'vitest';
import type { StoreUnderTest } from './fixtures.js';
import { accepted, exhausted, landing, openRun, policy, rejected, takeLetter, toReview } from './fixtures.js';

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
        redrivenInto: null,
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
      await takeLetter(store(), ref);
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
}
