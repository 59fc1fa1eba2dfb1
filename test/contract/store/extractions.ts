import { describe, expect, it } from 'vitest';
import type { StoreUnderTest } from './fixtures.js';
import {
  accepted,
  landing,
  newCall,
  newExtraction,
  openRun,
  policy,
  recordOf,
  redrive,
  rejected,
  sameDocument,
} from './fixtures.js';

export function extractionCases(store: StoreUnderTest): void {
  describe('opening a run', () => {
    it('starts at run 1, open, with nothing spent', async () => {
      const given = newExtraction({ batchId: 'b-1', tags: ['renewal', 'urgent'] });
      const opening = await store().extractions.open(given, false);
      const { at, ...kept } = given;
      expect(opening).toEqual({
        kind: 'opened',
        extraction: {
          ...kept,
          run: 1,
          state: 'open',
          outcome: null,
          reason: null,
          failureClass: null,
          diagnosis: null,
          route: null,
          provider: null,
          model: null,
          attempts: 0,
          calls: 0,
          tokens: 0,
          cost: { amount: '0', currency: 'USD' },
          startedAt: at,
          deadlineAt: at + policy.deadlineMs,
          closedAt: null,
          erasedAt: null,
        },
      });
    });

    it('attaches to the open run of the key, whether or not a redrive was asked for', async () => {
      const given = newExtraction();
      await store().extractions.open(given, false);
      expect((await store().extractions.open(given, false)).kind).toBe('running');
      expect((await store().extractions.open(given, true)).kind).toBe('running');
    });

    it.each([false, true])('opens one run for twenty callers at once (redrive: %s)', async (again) => {
      const given = newExtraction();
      if (again) {
        const ref = await openRun(store(), given);
        await store().extractions.land(landing(ref));
      }
      const openings = await Promise.all(
        Array.from({ length: 20 }, () => store().extractions.open(given, again)),
      );
      expect(openings.filter(({ kind }) => kind === 'opened')).toHaveLength(1);
      expect(openings.filter(({ kind }) => kind === 'running')).toHaveLength(19);
      expect(new Set(openings.map(({ extraction }) => extraction.run))).toEqual(new Set([again ? 2 : 1]));
    });

    it('tells how a closed run ended, and runs it again under the next number only when asked to', async () => {
      const given = newExtraction();
      const ref = await openRun(store(), given);
      await store().extractions.land(landing(ref));
      const closed = await store().extractions.open(given, false);
      expect(closed).toMatchObject({ kind: 'closed', extraction: { run: 1, reason: 'attempt_cap' } });
      const second = await redrive(store(), given);
      expect(second.run).toBe(2);
      await store().extractions.land(landing(second));
      expect((await redrive(store(), given)).run).toBe(3);
    });

    it('never runs a verified key again', async () => {
      const given = newExtraction();
      const ref = await openRun(store(), given);
      await store().attempts.commit(accepted(ref));
      expect(await store().extractions.open(given, true)).toMatchObject({
        kind: 'closed',
        extraction: { run: 1, outcome: 'verified' },
      });
    });

    it('keeps tenants apart although they sent the same bytes', async () => {
      const ours = newExtraction({ tenant: 'acme' });
      const theirs = newExtraction({ tenant: 'bolt', documentHash: ours.documentHash });
      expect((await store().extractions.open(ours, false)).kind).toBe('opened');
      expect((await store().extractions.open(theirs, false)).kind).toBe('opened');
      const { items } = await store().extractions.list({ tenant: 'bolt' }, { limit: 100 });
      expect(items.map(({ tenant }) => tenant)).toEqual(['bolt']);
    });
  });

  describe('finding a run', () => {
    it('takes the latest unless a run is named', async () => {
      const given = newExtraction();
      const first = await openRun(store(), given);
      await store().extractions.land(landing(first));
      await redrive(store(), given);
      expect((await store().extractions.find(given.key))?.run).toBe(2);
      expect((await store().extractions.find(given.key, 1))?.run).toBe(1);
      expect(await store().extractions.find(given.key, 3)).toBeNull();
    });

    it('takes a prefix of at least eight characters that fits one key only', async () => {
      const ref = await openRun(store());
      expect((await store().extractions.find(ref.key.slice(0, 12)))?.key).toBe(ref.key);
      expect(await store().extractions.find(ref.key.slice(0, 7))).toBeNull();
      expect(await store().extractions.find('not-a-key')).toBeNull();
      expect(await store().extractions.find('%%%%%%%%')).toBeNull();
      expect(await store().extractions.find('')).toBeNull();
      await openRun(store(), { key: `${ref.key.slice(0, 30)}-another` });
      expect(await store().extractions.find(ref.key.slice(0, 12))).toBeNull();
      expect((await store().extractions.find(ref.key))?.key).toBe(ref.key);
    });

    it('sums every call of the run, open and failed ones included, to the last digit', async () => {
      const ref = await openRun(store());
      await store().attempts.beginCall(newCall(ref));
      const failed = await store().attempts.beginCall(newCall(ref));
      const answered = await store().attempts.beginCall(newCall(ref, { attempt: 2, lane: 'repair' }));
      const end = {
        status: 529,
        requestId: null,
        usage: 'unknown',
        faultClass: 'overloaded',
        at: 1_600_000,
      } as const;
      const huge = { amount: '12345678901234567890.123', currency: 'USD' };
      await store().attempts.endCall({
        ...end,
        callId: failed,
        state: 'failed',
        spending: { tokens: 2_000, cost: { amount: '0.0020', currency: 'USD' }, known: false },
      });
      await store().attempts.endCall({
        ...end,
        callId: answered,
        state: 'answered',
        spending: { tokens: 980, cost: huge, known: true },
      });
      await store().attempts.commit(rejected(ref));
      const found = await store().extractions.find(ref.key);
      expect(found).toMatchObject({ attempts: 1, calls: 3, tokens: 4_980 });
      expect(found?.cost).toEqual({ amount: '12345678901234567890.1270', currency: 'USD' });
    });
  });

  describe('the pulse', () => {
    it('changes when a run opens, is called for and ends, of its own tenant and of all, and not by itself', async () => {
      const tenant = 'pulse';
      const pulses = async () => [
        await store().extractions.pulse(tenant),
        await store().extractions.pulse(null),
      ];
      const seen = { own: new Set<string>(), all: new Set<string>() };
      const other = await store().extractions.pulse('nobody');
      const step = async (what: string) => {
        const [own = '', all = ''] = await pulses();
        expect(await pulses(), what).toEqual([own, all]);
        expect([...seen.own], what).not.toContain(own);
        // Of all tenants, what others did may be newer by the clock of their tests; calls are numbered.
        if (what === 'called') expect([...seen.all]).not.toContain(all);
        seen.own.add(own);
        seen.all.add(all);
      };
      await step('nothing');
      const ref = await openRun(store(), { tenant });
      await step('opened');
      await store().attempts.beginCall(newCall(ref));
      await step('called');
      await store().extractions.land(landing(ref));
      await step('ended');
      expect((await store().extractions.pulse('nobody')).split('.').length).toBe(other.split('.').length);
    });
  });

  describe('listing runs', () => {
    it('filters by every fact it names', async () => {
      const tenant = 'filters';
      const dead = await openRun(store(), {
        tenant,
        specId: 'invoice',
        batchId: 'b-9',
        tags: ['vip', 'new'],
      });
      await store().extractions.land(landing(dead));
      const good = await openRun(store(), { tenant });
      await store().attempts.commit(accepted(good));
      const open = await openRun(store(), { tenant });
      const keys = async (filter: object) => {
        const page = await store().extractions.list({ tenant, ...filter }, { limit: 10 });
        return page.items.map(({ key }) => key);
      };
      expect(await keys({})).toEqual([open.key, good.key, dead.key]);
      expect(await keys({ state: 'open' })).toEqual([open.key]);
      expect(await keys({ outcome: 'verified' })).toEqual([good.key]);
      expect(await keys({ reason: 'attempt_cap' })).toEqual([dead.key]);
      expect(await keys({ route: 'dead_letter' })).toEqual([dead.key]);
      expect(await keys({ specId: 'invoice' })).toEqual([dead.key]);
      expect(await keys({ batchId: 'b-9' })).toEqual([dead.key]);
      expect(await keys({ tag: 'vip' })).toEqual([dead.key]);
      expect(await keys({ tag: 'renewal' })).toEqual([open.key, good.key]);
      expect(await keys({ reason: 'deadline' })).toEqual([]);
      const { startedAt } = (await store().extractions.find(good.key)) ?? { startedAt: 0 };
      expect(await keys({ startedBefore: startedAt })).toEqual([dead.key]);
      expect(await keys({ startedBefore: startedAt + 1 })).toEqual([good.key, dead.key]);
      expect(await keys({ startedFrom: startedAt })).toEqual([open.key, good.key]);
      const { failureClass, promptVersion } = (await store().extractions.find(dead.key)) ?? {};
      expect(await keys({ failureClass })).toEqual([dead.key]);
      expect(await keys({ failureClass: 'refusal' })).toEqual([]);
      expect(await keys({ promptVersion })).toEqual([open.key, good.key, dead.key]);
      expect(await keys({ promptVersion: 'another' })).toEqual([]);
      const named = await openRun(store(), { tenant, fileName: 'Übersicht_R-kwd.txt' });
      expect(await keys({ file: 'Übersicht_r-KWD' })).toEqual([named.key]);
      expect(await keys({ file: 'Übersicht_r-kwd.txt2' })).toEqual([]);
      expect(await keys({ file: 'r-kwd' })).toEqual([]);
      expect(await keys({ file: 'Übersicht%' })).toEqual([]);
    });
  });

  describe('runs by their attempts, and by how long they are open', () => {
    it('are found from so many to so many attempts; open ones have none yet', async () => {
      const tenant = 'by-attempts';
      const runs = await Promise.all([1, 2, 3].map(() => openRun(store(), { tenant })));
      for (const [index, ref] of runs.entries()) {
        await store().attempts.commit(accepted(ref, {}, index + 1));
      }
      await openRun(store(), { tenant });
      const found = async (filter: object) =>
        (await store().extractions.list({ tenant, ...filter }, { limit: 9 })).items
          .map(({ attempts }) => attempts)
          .sort();
      expect(await found({ attemptsFrom: 2 })).toEqual([2, 3]);
      expect(await found({ attemptsFrom: 1, attemptsTo: 2 })).toEqual([1, 2]);
      expect(await found({ attemptsFrom: 2, attemptsTo: 2 })).toEqual([2]);
      expect(await found({ attemptsFrom: 4 })).toEqual([]);
    });

    it('are listed the oldest first while they are open', async () => {
      const tenant = 'oldest';
      const [middle, oldest, newest, ended] = await Promise.all(
        [2_000, 1_000, 3_000, 500].map((at) => openRun(store(), { tenant, at })),
      );
      if (!middle || !oldest || !newest || !ended) throw new Error('Four were opened.');
      await store().extractions.land(landing(ended));
      const keys = async (filter: object, limit: number) =>
        (await store().extractions.oldestOpen({ tenant, ...filter }, limit)).map(({ key }) => key);
      expect(await keys({}, 9)).toEqual([oldest.key, middle.key, newest.key]);
      expect(await keys({}, 2)).toEqual([oldest.key, middle.key]);
      expect(await keys({ specId: 'another' }, 9)).toEqual([]);
      expect(await keys({ promptVersion: 'another' }, 9)).toEqual([]);
    });
  });

  describe('runs on their way to a fallback or a best effort', () => {
    const tenant = 'unkept';
    const unkept = async (from = 0, before = 9_000_000) => {
      const page = await store().extractions.unkept({ from, before }, { limit: 100 });
      return page.items.filter((row) => row.tenant === tenant).map(({ key }) => key);
    };
    const landed = async (route: 'fallback' | 'best_effort' | 'dead_letter', at = 3_000_000) => {
      const ref = await openRun(store(), { tenant });
      await store().extractions.land(landing(ref, { route, at }));
      return ref;
    };

    it('are those of which nothing is kept yet, for as long as that is so', async () => {
      const fallback = await landed('fallback', 3_000_001);
      const best = await landed('best_effort', 3_000_002);
      await landed('dead_letter');
      expect(await unkept()).toEqual([best.key, fallback.key]);
      expect(await unkept(3_000_002)).toEqual([best.key]);
      expect(await unkept(0, 3_000_002)).toEqual([fallback.key]);
      const first = await store().extractions.unkept({ from: 0, before: 9_000_000 }, { limit: 1 });
      expect(first.nextCursor).not.toBeNull();
      await store().records.put(recordOf(fallback));
      await store().records.put(recordOf(best, { status: 'best_effort' }));
      expect(await unkept()).toEqual([]);
    });

    it('are not those that were run again, or whose subject is verified', async () => {
      const again = await landed('fallback');
      await redrive(store(), sameDocument(again));
      const verified = await landed('best_effort');
      const other = await openRun(store(), sameDocument(verified, { promptVersion: 'v8' }));
      expect(await unkept()).toEqual([verified.key]);
      await store().attempts.commit(accepted(other));
      expect(await unkept()).toEqual([]);
    });
  });

  describe('runs on a route that there is not', () => {
    it('are found, and move on to a place that there is', async () => {
      const tenant = 'strayed';
      const strayed = async () => {
        const page = await store().extractions.strayed({ limit: 100 });
        return page.items.filter((row) => row.tenant === tenant).map(({ key }) => key);
      };
      const ref = await openRun(store(), { tenant });
      const other = await openRun(store(), { tenant });
      await store().extractions.land(landing(other, { route: 'human_review', reviewDueAt: 9_000_000 }));
      await store().extractions.land(landing(ref, { route: 'human_reveiw' as never }));
      expect(await strayed()).toEqual([ref.key]);
      await store().extractions.land(landing(ref, { route: 'dead_letter' }));
      expect(await strayed()).toEqual([]);
      expect(await store().deadLetters.find(ref.key)).toMatchObject({ state: 'parked' });
      // From there it goes nowhere else.
      await store().extractions.land(landing(ref, { route: 'best_effort' }));
      expect(await store().extractions.find(ref.key)).toMatchObject({ route: 'dead_letter' });
    });
  });
}
