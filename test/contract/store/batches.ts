import { describe, expect, it } from 'vitest';
import type { Batch, NewBatch, NewBatchDocument } from '../../../src/ports/batch-store.js';
import type { NewExtraction } from '../../../src/ports/extraction-store.js';
import {
  accepted,
  exhausted,
  landing,
  newCall,
  newExtraction,
  openRun,
  policy,
  rejected,
  type StoreUnderTest,
  sha,
} from './fixtures.js';

let serial = 0;

export const newBatch = (given: Partial<NewBatch> = {}): NewBatch => {
  serial += 1;
  return {
    ...{ id: `batch-${serial}`, tenant: 'acme', name: 'march', specId: 'claim', schemaVersion: '1' },
    ...{ promptVersion: 'v7', policy, tags: ['renewal'], redrive: false, inFlight: 20 },
    ...{ budgetTokens: 30_000_000, deadlineMs: 60_000, at: 1_000_000 + serial },
    ...given,
  };
};

/** The run that a document of a batch asks for. */
export const runOf = (id: string, given: Partial<NewExtraction> = {}) =>
  newExtraction({ batchId: `batch/${id}`, ...given });

export const documentOf = (run: NewExtraction, item: string): NewBatchDocument => ({
  ...{ item, key: run.key, subject: run.subject, documentHash: run.documentHash },
  ...{ fileName: `${item}.pdf`, tags: ['own'] },
});

