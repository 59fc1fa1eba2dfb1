import { describe, expect, it } from 'vitest';
import type { RunRef } from '../../../src/domain/extraction-input.js';
import type { SweepPlace, SweepStep } from '../../../src/ports/retention-store.js';
import type { StoreUnderTest } from './fixtures.js';
import {
  accepted,
  askAboutSample,
  landing,
  openRun,
  recordOf,
  rejected,
  sameDocument,
  toReview,
} from './fixtures.js';

export function retentionCases(store: StoreUnderTest): void {
  let serial = 0;
  const submit = async (tenant: string, storedAt: number): Promise<RunRef> => {
    serial += 1;
    const bytes = new TextEncoder().encode(`retained ${serial}`);
    const documentHash = await store().documents.put({
      tenant,
      mediaType: 'text/plain',
      bytes,
      at: storedAt,
    });
    return openRun(store(), { tenant, documentHash });
  };
  const isKept = async ({ tenant, documentHash }: RunRef) =>
    (await store().documents.load(tenant, documentHash)) !== null;
  type Step = (after: SweepPlace) => Promise<SweepStep>;
  const sweep = async (step: Step) => {
    const sum = { erased: 0, kept: 0, steps: 0 };
    let after: SweepPlace = null;
    do {
      const { erased, kept, next } = await step(after);
      sum.erased += erased;
      sum.kept += kept;
      sum.steps += 1;
      after = next;
    } while (after !== null);
    return sum;
  };
  const documents =
    (tenant: string, before: number): Step =>
    (after) =>
      store().retention.forgetDocuments({ tenant, before, after, at: 90_000 });
  const records =
    (tenant: string, before: number): Step =>
    (after) =>
      store().retention.forgetRecords({ tenant, before, after, at: 90_000 });

  describe('retention', () => {
    it('has one rule for a tenant, which can be changed and removed', async () => {
      const rule = { tenant: 'r-rules', documentDays: 30, recordDays: null, setAt: 5 };
      const rules = async () =>
        (await store().retention.rules()).filter(({ tenant }) => tenant.startsWith('r-rules'));
      await store().retention.set(rule);
      await store().retention.set({ ...rule, tenant: 'r-rules-2' });
      await store().retention.set({ ...rule, documentDays: 7, recordDays: 70, setAt: 6 });
      expect(await rules()).toEqual([
        { tenant: 'r-rules', documentDays: 7, recordDays: 70, setAt: 6 },
        { tenant: 'r-rules-2', documentDays: 30, recordDays: null, setAt: 5 },
      ]);
      expect(await store().retention.unset('r-rules')).toBe(true);
      expect(await store().retention.unset('r-rules')).toBe(false);
      expect(await rules()).toMatchObject([{ tenant: 'r-rules-2' }]);
    });

    it('takes what is old enough, of this tenant only, and keeps verified records', async () => {
      const old = await submit('r-old', 10);
      const young = await submit('r-old', 20);
      const foreign = await submit('r-foreign', 10);
      for (const ref of [old, young, foreign]) await store().attempts.commit(accepted(ref));
      const before = await store().records.ofKey(old.key);
      expect(await sweep(documents('r-old', 20))).toMatchObject({ erased: 1, kept: 0 });
      expect(await Promise.all([old, young, foreign].map(isKept))).toEqual([false, true, true]);
      expect(await store().records.ofKey(old.key)).toEqual(before);
      expect(await store().records.current(old.subject)).not.toBeNull();
      expect((await store().attempts.list(old.key, 1))[0]).toMatchObject({ candidate: null, evidence: [] });
      expect(await store().extractions.find(old.key)).toMatchObject({
        outcome: 'verified',
        erasedAt: 90_000,
      });
      // Handed in again, it is what it was.
      expect((await store().extractions.open(sameDocument(old), false)).kind).toBe('closed');
      expect(await sweep(documents('r-old', 20))).toMatchObject({ erased: 0 });
    });

    it('takes unverified records with the document', async () => {
      const ref = await submit('r-unverified', 10);
      await store().extractions.land(landing(ref));
      await store().records.put(recordOf(ref));
      await sweep(documents('r-unverified', 20));
      expect(await store().records.ofKey(ref.key)).toEqual([]);
      expect(await store().deadLetters.find(ref.key)).toBeNull();
    });

    it('keeps what a run or a review still needs', async () => {
      const tenant = 'r-used';
      const running = await submit(tenant, 10);
      const reviewed = await submit(tenant, 10);
      await store().attempts.commit(rejected(reviewed));
      await store().extractions.land(toReview(reviewed));
      const sampled = await submit(tenant, 10);
      await askAboutSample(store(), sameDocument(sampled, { specId: 'invoice' }));
      await store().extractions.land(landing(sampled));
      expect(await sweep(documents(tenant, 20))).toMatchObject({ erased: 0, kept: 3 });
      expect(await Promise.all([running, reviewed, sampled].map(isKept))).toEqual([true, true, true]);
      await store().extractions.land(landing(running));
      expect(await sweep(documents(tenant, 20))).toMatchObject({ erased: 1, kept: 2 });
    });

    it('counts from the last time a document was handed in', async () => {
      const tenant = 'r-again';
      const document = {
        tenant,
        mediaType: 'text/plain',
        bytes: new TextEncoder().encode('handed in twice'),
      };
      const hash = await store().documents.put({ ...document, at: 10 });
      await store().documents.put({ ...document, at: 30 });
      await store().documents.put({ ...document, at: 15 });
      expect(await store().retention.holdings(tenant, hash)).toMatchObject({ storedAt: 30 });
      expect(await sweep(documents(tenant, 20))).toMatchObject({ erased: 0, kept: 0 });
    });

    it('goes through any number in bounded steps, past those that are in use', async () => {
      const tenant = 'r-many';
      const refs = await Promise.all(Array.from({ length: 130 }, (_, n) => submit(tenant, 10 + (n % 3))));
      const used = new Set(refs.filter((_, n) => n % 2 === 0));
      for (const ref of refs) if (!used.has(ref)) await store().extractions.land(landing(ref));
      const swept = await sweep(documents(tenant, 20));
      expect(swept).toMatchObject({ erased: 65, kept: 65 });
      expect(swept.steps).toBeGreaterThan(2);
      for (const ref of refs.slice(0, 6)) expect(await isKept(ref)).toBe(used.has(ref));
    });

    it('by two at once takes each once', async () => {
      const tenant = 'r-twice';
      for (let n = 0; n < 20; n += 1) await store().extractions.land(landing(await submit(tenant, 10)));
      const swept = await Promise.all([sweep(documents(tenant, 20)), sweep(documents(tenant, 20))]);
      expect(swept.reduce((sum, { erased }) => sum + erased, 0)).toBe(20);
    });

    it('takes verified records in their own time, once their document is gone', async () => {
      const tenant = 'r-records';
      const [gone, kept, young] = [
        await submit(tenant, 10),
        await submit(tenant, 80),
        await submit(tenant, 10),
      ];
      for (const ref of [gone, kept]) await store().attempts.commit(accepted(ref, { at: 40 }));
      await store().attempts.commit(accepted(young, { at: 60 }));
      await sweep(documents(tenant, 20));
      expect(await sweep(records(tenant, 50))).toMatchObject({ erased: 1, kept: 1 });
      expect(await store().records.ofKey(gone.key)).toEqual([]);
      for (const ref of [kept, young]) expect(await store().records.ofKey(ref.key)).toHaveLength(1);
      // Then it is new to this tenant.
      expect((await store().extractions.open(sameDocument(gone), false)).kind).toBe('opened');
    });
  });
}
