import { describe, expect, it } from 'vitest';
import type { StoreUnderTest } from './fixtures.js';
import {
  accepted,
  claim,
  landing,
  newCall,
  newExtraction,
  openRun,
  problem,
  rejected,
  sameDocument,
  takeLetter,
  toReview,
} from './fixtures.js';

export function attemptCases(store: StoreUnderTest): void {
  describe('committing an attempt', () => {
    it('keeps everything it was given', async () => {
      const ref = await openRun(store());
      const commit = rejected(ref, {
        contradiction: {
          rules: ['a', 'b'],
          pointer: '/total',
          values: ['1204.38', '1204.375'],
          explanation: 'two decimals against the sum',
        },
        feedback: 'total: expected 1204.375',
      });
      expect(await store().attempts.commit(commit)).toEqual({ report: commit.report, withdrewReview: false });
      const { ref: _, verifierVersion: __, sample: ___, ...attempt } = commit;
      expect(await store().attempts.list(ref.key, ref.run)).toEqual([attempt]);
      expect(await store().attempts.problems(ref, 1)).toEqual([problem]);
      expect(await store().attempts.problems(ref, 2)).toEqual([]);
      expect((await store().extractions.find(ref.key))?.state).toBe('open');
    });

    it('closes the run and stores the record when it was accepted', async () => {
      const ref = await openRun(store());
      const commit = accepted(ref, {}, 2);
      const { startedAt = 0 } = (await store().extractions.find(ref.key)) ?? {};
      expect(await store().attempts.commit(commit)).toEqual({
        report: commit.report,
        withdrewReview: false,
        verifiedAfterMs: commit.at - startedAt,
      });
      expect(await store().extractions.find(ref.key)).toMatchObject({
        state: 'closed',
        outcome: 'verified',
        reason: null,
        attempts: 2,
        closedAt: 2_000_000,
      });
      expect(await store().records.current(ref.subject)).toEqual({
        ...ref,
        status: 'verified',
        record: commit.candidate,
        evidence: commit.evidence,
        ungrounded: ['/insured'],
        unmet: [],
        normalisations: commit.report.normalisations,
        verifierVersion: 'verifier-3',
        template: null,
        at: 2_000_000,
      });
    });

    it('is won by the first commit: a second one, of whatever verdict, changes nothing', async () => {
      const ref = await openRun(store());
      const first = rejected(ref);
      await store().attempts.commit(first);
      const second = await store().attempts.commit(accepted(ref));
      expect(second.report).toEqual(first.report);
      expect((await store().extractions.find(ref.key))?.state).toBe('open');
      expect(await store().records.ofKey(ref.key)).toEqual([]);
      expect(await store().attempts.stored(ref, 1)).toEqual({ report: first.report, withdrewReview: false });
      expect(await store().attempts.stored(ref, 2)).toBeNull();
    });

    it('of one attempt by ten workers at once agrees on one report', async () => {
      const ref = await openRun(store());
      const commits = Array.from({ length: 10 }, (_, index) => {
        const commit = index % 2 === 0 ? accepted(ref) : rejected(ref);
        return store().attempts.commit({
          ...commit,
          report: { ...commit.report, requestId: `req_${index}` },
        });
      });
      const reports = (await Promise.all(commits)).map(({ report }) => report);
      expect(new Set(reports.map(({ requestId }) => requestId)).size).toBe(1);
      const verified = reports[0]?.result.kind === 'accepted';
      expect((await store().extractions.find(ref.key))?.state).toBe(verified ? 'closed' : 'open');
      expect(await store().records.ofKey(ref.key)).toHaveLength(verified ? 1 : 0);
    });

    it('after the run was closed keeps the attempt and makes no record', async () => {
      const ref = await openRun(store());
      await store().extractions.land(landing(ref));
      const late = accepted(ref);
      expect(await store().attempts.commit(late)).toEqual({ report: late.report, withdrewReview: false });
      expect(await store().attempts.list(ref.key, 1)).toHaveLength(1);
      expect(await store().records.ofKey(ref.key)).toEqual([]);
      expect((await store().extractions.find(ref.key))?.outcome).toBe('unverified');
      expect((await store().deadLetters.find(ref.key))?.state).toBe('parked');
    });

    it('under a new prompt supersedes: old letters recovered, the open review withdrawn, one current record', async () => {
      const first = newExtraction({ promptVersion: 'v6' });
      const dead = await openRun(store(), first);
      await store().extractions.land(landing(dead));
      const asked = await openRun(store(), sameDocument(dead, { promptVersion: 'v7' }));
      await store().attempts.commit(rejected(asked));
      await store().extractions.land(toReview(asked));
      await claim(store(), asked.subject);

      const better = await openRun(store(), sameDocument(dead, { promptVersion: 'v8' }));
      const commit = accepted(better, { at: 5_000_000 });
      expect(await store().attempts.commit(commit)).toMatchObject({
        report: commit.report,
        withdrewReview: true,
      });
      // The retried activity must learn it too.
      expect(await store().attempts.stored(better, 1)).toEqual({
        report: commit.report,
        withdrewReview: true,
      });
      expect((await store().deadLetters.find(dead.key))?.state).toBe('recovered');
      expect(await store().reviews.find(dead.subject)).toMatchObject({
        state: 'withdrawn',
        holder: null,
        withdrawn: { by: { key: better.key, run: 1 }, from: 'kim' },
      });
      expect((await store().records.current(dead.subject))?.promptVersion).toBe('v8');
      const page = await store().records.list({ subject: dead.subject }, { limit: 10 });
      expect(page.items).toHaveLength(1);
    });

    it('of a redrive closes the letter of its own key', async () => {
      const first = await openRun(store());
      await store().extractions.land(landing(first));
      await store().attempts.commit(accepted(await takeLetter(store(), first)));
      expect((await store().deadLetters.find(first.key))?.state).toBe('recovered');
      expect((await store().records.ofKey(first.key)).map(({ run }) => run)).toEqual([2]);
    });
  });

  describe('the candidate before', () => {
    it('is the newest whole one of earlier attempts', async () => {
      const ref = await openRun(store());
      expect(await store().attempts.previousCandidate(ref, 1)).toBeNull();
      await store().attempts.commit(rejected(ref, { candidate: { total: '1' } }, 1));
      await store().attempts.commit(rejected(ref, { candidate: { total: '2' } }, 2));
      await store().attempts.commit(rejected(ref, { candidate: null }, 3));
      expect(await store().attempts.previousCandidate(ref, 4)).toEqual({ total: '2' });
      expect(await store().attempts.previousCandidate(ref, 2)).toEqual({ total: '1' });
    });
  });

  describe('what is stored', () => {
    it('keeps every digit, in and out', async () => {
      const ref = await openRun(store());
      const candidate = {
        total: '1204.375',
        big: '12345678901234567890.123',
        lines: ['0.1212', '-0.00', '1e3'],
      };
      await store().attempts.commit(accepted(ref, { candidate }));
      expect((await store().records.current(ref.subject))?.record).toEqual(candidate);
      expect((await store().attempts.list(ref.key, 1))[0]?.candidate).toEqual(candidate);
    });

    it('survives texts that hold NUL or half a surrogate pair', async () => {
      const ref = await openRun(store(), { fileName: 'a\0b.pdf', tags: ['x\0y'] });
      const candidate = {
        'na\0me': 'A\0da',
        half: '\ud83d',
        whole: '\u{1F600}',
        escaped: String.raw`\u0000 \ud83d`,
      };
      const commit = accepted(ref, { candidate, feedback: 'what\0?', ungrounded: ['/\0'] });
      await store().attempts.commit(commit);
      expect((await store().records.current(ref.subject))?.record).toEqual({
        'na\u{FFFD}me': 'A\u{FFFD}da',
        half: '\u{FFFD}',
        whole: '\u{1F600}',
        escaped: String.raw`\u0000 \ud83d`,
      });
      expect((await store().attempts.list(ref.key, 1))[0]?.feedback).toBe('what\u{FFFD}?');
      expect(await store().extractions.find(ref.key)).toMatchObject({
        fileName: 'a\u{FFFD}b.pdf',
        tags: ['x\u{FFFD}y'],
      });
      expect(await store().extractions.find('12345678\0')).toBeNull();
    });
  });

  describe('calls', () => {
    it('count failures of one activity execution, and money of all', async () => {
      const ref = await openRun(store());
      const cost = { amount: '0.0011', currency: 'USD' };
      const spending = { tokens: 1_100, cost, known: true };
      const end = {
        faultClass: 'overloaded',
        status: 529,
        requestId: 'r',
        usage: 'unknown',
        spending,
        at: 9,
      } as const;
      const earlier = await store().attempts.beginCall(newCall(ref, { activityId: 'activity-0' }));
      expect(await store().attempts.endCall({ ...end, callId: earlier, state: 'failed' })).toEqual({
        calls: 1,
        failedInActivity: 1,
        spending,
      });
      await store().attempts.beginCall(newCall(ref));
      await store().attempts.beginCall(newCall(ref, { attempt: 2 }));
      const mine = await store().attempts.beginCall(newCall(ref));
      const tally = {
        calls: 3,
        failedInActivity: 1,
        spending: { tokens: 4_200, cost: { amount: '0.0042', currency: 'USD' }, known: false },
      };
      expect(await store().attempts.endCall({ ...end, callId: mine, state: 'failed' })).toEqual(tally);
      expect(await store().attempts.endCall({ ...end, callId: mine, state: 'failed' })).toEqual(tally);
    });

    it('say which server and model gave the run its last answer, and nobody before one did', async () => {
      const ref = await openRun(store());
      const answeredBy = async () => {
        const row = await store().extractions.find(ref.key);
        return { provider: row?.provider, model: row?.model };
      };
      const end = async (callId: string, state: 'answered' | 'failed') => {
        const spending = { tokens: 1, cost: { amount: '0', currency: 'USD' }, known: true };
        const facts = { faultClass: null, status: null, requestId: null, usage: 'unknown' } as const;
        await store().attempts.endCall({ callId, state, ...facts, spending, at: 9 });
      };
      expect(await answeredBy()).toEqual({ provider: null, model: null });
      await end(await store().attempts.beginCall(newCall(ref, { provider: 'down.example' })), 'failed');
      expect(await answeredBy()).toEqual({ provider: null, model: null });
      await end(await store().attempts.beginCall(newCall(ref)), 'answered');
      const repair = newCall(ref, { attempt: 2, model: 'model-b', provider: 'other.example' });
      await end(await store().attempts.beginCall(repair), 'answered');
      await end(await store().attempts.beginCall({ ...repair, provider: 'late.example' }), 'failed');
      expect(await answeredBy()).toEqual({ provider: 'other.example', model: 'model-b' });
    });

    it('are listed in order with what came of them', async () => {
      const ref = await openRun(store());
      const first = await store().attempts.beginCall(newCall(ref, { at: 10 }));
      const second = await store().attempts.beginCall(newCall(ref, { at: 20 }));
      const usage = {
        inputTokens: 9,
        outputTokens: 1,
        cacheReadTokens: 0,
        cacheWriteTokens: 0,
        thinkingTokens: 0,
      };
      await store().attempts.endCall({
        callId: second,
        state: 'answered',
        faultClass: null,
        status: 200,
        requestId: 'req_2',
        usage,
        spending: { tokens: 10, cost: { amount: '0.10', currency: 'USD' }, known: true },
        at: 25,
      });
      const open = {
        attempt: 1,
        model: 'model-a',
        provider: 'stand-in',
        faultClass: null,
        startedAt: 10,
        endedAt: null,
      };
      expect(await store().attempts.calls(ref.key, ref.run)).toEqual([
        {
          ...open,
          callId: first,
          state: 'open',
          status: null,
          requestId: null,
          tokens: 2_000,
          cost: { amount: '0.0020', currency: 'USD' },
          known: false,
        },
        {
          ...open,
          callId: second,
          state: 'answered',
          status: 200,
          requestId: 'req_2',
          tokens: 10,
          cost: { amount: '0.10', currency: 'USD' },
          known: true,
          startedAt: 20,
          endedAt: 25,
        },
      ]);
    });
  });
}