export function batchCases(store: StoreUnderTest): void {
  const batches = () => store().batches;

  /** A batch that runs, over as many new documents. */
  const running = async (documents: number, given: Partial<NewBatch> = {}) => {
    const batch = await batches().create(newBatch(given));
    const { id } = batch;
    const runs = Array.from({ length: documents }, () => runOf(id));
    await batches().add(
      batch,
      runs.map((run, index) => documentOf(run, `d${index}`)),
    );
    await batches().begin(id, 2_000_000);
    return { id, batch, runs };
  };
  const take = async (id: string, item: string, run: NewExtraction, redrive = false) => {
    const taking = await batches().take(id, item, run, redrive);
    if (taking === null) throw new Error(`${item} is not waiting.`);
    return taking;
  };
  const states = async (id: string) =>
    (await batches().documents(id, {}, { limit: 100 })).items.map(({ state, part }) => [state, part]);

  describe('batches', () => {
    it('are created once, and the second time answered as they are', async () => {
      const asked = newBatch();
      const created = await batches().create(asked);
      const expected: Batch = {
        ...{ ...asked, state: 'collecting', cap: 3, documents: null },
        ...{ beganAt: null, deadlineAt: null, endedAt: null },
      };
      expect(created).toEqual(expected);
      expect(await batches().create({ ...asked, name: 'april', inFlight: 1 })).toEqual(expected);
      expect(await batches().find(asked.id)).toEqual(expected);
      expect(await batches().find('nothing')).toBeNull();
      expect(await batches().findNamed(asked.id)).toEqual(expected);
    });

    it('keep what is handed in, in that order, each item once, however often and in how many pieces', async () => {
      const batch = await batches().create(newBatch());
      const { id } = batch;
      const runs = Array.from({ length: 7 }, () => runOf(id));
      const documents = runs.map((run, index) => documentOf(run, `odd \u0000 name ${9 - index}`));
      expect(await batches().add(batch, documents.slice(0, 4))).toBe(true);
      expect(await batches().add(batch, documents.slice(2, 4))).toBe(true);
      expect(await batches().add(batch, documents)).toBe(true);
      expect(await batches().add(batch, [])).toBe(true);
      const { items } = await batches().documents(id, {}, { limit: 100 });
      expect(items.map(({ key }) => key)).toEqual(runs.map(({ key }) => key));
      expect(items[0]).toMatchObject({
        ...{ state: 'waiting', part: null, run: null, outcome: null, reason: null, ended: null },
        ...{ attempts: 0, tokens: 0, tags: ['own'], subject: runs[0]?.subject },
      });
    });

    it('take no document any more once they run, and keep the time of their first beginning', async () => {
      const { id, batch } = await running(2);
      const late = runOf(id);
      expect(await batches().add(batch, [documentOf(late, 'late')])).toBe(false);
      expect(await batches().begin(id, 3_000_000)).toMatchObject({
        ...{ state: 'running', documents: 2, beganAt: 2_000_000, deadlineAt: 2_060_000 },
      });
      await batches().note(id, 'cancelled', 2, 4_000_000);
      expect(await batches().find(id)).toMatchObject({ state: 'cancelled', cap: 2, endedAt: 4_000_000 });
      expect(await batches().begin(id, 5_000_000)).toMatchObject({
        ...{
          state: 'running',
          cap: 2,
          documents: 2,
          beganAt: 2_000_000,
          deadlineAt: 2_060_000,
          endedAt: null,
        },
      });
      await batches().note(id, 'finished', 0, 6_000_000);
      expect(await batches().begin(id, 7_000_000)).toMatchObject({ state: 'finished', endedAt: 6_000_000 });
    });

    it('that collect anew forget what was handed in before, and take no more of it', async () => {
      const before = await batches().create(newBatch());
      const { id } = before;
      await batches().add(before, [documentOf(runOf(id), 'a'), documentOf(runOf(id), 'b')]);
      const anew = await batches().collectAnew(id, before.at);
      expect(anew).toEqual({ ...before, at: before.at + 1 });
      expect(await batches().add(before, [documentOf(runOf(id), 'c')])).toBe(false);
      await batches().discard(before);
      expect(await batches().begin(id, 2_000_000, { collected: before })).toMatchObject({
        state: 'collecting',
      });
      expect(await batches().add(anew, [documentOf(runOf(id), 'd')])).toBe(true);
      const items = async () =>
        (await batches().documents(id, {}, { limit: 10 })).items.map(({ item }) => item);
      expect(await items()).toEqual(['d']);
      expect(await batches().begin(id, 2_000_000, { collected: anew })).toMatchObject({
        ...{ state: 'running', documents: 1 },
      });
      // One that runs keeps its documents.
      expect(await batches().collectAnew(id, 3_000_000)).toMatchObject({ state: 'running', at: anew.at });
      expect(await items()).toEqual(['d']);
    });

    it('are forgotten while they are collecting only', async () => {
      const batch = await batches().create(newBatch());
      const { id } = batch;
      await batches().add(batch, [documentOf(runOf(id), 'd0')]);
      await batches().discard(batch);
      expect(await batches().find(id)).toBeNull();
      const { id: second, batch: begun } = await running(1);
      await batches().discard(begun);
      expect(await batches().find(second)).not.toBeNull();
    });

    it('are listed newest first, page by page, by tenant, spec and state', async () => {
      const tenant = 'batch-list';
      const ids: string[] = [];
      for (let at = 1; at <= 5; at += 1) {
        ids.unshift(
          (await batches().create(newBatch({ tenant, specId: at === 3 ? 'invoice' : 'claim' }))).id,
        );
      }
      const seen: string[] = [];
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const page = await batches().list({ tenant }, { limit: 2, ...(cursor ? { cursor } : {}) });
        seen.push(...page.items.map(({ id }) => id));
        cursor = page.nextCursor;
      }
      expect(seen).toEqual(ids);
      const { items } = await batches().list({ tenant, specId: 'invoice' }, { limit: 9 });
      expect(items.map(({ id }) => id)).toEqual([ids[2]]);
      expect((await batches().list({ tenant, state: 'running' }, { limit: 9 })).items).toEqual([]);
    });

    it('show their documents page by page, by state, outcome and reason', async () => {
      const { id, runs } = await running(5);
      await take(id, 'd3', runs[3] ?? runOf(id));
      const first = await batches().documents(id, { state: 'waiting' }, { limit: 3 });
      expect(first.items.map(({ item }) => item)).toEqual(['d0', 'd1', 'd2']);
      const rest = await batches().documents(
        id,
        { state: 'waiting' },
        { limit: 3, cursor: first.nextCursor ?? '' },
      );
      expect(rest.items.map(({ item }) => item)).toEqual(['d4']);
      expect((await batches().documents(id, { outcome: 'verified' }, { limit: 3 })).items).toEqual([]);
      expect((await batches().documents(id, { reason: 'deadline' }, { limit: 3 })).items).toEqual([]);
    });
  });

  describe('a document of a batch', () => {
    it('is begun by one of ten, which alone opens its run; the run is started later', async () => {
      const { id, runs } = await running(1);
      const run = runs[0] ?? runOf(id);
      const takings = await Promise.all(
        Array.from({ length: 10 }, () => batches().take(id, 'd0', run, true)),
      );
      const taken = takings.filter((taking) => taking !== null);
      expect(taken.map(({ part }) => part)).toEqual(['own']);
      expect(taken[0]?.extraction).toMatchObject({ key: run.key, run: 1, batchId: `batch/${id}` });
      expect((await batches().starting(id)).map(({ item }) => item)).toEqual(['d0']);
      await batches().started(id, 'd0');
      expect(await batches().starting(id)).toEqual([]);
      expect(await batches().ownRuns(id)).toEqual([{ key: run.key, run: 1 }]);
      expect(await store().extractions.find(run.key, 2)).toBeNull();
    });

    it('that runs already is followed; one that has ended is known, or run again if that is asked for', async () => {
      const { id, runs } = await running(4);
      const [followed, verified, failed, again] = runs;
      if (!followed || !verified || !failed || !again) throw new Error('Four were made.');
      const elsewhere = { batchId: null };
      await openRun(store(), { ...followed, ...elsewhere });
      await store().attempts.commit(accepted(await openRun(store(), { ...verified, ...elsewhere })));
      for (const run of [failed, again]) {
        await store().extractions.land(landing(await openRun(store(), { ...run, ...elsewhere })));
      }
      const parts = [
        await take(id, 'd0', followed, true),
        await take(id, 'd1', verified, true),
        await take(id, 'd2', failed),
        await take(id, 'd3', again, true),
      ].map(({ part, extraction }) => [part, extraction.run, extraction.batchId]);
      expect(parts).toEqual([
        ['followed', 1, null],
        ['known', 1, null],
        ['known', 1, null],
        ['own', 2, `batch/${id}`],
      ]);
      await batches().settle(id);
      expect(await states(id)).toEqual([
        ['running', 'followed'],
        ['ended', 'known'],
        ['ended', 'known'],
        ['starting', 'own'],
      ]);
      expect(await batches().ownRuns(id)).toEqual([{ key: again.key, run: 2 }]);
    });

    it('with the same bytes as another one is not run a second time, whatever is asked for', async () => {
      const batch = await batches().create(newBatch());
      const { id } = batch;
      const run = runOf(id);
      await batches().add(batch, [documentOf(run, 'a'), documentOf(run, 'b'), documentOf(run, 'c')]);
      await batches().begin(id, 2_000_000);
      expect((await take(id, 'a', run, true)).part).toBe('own');
      expect((await take(id, 'b', run, true)).part).toBe('repeated');
      await store().extractions.land(landing({ ...run, run: 1 }));
      expect(await take(id, 'c', run, true)).toMatchObject({ part: 'repeated', extraction: { run: 1 } });
      await batches().settle(id);
      const { parts, unverified, tokens } = await batches().count(id, 3);
      expect({ parts, unverified, tokens }).toMatchObject({
        ...{ parts: { own: 1, repeated: 2 }, unverified: { attempt_cap: 3 }, tokens: 0 },
      });
    });

    it('that cannot be run is refused, and is over', async () => {
      const { id, runs } = await running(2);
      await batches().refuse(id, 'd0');
      await take(id, 'd1', runs[1] ?? runOf(id));
      await batches().refuse(id, 'd1');
      expect(await states(id)).toEqual([
        ['ended', 'refused'],
        ['starting', 'own'],
      ]);
      expect(await batches().count(id, 3)).toMatchObject({ refused: 1, underWay: 1, waiting: 0 });
    });

    it('keeps nothing of its file once it is erased', async () => {
      const tenant = 'batch-erased';
      const bytes = new TextEncoder().encode('a claim');
      const at = 1_000_000;
      const documentHash = await store().documents.put({ tenant, mediaType: 'text/plain', bytes, at });
      const batch = await batches().create(newBatch({ tenant }));
      const { id } = batch;
      const run = runOf(id, { tenant, documentHash });
      await batches().add(batch, [
        documentOf(run, 'smith.pdf'),
        documentOf(runOf(id, { tenant }), 'jones.pdf'),
      ]);
      await store().retention.erase(tenant, documentHash, 2_000_000);
      const { items } = await batches().documents(id, {}, { limit: 9 });
      expect(items.map(({ item, fileName }) => [item.replace(/\d+/, 'N'), fileName])).toEqual([
        ['erased/N', null],
        ['jones.pdf', 'jones.pdf.pdf'],
      ]);
    });
  });

  describe('the course of a batch', () => {
    it('is what its own runs burnt, part by part, and when its cap became another one', async () => {
      const { id, runs } = await running(4);
      const end = async (place: number, tokens: number, at: number) => {
        const run = runs[place] ?? runOf(id);
        const { extraction } = await take(id, `d${place}`, run);
        const ref = { ...run, run: extraction.run };
        const callId = await store().attempts.beginCall(newCall(ref));
        await store().attempts.endCall({
          ...{ callId, state: 'answered', faultClass: null, status: 200, requestId: null, usage: 'unknown' },
          spending: { tokens, cost: { amount: '0.001', currency: 'USD' }, known: true },
          at,
        });
        await store().extractions.land(landing(ref, { at }));
      };
      expect(await batches().course(id, 10, 2_100_000)).toEqual({ ended: [], caps: [] });
      await end(0, 500, 2_001_000);
      await end(1, 700, 2_004_000);
      await end(2, 900, 2_055_000);
      // Somebody else's run burns nothing of this batch.
      await openRun(store(), { ...(runs[3] ?? runOf(id)), batchId: null });
      await take(id, 'd3', runs[3] ?? runOf(id));
      await store().extractions.land(landing({ ...(runs[3] ?? runOf(id)), run: 1 }, { at: 2_060_000 }));
      await batches().settle(id);
      await batches().note(id, 'running', 3, 2_010_000);
      await batches().note(id, 'running', 2, 2_020_000);
      await batches().note(id, 'running', 2, 2_030_000);
      await batches().note(id, 'running', 0, 2_040_000);
      // Ten parts of ten seconds each.
      expect(await batches().course(id, 10, 2_100_000)).toEqual({
        ended: [
          { at: 2_004_000, documents: 2, tokens: 1_200 },
          { at: 2_055_000, documents: 1, tokens: 900 },
        ],
        caps: [
          { at: 2_020_000, cap: 2 },
          { at: 2_040_000, cap: 0 },
        ],
      });
      expect(await batches().find(id)).toMatchObject({ state: 'running', cap: 0, endedAt: null });
      await batches().note(id, 'finished', 0, 2_090_000);
      expect(await batches().find(id)).toMatchObject({ state: 'finished', endedAt: 2_090_000 });
    });
  });

  describe('the count of a batch', () => {
    it('holds every document once, and only what its own runs cost', async () => {
      const { id, runs } = await running(6);
      const [verified, failed, going, followed, gone] = runs;
      if (!verified || !failed || !going || !followed || !gone) throw new Error('Six were made.');
      await openRun(store(), { ...followed, batchId: null });
      const calls = async (run: NewExtraction, ...tokens: readonly (number | 'open')[]) => {
        const ref = { ...run, run: 1 };
        for (const spent of tokens) {
          const callId = await store().attempts.beginCall(newCall(ref));
          if (spent === 'open') continue;
          await store().attempts.endCall({
            ...{
              callId,
              state: 'answered',
              faultClass: null,
              status: 200,
              requestId: null,
              usage: 'unknown',
            },
            spending: { tokens: spent, cost: { amount: '0.001', currency: 'USD' }, known: true },
            at: 1_600_000,
          });
        }
        return ref;
      };
      await take(id, 'd0', verified);
      await store().attempts.commit(accepted(await calls(verified, 500)));
      await take(id, 'd1', failed);
      const reason = 'attempt_cap' as const;
      await store().extractions.land(
        landing(await calls(failed, 900, 1_100), { ending: { ...exhausted, attempts: 2, reason } }),
      );
      await take(id, 'd2', going);
      await store().attempts.commit(rejected(await calls(going, 700, 'open')));
      await take(id, 'd3', followed);
      await calls(followed, 5_000);
      await batches().refuse(id, 'd4');
      await batches().settle(id);
      const count = await batches().count(id, 3);
      expect(count).toEqual({
        ...{
          waiting: 1,
          underWay: 2,
          ownUnderWay: 1,
          verified: 1,
          unverified: { attempt_cap: 1 },
          refused: 1,
        },
        parts: { own: 3, followed: 1, known: 0, repeated: 0, refused: 1 },
        ...{ completed: 2, completedTokens: 2_500, completedAttempts: 3, largestAttemptTokens: 1_000 },
        // The open call is not known yet; one attempt was made, so that one is under way and one may follow.
        ...{ tokens: 3_200, beyond: 1 },
      });
      expect(await batches().count(id, 1)).toMatchObject({ beyond: 0 });
      expect(await batches().count(id, 0)).toMatchObject({ beyond: 0 });
    });

    it('is all zero for one without documents', async () => {
      const { id } = await batches().create(newBatch());
      expect(await batches().count(id, 3)).toMatchObject({ waiting: 0, underWay: 0, tokens: 0, beyond: 0 });
    });
  });

  describe('documents that ended', () => {
    it('are told in the order in which that was seen, from any place on', async () => {
      const { id, runs } = await running(3);
      const end = async (index: number) => {
        const run = runs[index] ?? runOf(id);
        await take(id, `d${index}`, run);
        await store().attempts.commit(accepted({ ...run, run: 1 }));
        await batches().settle(id);
      };
      await end(2);
      await end(0);
      const ended = await batches().endedAfter(id, 0, 10);
      expect(ended.map(({ item, outcome }) => [item, outcome])).toEqual([
        ['d2', 'verified'],
        ['d0', 'verified'],
      ]);
      await end(1);
      await batches().settle(id);
      const rest = await batches().endedAfter(id, ended.at(-1)?.ended ?? 0, 10);
      expect(rest.map(({ item }) => item)).toEqual(['d1']);
      expect(await batches().endedAfter(id, rest[0]?.ended ?? 0, 10)).toEqual([]);
      expect((await batches().endedAfter(id, 0, 2)).map(({ item }) => item)).toEqual(['d2', 'd0']);
    });
  });

  describe('stored documents', () => {
    it('are known by their hash within their tenant', async () => {
      const bytes = new TextEncoder().encode('known by its hash');
      const hash = await store().documents.put({ tenant: 'known', mediaType: 'text/plain', bytes, at: 1 });
      const asked = [hash, sha('never stored')];
      expect(await store().documents.stored('known', asked)).toEqual(new Set([hash]));
      expect(await store().documents.stored('another', asked)).toEqual(new Set());
      expect(await store().documents.stored('known', [])).toEqual(new Set());
    });
  });
}
