import { describe, expect, it } from 'vitest';
import {
  accepted,
  exhausted,
  landing,
  newExtraction,
  openRun,
  policy,
  type StoreUnderTest,
  sameDocument,
  takeLetter,
  toReview,
} from './fixtures.js';

const cancelled = { ...exhausted, reason: 'cancelled' } as const;

export function deadLetterCases(store: StoreUnderTest): void {
  const letterOf = (key: string) => store().deadLetters.find(key);
  /** A run that ended as a dead letter. */
  const park = async (given: Parameters<typeof openRun>[1] = {}, at = 3_000_000) => {
    const ref = await openRun(store(), given);
    await store().extractions.land(landing(ref, { at }));
    return ref;
  };

  describe('dead letters', () => {
    it('are one for each key: a second exhaustion renews it', async () => {
      const first = await park({ tenant: 'letters-one' });
      const generous = { ...policy, attemptCap: 5 };
      const second = await takeLetter(store(), first, { policy: generous });
      const ending = { ...exhausted, reason: 'no_progress' } as const;
      await store().extractions.land(landing(second, { ending, at: 5_000_000 }));
      const { items } = await store().deadLetters.list({ tenant: 'letters-one' }, { limit: 10 });
      expect(items).toMatchObject([
        { run: 2, reason: 'no_progress', at: 5_000_000, policy: generous, state: 'parked' },
      ]);
    });

    it('are taken by one of twenty redrives, which alone opens a run, and say which', async () => {
      const ref = await park();
      const taking = () => store().deadLetters.take(ref.key, sameDocument(ref));
      const kinds = (await Promise.all(Array.from({ length: 20 }, taking))).map(({ kind }) => kind);
      expect(kinds.sort()).toEqual(['not_parked', ...Array(18).fill('not_parked'), 'opened'].sort());
      expect(await letterOf(ref.key)).toMatchObject({
        state: 'redriven',
        redrivenInto: { key: ref.key, run: 2 },
      });
      expect(await store().extractions.find(ref.key)).toMatchObject({ run: 2, state: 'open' });
      expect(await store().extractions.find(ref.key, 3)).toBeNull();
    });

    it('are taken by one redrive also when others would run them under other versions', async () => {
      const ref = await park();
      const versions = ['v8', 'v9', 'v10', 'v11'];
      const takings = await Promise.all(
        versions.map((promptVersion) =>
          store().deadLetters.take(ref.key, sameDocument(ref, { promptVersion })),
        ),
      );
      expect(takings.filter(({ kind }) => kind === 'opened')).toHaveLength(1);
      const runs = await Promise.all(
        versions.map((promptVersion) => store().extractions.find(sameDocument(ref, { promptVersion }).key)),
      );
      expect(runs.filter((run) => run !== null)).toHaveLength(1);
    });

    it('that nobody parked are not taken, and no run is opened for them', async () => {
      const unknown = newExtraction();
      expect(await store().deadLetters.take(unknown.key, unknown)).toEqual({ kind: 'not_parked' });
      expect(await store().extractions.find(unknown.key)).toBeNull();
    });

    it('of a key that runs already attach to that run', async () => {
      const ref = await park();
      const { extraction } = await store().extractions.open(sameDocument(ref), true);
      const taking = await store().deadLetters.take(ref.key, sameDocument(ref));
      expect(taking).toMatchObject({ kind: 'running', extraction: { run: extraction.run } });
      expect(await letterOf(ref.key)).toMatchObject({
        state: 'redriven',
        redrivenInto: { key: ref.key, run: 2 },
      });
    });

    it('whose other version is verified already are recovered instead', async () => {
      const other = await openRun(store(), { promptVersion: 'v8' });
      await store().attempts.commit(accepted(other));
      const late = await openRun(store(), sameDocument(other, { promptVersion: 'v7' }));
      await store().extractions.land(landing(late));
      const taking = await store().deadLetters.take(late.key, sameDocument(late, { promptVersion: 'v8' }));
      expect(taking).toMatchObject({ kind: 'closed', extraction: { outcome: 'verified' } });
      expect(await letterOf(late.key)).toMatchObject({
        state: 'recovered',
        redrivenInto: { key: other.key, run: 1 },
      });
    });

    it('once recovered cannot be taken', async () => {
      const ref = await park();
      await store().attempts.commit(accepted(await takeLetter(store(), ref)));
      expect(await store().deadLetters.take(ref.key, sameDocument(ref))).toEqual({ kind: 'not_parked' });
      expect(await letterOf(ref.key)).toMatchObject({ state: 'recovered' });
    });

    it('are parked again when their redrive was cancelled', async () => {
      const ref = await park();
      const again = await takeLetter(store(), ref);
      await store().extractions.land(landing(again, { ending: cancelled, route: null }));
      expect(await letterOf(ref.key)).toMatchObject({ state: 'parked', run: 1, reason: 'attempt_cap' });
    });

    it('are parked again, the newest of the subject, when a redrive under another prompt was cancelled', async () => {
      const oldest = await park({ promptVersion: 'v6' }, 100);
      const newer = await takeLetter(store(), oldest, { promptVersion: 'v7' });
      await store().extractions.land(landing(newer, { at: 200 }));
      const again = await takeLetter(store(), newer, { promptVersion: 'v8' });
      await store().extractions.land(landing(again, { ending: cancelled, route: null, at: 300 }));
      expect(await letterOf(newer.key)).toMatchObject({ state: 'parked' });
      expect(await letterOf(oldest.key)).toMatchObject({ state: 'redriven' });
      expect(await letterOf(again.key)).toBeNull();
    });

    it('are listed oldest first, found by prefix and grouped by why and under what they failed', async () => {
      const tenant = 'letters-groups';
      const parkAs = async (promptVersion: string, reason: 'attempt_cap' | 'refusal', at: number) => {
        const ref = await openRun(store(), { tenant, promptVersion });
        const failureClass = reason === 'refusal' ? 'refusal' : 'schema';
        await store().extractions.land(landing(ref, { at, ending: { ...exhausted, reason, failureClass } }));
        return ref;
      };
      const c = await parkAs('v7', 'attempt_cap', 300);
      const a = await parkAs('v7', 'attempt_cap', 100);
      const b = await parkAs('v8', 'refusal', 200);
      const taken = await parkAs('v7', 'refusal', 50);
      await takeLetter(store(), taken);

      const keys = async (filter: object) => {
        const page = await store().deadLetters.list({ tenant, ...filter }, { limit: 10 });
        return page.items.map(({ key }) => key);
      };
      expect(await keys({})).toEqual([a.key, b.key, c.key]);
      expect(await keys({ promptVersion: 'v7', failureClass: 'schema' })).toEqual([a.key, c.key]);
      expect(await keys({ reason: 'refusal' })).toEqual([b.key]);
      expect(await keys({ specId: 'invoice' })).toEqual([]);
      expect(await keys({ schemaVersion: '1', state: 'redriven' })).toEqual([taken.key]);
      expect(await keys({ parkedUpTo: 200 })).toEqual([a.key, b.key]);
      expect(await letterOf(a.key.slice(0, 10))).toMatchObject({ key: a.key, redrivenInto: null });

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

  describe('a batch of redriven runs', () => {
    const tenant = 'letters-batch';
    const batchId = 'redrive/monday';

    it('is counted by how its runs stand, and what it has run is not taken by it again', async () => {
      const parked = [];
      for (let at = 1; at <= 5; at += 1) parked.push(await park({ tenant }, at));
      const [recovered, returned, cancelledLetter, open, left] = parked;
      if (!recovered || !returned || !cancelledLetter || !open || !left) throw new Error('five were parked');
      expect(await store().extractions.tally(batchId)).toEqual({ open: 0, verified: 0, unverified: {} });

      await store().attempts.commit(accepted(await takeLetter(store(), recovered, { batchId })));
      await store().extractions.land(
        // Parked by a worker whose clock is behind: before it was taken.
        landing(await takeLetter(store(), returned, { batchId }), { at: 2 }),
      );
      const stopped = await takeLetter(store(), cancelledLetter, { batchId });
      await store().extractions.land(landing(stopped, { ending: cancelled, route: null }));
      await takeLetter(store(), open, { batchId });
      expect(await store().extractions.tally(batchId)).toEqual({
        open: 1,
        verified: 1,
        unverified: { attempt_cap: 1, cancelled: 1 },
      });

      const keys = async (notOfBatch: string) => {
        const page = await store().deadLetters.list({ tenant, notOfBatch }, { limit: 10 });
        return page.items.map(({ key }) => key);
      };
      expect(await keys('redrive/tuesday')).toEqual([returned.key, cancelledLetter.key, left.key]);
      expect(await keys(batchId)).toEqual([left.key]);
      const again = await store().deadLetters.take(returned.key, sameDocument(returned, { batchId }));
      expect(again).toEqual({ kind: 'not_parked' });
      expect(await store().extractions.find(returned.key)).toMatchObject({ run: 2 });
    });
  });

  describe('settling redriven letters', () => {
    const settle = () => store().deadLetters.settle(9_000_000);

    it('leaves alone what is under way, what is known already and what was just taken', async () => {
      await settle();
      const at = 8_000_000;
      const underWay = await park();
      await takeLetter(store(), underWay, { at });
      const sentOn = await park();
      const reviewed = await takeLetter(store(), sentOn, { at });
      await store().extractions.land(toReview(reviewed, { bestAttempt: null }));
      const recovered = await park();
      await store().attempts.commit(accepted(await takeLetter(store(), recovered, { at })));
      await takeLetter(store(), await park(), { at: 9_000_000 });

      expect(await settle()).toEqual({ parked: 0, recovered: 0, more: false });
      expect(await letterOf(underWay.key)).toMatchObject({ state: 'redriven' });
      expect(await letterOf(sentOn.key)).toMatchObject({ state: 'redriven' });
      expect(await letterOf(recovered.key)).toMatchObject({ state: 'recovered' });
    });
  });
}
