import { describe, expect, it } from 'vitest';
import type { RunRef } from '../../../src/domain/extraction-input.js';
import type { ReportFilter } from '../../../src/ports/report-store.js';
import type { DocumentRow } from '../../../src/reports/rows.js';
import type { StoreUnderTest } from './fixtures.js';
import {
  accepted,
  askAboutSample,
  decide,
  exhausted,
  landing,
  newCall,
  newExtraction,
  openRun,
  redrive,
  rejected,
  sameDocument,
} from './fixtures.js';

const usd = (amount: string) => ({ amount, currency: 'USD' });
const at = 7_000_000;

export function reportCases(store: StoreUnderTest): void {
  async function rowsOf(filter: ReportFilter): Promise<DocumentRow[]> {
    const rows: DocumentRow[] = [];
    for await (const part of store().reports.runs(filter)) rows.push(...part);
    return rows;
  }

  /** A call on the wire from one instant to another. */
  async function call(
    ref: RunRef,
    attempt: number,
    from: number,
    until: number | null,
    state: 'answered' | 'failed' = 'answered',
  ) {
    const callId = await store().attempts.beginCall(newCall(ref, { attempt, at: from }));
    if (until === null) return;
    await store().attempts.endCall({
      ...{ callId, state, faultClass: null, status: null, requestId: null, usage: 'unknown', at: until },
      spending: { tokens: 500, cost: usd('0.0005'), known: true },
    });
  }

  describe('rows of a report', () => {
    it('tell each attempt with what its calls came to, failed ones included', async () => {
      const ref = await openRun(store(), { tenant: 'reported', at });
      await call(ref, 1, at + 100, at + 150, 'failed');
      await call(ref, 1, at + 400, at + 900);
      await store().attempts.commit(rejected(ref, { at: at + 1_000 }));
      await call(ref, 2, at + 1_100, at + 1_900);
      await store().attempts.commit(accepted(ref, { at: at + 2_000 }, 2));
      expect(await rowsOf({ tenant: 'reported' })).toEqual([
        {
          ...{ specId: 'claim', startedAt: at, endedAt: at + 2_000, deadlineAt: at + 60_000, attemptCap: 3 },
          ...{ reason: null, route: null, unanswered: null },
          attempts: [
            {
              ...{ accepted: false, failureClass: 'constraint', rules: ['total.equals-sum'] },
              ...{ startedAt: at + 100, endedAt: at + 1_000, durationMs: 1_850, busyMs: 550 },
              onWire: [
                [at + 100, at + 150],
                [at + 400, at + 900],
              ],
              ...{ calls: 2, failedCalls: 1, tokens: 1_000, cost: usd('0.0010') },
              ...{ maxTokens: 1_500, inputTokens: 900, outputTokens: 80 },
            },
            {
              ...{ accepted: true, failureClass: null, rules: [] },
              ...{ startedAt: at + 1_100, endedAt: at + 2_000, durationMs: 1_850, busyMs: 800 },
              onWire: [[at + 1_100, at + 1_900]],
              ...{ calls: 1, failedCalls: 0, tokens: 500, cost: usd('0.0005') },
              ...{ maxTokens: 1_500, inputTokens: 900, outputTokens: 80 },
            },
          ],
        },
      ]);
    });

    it('keep an attempt that brought no reply apart, with the money that its calls may have cost', async () => {
      const ref = await openRun(store(), { tenant: 'cut off', at });
      await call(ref, 1, at, at + 10);
      await store().attempts.commit(rejected(ref, { at: at + 20 }));
      await call(ref, 2, at + 30, null);
      await store().extractions.land(
        landing(ref, { ending: { ...exhausted, reason: 'deadline' }, at: at + 60_000 }),
      );
      expect(await rowsOf({ tenant: 'cut off' })).toMatchObject([
        {
          ...{ endedAt: at + 60_000, reason: 'deadline', route: 'dead_letter' },
          attempts: [{ accepted: false }],
          unanswered: {
            startedAt: at + 30,
            // Nobody saw it end, so how long it held a slot is for whoever knows when the run ended.
            busyMs: 0,
            onWire: [],
            onWireSince: at + 30,
            calls: 1,
            failedCalls: 0,
            tokens: 2_000,
            cost: usd('0.0020'),
          },
        },
      ]);
    });

    it('show a run that is open or made no call, and take no late reply for a verified record', async () => {
      const tenant = 'bare';
      await openRun(store(), { tenant, at });
      const late = await openRun(store(), { tenant, at: at + 1 });
      await store().extractions.land(landing(late, { at: at + 100 }));
      await store().attempts.commit(accepted(late, { at: at + 200 }));
      expect(await rowsOf({ tenant })).toMatchObject([
        { endedAt: null, attempts: [], unanswered: null, reason: null },
        // Without a row of a call, what the report says was spent counts.
        {
          reason: 'attempt_cap',
          attempts: [{ accepted: false, calls: 1, tokens: 980, cost: usd('0.000123') }],
        },
      ]);
    });

    it('come in the order in which runs began, every run of a key, and only those that were asked for', async () => {
      const tenant = 'asked for';
      const first = newExtraction({ tenant, at: at + 10 });
      const ref = await redrive(store(), first);
      await store().attempts.commit(rejected(ref, { at: at + 11 }));
      await store().extractions.land(landing(ref));
      await redrive(store(), {
        ...sameDocument(ref, { at: at + 50 }),
        policy: { ...first.policy, attemptCap: 5 },
      });
      await openRun(store(), { tenant, at: at + 20, specId: 'invoice' });
      await openRun(store(), { tenant, at: at + 30, promptVersion: 'v8' });
      const startsOf = async (filter: ReportFilter) =>
        (await rowsOf({ tenant, ...filter })).map(({ startedAt }) => startedAt - at);
      expect(await startsOf({})).toEqual([10, 20, 30, 50]);
      expect(await startsOf({ specId: 'claim' })).toEqual([10, 30, 50]);
      expect(await startsOf({ promptVersion: 'v8' })).toEqual([30]);
      expect(await startsOf({ since: at + 20, until: at + 50 })).toEqual([20, 30]);
      expect(await startsOf({ failureClass: 'constraint' })).toEqual([10]);
      expect(await startsOf({ failureClass: 'refusal' })).toEqual([]);
      expect(await store().reports.extent({ tenant })).toEqual({
        ...{ documents: 3, runs: 4, firstAt: at + 10, lastAt: at + 50, specIds: ['claim', 'invoice'] },
      });
      expect(await store().reports.extent({ tenant: 'nobody' })).toEqual({
        ...{ documents: 0, runs: 0, firstAt: null, lastAt: null, specIds: [] },
      });
    });

    it('are as they were at one instant, however long reading them takes', async () => {
      const tenant = 'one instant';
      for (let index = 0; index < 501; index += 1) await openRun(store(), { tenant, at: at + index });
      let read = 0;
      for await (const part of store().reports.runs({ tenant })) {
        read += part.length;
        await openRun(store(), { tenant, at: at + 10_000 + read });
      }
      expect(read).toBe(501);
    });
  });

  describe('verdicts of a report', () => {
    const verdictsOf = (filter: ReportFilter) => store().reports.verdicts(filter);

    it('count each checked record once, by the spec and the attempt that verified it, and the audit before the sample', async () => {
      const tenant = 'checked';
      const { ref, id } = await askAboutSample(store(), { tenant, at });
      await decide(store(), id, 'approve', { total: '1204.375' });
      const { id: refuted } = await askAboutSample(store(), { tenant, at }, null, 2);
      await decide(store(), refuted, 'reject');
      await askAboutSample(store(), { tenant, at });
      expect(await verdictsOf({ tenant })).toEqual([
        { specId: 'claim', attempt: 1, decided: 1, defects: 0 },
        { specId: 'claim', attempt: 2, decided: 1, defects: 1 },
      ]);
      await store().audits.draw({ id: 'audit-checked', seed: 1, size: 9, filter: { tenant }, at });
      await store().audits.judge({ key: ref.key, verdict: 'wrong', actor: 'kim', at });
      expect(await verdictsOf({ tenant })).toMatchObject([
        { decided: 1, defects: 1 },
        { decided: 1, defects: 1 },
      ]);
      expect(await verdictsOf({ tenant, since: at + 1 })).toEqual([]);
      expect(await verdictsOf({ tenant, promptVersion: 'v8' })).toEqual([]);
    });
  });
}
