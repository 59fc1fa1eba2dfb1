import { describe, expect, it } from 'vitest';
import type { RunRef } from '../../../src/domain/extraction-input.js';
import { DocumentErased } from '../../../src/ports/store.js';
import type { StoreUnderTest } from './fixtures.js';
import {
  accepted,
  askAboutSample,
  askPerson,
  claim,
  decide,
  decisionOn,
  landing,
  newExtraction,
  openRun,
  problem,
  recordOf,
  rejected,
  sameDocument,
  say,
  sha,
  toReview,
} from './fixtures.js';

const erasedAt = 50_000_000;

export function erasureCases(store: StoreUnderTest): void {
  let serial = 0;
  /** A document that is really stored, and the name of a run of it. */
  const submit = async (tenant = 'erasing', given: object = {}): Promise<RunRef> => {
    serial += 1;
    const bytes = new TextEncoder().encode(`erasable ${serial}`);
    const documentHash = await store().documents.put({ tenant, mediaType: 'text/plain', bytes, at: 1_000 });
    return openRun(store(), { tenant, documentHash, ...given });
  };
  const again = async (ref: RunRef, redrive = false) =>
    store().extractions.open(sameDocument(ref, { at: 60_000_000 }), redrive);
  const erase = ({ tenant, documentHash }: RunRef) => store().retention.erase(tenant, documentHash, erasedAt);
  const holdings = ({ tenant, documentHash }: RunRef) => store().retention.holdings(tenant, documentHash);

  describe('an erasure', () => {
    it('takes bytes, record and candidate of a verified document and leaves its counts', async () => {
      const ref = await submit();
      await store().attempts.commit(accepted(ref));
      const before = await store().extractions.find(ref.key);
      expect(await holdings(ref)).toEqual({
        ...{ tenant: ref.tenant, documentHash: ref.documentHash, storedAt: 1_000 },
        ...{ extractions: 1, running: 0, records: 1, openReviews: 0, erasedAt: null },
      });
      expect(await erase(ref)).toEqual({
        ...{ bytes: true, extractions: 1, records: 1, reviews: 0, subjects: [] },
      });
      expect(await store().documents.load(ref.tenant, ref.documentHash)).toBeNull();
      expect(await store().records.ofKey(ref.key)).toEqual([]);
      expect(await store().records.current(ref.subject)).toBeNull();
      expect(await store().extractions.find(ref.key)).toEqual({ ...before, fileName: null, erasedAt });
      const [attempt, ...others] = await store().attempts.list(ref.key, ref.run);
      expect(others).toEqual([]);
      expect(attempt).toEqual({
        ...{ report: accepted(ref).report, problems: [], contradiction: null, candidate: null },
        ...{ evidence: [], ungrounded: ['/insured'], feedback: null, at: 2_000_000 },
      });
      expect(await holdings(ref)).toMatchObject({ storedAt: null, extractions: 1, records: 0, erasedAt });
    });

    it('takes what one tenant holds; who holds the same bytes besides is told', async () => {
      const bytes = new TextEncoder().encode('held by several');
      const put = (tenant: string) =>
        store().documents.put({ tenant, mediaType: 'text/plain', bytes, at: 1_000 });
      const documentHash = await put('held-c');
      await put('held-a');
      // Of this one only a run is left.
      await openRun(store(), { tenant: 'held-b', documentHash });
      const holders = () => store().retention.holders(documentHash);
      expect(await holders()).toEqual(['held-a', 'held-b', 'held-c']);
      for (const tenant of ['held-a', 'held-b'])
        await store().retention.erase(tenant, documentHash, erasedAt);
      expect(await holders()).toEqual(['held-c']);
      await store().retention.erase('held-c', documentHash, erasedAt);
      expect(await holders()).toEqual([]);
    });

    it('leaves of a problem the rule and the place, not what was found there', async () => {
      const ref = await submit();
      const contradiction = {
        rules: ['a', 'b'] as const,
        pointer: '/total',
        values: ['1', '2'] as const,
        explanation: 'Ada',
      };
      const problems = [problem, { ...problem, rule: 'another', pointer: '/insured' }];
      await store().attempts.commit(rejected(ref, { feedback: 'Ada Lund', contradiction, problems }));
      await store().extractions.land(landing(ref));
      await erase(ref);
      const [attempt] = await store().attempts.list(ref.key, ref.run);
      const left = { message: 'erased', expected: null, found: null };
      expect(attempt).toMatchObject({ candidate: null, contradiction: null, feedback: null });
      expect(attempt?.problems).toEqual([
        { rule: 'total.equals-sum', pointer: '/total', ...left },
        { rule: 'another', pointer: '/insured', ...left },
      ]);
      expect(attempt?.report).toEqual(rejected(ref).report);
    });

    it('reaches every version and spec of the document, and nothing of any other', async () => {
      const ref = await submit();
      const other = await submit();
      const refs = [
        ref,
        await openRun(store(), sameDocument(ref, { promptVersion: 'v8' })),
        await openRun(store(), sameDocument(ref, { specId: 'invoice' })),
      ];
      for (const one of [...refs, other]) await store().attempts.commit(accepted(one));
      expect(await erase(ref)).toMatchObject({ extractions: 3, records: 3 });
      for (const one of refs) expect(await store().records.ofKey(one.key)).toEqual([]);
      expect(await store().records.ofKey(other.key)).toHaveLength(1);
      expect((await store().attempts.list(other.key, 1))[0]?.candidate).not.toBeNull();
      expect(await store().documents.load(other.tenant, other.documentHash)).not.toBeNull();
    });

    it('takes unverified records and the dead letter along', async () => {
      const ref = await submit();
      await store().extractions.land(landing(ref));
      await store().records.put(recordOf(ref));
      await store().records.put(recordOf(ref, { status: 'best_effort', template: null }));
      expect(await store().deadLetters.find(ref.key)).not.toBeNull();
      expect(await erase(ref)).toMatchObject({ records: 2 });
      expect(await store().deadLetters.find(ref.key)).toBeNull();
      expect(await store().records.ofKey(ref.key)).toEqual([]);
    });

    it('withdraws an open review, says so in its trail, and takes what people wrote', async () => {
      const ref = await submit();
      await store().attempts.commit(rejected(ref));
      await store().extractions.land(toReview(ref, { amount: { amount: '1204.375', currency: 'BHD' } }));
      await claim(store(), ref.subject);
      const values = { total: '1204.380' };
      const draft = { reviewId: ref.subject, holder: 'kim', version: 1, values, note: 'Ada', at: 5 };
      await store().reviews.saveDraft(draft);
      const eventId = await say(store(), ref.subject, { verb: 'correct', values });
      expect(await holdings(ref)).toMatchObject({ openReviews: 1 });
      expect(await erase(ref)).toMatchObject({ reviews: 1, subjects: [ref.subject] });
      expect(await store().reviews.find(ref.subject)).toMatchObject({
        ...{
          state: 'withdrawn',
          holder: null,
          amount: null,
          version: 2,
          decidedAt: erasedAt,
          withdrawn: null,
        },
      });
      const steps = await store().reviews.steps(ref.subject);
      expect(steps.at(-1)).toMatchObject({
        kind: 'withdrawn',
        holder: 'kim',
        run: null,
        version: 2,
        at: erasedAt,
      });
      expect(await store().reviews.decision(eventId)).toMatchObject({
        values: null,
        original: null,
        note: null,
      });
      expect(await store().reviews.draft(ref.subject, 'kim')).toBeNull();
      // What comes late changes nothing and leaves nothing.
      expect(await store().reviews.apply(eventId, [problem], 'verifier-3', 6)).toBe('not_open');
      await store().reviews.saveDraft(draft);
      expect(await store().reviews.draft(ref.subject, 'kim')).toBeNull();
      const late = await store().reviews.addDecision(
        await decisionOn(store(), ref.subject, { verb: 'correct', values }),
      );
      expect(late?.kind).toBe('not_open');
      expect(await store().records.ofKey(ref.key)).toEqual([]);
    });

    it('takes the values of a settled review, its verdict stays', async () => {
      const ref = await submit();
      await store().attempts.commit(rejected(ref));
      await store().extractions.land(toReview(ref));
      const { eventId } = await decide(store(), ref.subject, 'correct', { total: '1' });
      await store().deadLetters.find(ref.key);
      expect(await erase(ref)).toMatchObject({ records: 1, reviews: 0 });
      const decision = { verb: 'correct', actor: 'kim', values: null, original: null, note: null };
      expect(await store().reviews.decision(eventId)).toMatchObject(decision);
      expect(await store().reviews.find(ref.subject)).toMatchObject({ state: 'decided', verdict: 'correct' });
    });

    it('withdraws the question about a sample', async () => {
      const ref = await submit();
      const { id } = await askAboutSample(store(), sameDocument(ref, { promptVersion: 'v9' }), {
        amount: '5',
        currency: 'EUR',
      });
      expect(await erase(ref)).toMatchObject({ reviews: 1 });
      expect(await store().reviews.find(id)).toMatchObject({ state: 'withdrawn', amount: null });
    });

    it('can be repeated, and keeps the instant of the first', async () => {
      const ref = await submit();
      await store().attempts.commit(rejected(ref));
      await store().extractions.land(toReview(ref));
      await erase(ref);
      const trail = await store().reviews.steps(ref.subject);
      expect(await store().retention.erase(ref.tenant, ref.documentHash, erasedAt + 1)).toEqual({
        ...{ bytes: false, extractions: 0, records: 0, reviews: 0, subjects: [ref.subject] },
      });
      expect(await store().extractions.find(ref.key)).toMatchObject({ erasedAt });
      expect(await store().reviews.steps(ref.subject)).toEqual(trail);
    });

    it('by another tenant finds nothing and takes nothing', async () => {
      const ref = await submit('mine');
      await store().attempts.commit(accepted(ref));
      expect(await store().retention.holdings('yours', ref.documentHash)).toBeNull();
      expect(await store().retention.erase('yours', ref.documentHash, erasedAt)).toEqual({
        ...{ bytes: false, extractions: 0, records: 0, reviews: 0, subjects: [] },
      });
      expect(await store().documents.load('mine', ref.documentHash)).not.toBeNull();
      expect(await store().records.ofKey(ref.key)).toHaveLength(1);
      // The same bytes are two documents of two tenants.
      const bytes = new TextEncoder().encode('shared bytes');
      const document = { mediaType: 'text/plain', bytes, at: 1 };
      const hash = await store().documents.put({ ...document, tenant: 'mine' });
      await store().documents.put({ ...document, tenant: 'yours' });
      expect(await store().retention.erase('yours', hash, erasedAt)).toMatchObject({ bytes: true });
      expect(await store().documents.load('mine', hash)).not.toBeNull();
    });

    it('of a document that no extraction has takes its bytes', async () => {
      const bytes = new TextEncoder().encode('never extracted');
      const tenant = 'erasing';
      const hash = await store().documents.put({ tenant, mediaType: 'text/plain', bytes, at: 7 });
      expect(await store().retention.holdings(tenant, hash)).toMatchObject({ storedAt: 7, extractions: 0 });
      expect(await store().retention.erase(tenant, hash, erasedAt)).toMatchObject({
        bytes: true,
        extractions: 0,
      });
      expect(await store().retention.holdings(tenant, hash)).toBeNull();
      expect(await store().retention.holdings(tenant, sha('nothing'))).toBeNull();
    });
  });

  describe('a run that does not exist', () => {
    it('is not taken for one whose document was erased', async () => {
      const ref = await submit();
      const commit = store().attempts.commit(accepted({ ...ref, run: 9 }));
      await expect(commit).rejects.toThrow('There is no such run.');
    });
  });

  describe('a run whose document is erased while it is under way', () => {
    it('can add nothing any more, lands as it ended, and goes nowhere', async () => {
      const ref = await submit();
      await store().attempts.commit(rejected(ref));
      await erase(ref);
      await expect(store().attempts.commit(accepted(ref, {}, 2))).rejects.toThrow(DocumentErased);
      await store().records.put(recordOf(ref));
      expect(await store().records.ofKey(ref.key)).toEqual([]);
      expect(await store().attempts.list(ref.key, ref.run)).toHaveLength(1);
      const ending = {
        ...landing(ref).ending,
        reason: 'unreadable_document' as const,
        diagnosis: { kind: 'unreadable' as const, fault: 'missing' },
      };
      const amount = { amount: '12', currency: 'EUR' };
      const landed = await store().extractions.land(toReview(ref, { ending, amount }));
      expect(landed).toMatchObject({ outcome: 'unverified', route: null });
      expect(landed.extraction).toMatchObject({ reason: 'unreadable_document', erasedAt, state: 'closed' });
      expect(await store().reviews.find(ref.subject)).toBeNull();
      expect(await store().deadLetters.find(ref.key)).toBeNull();
      // Landing again, for another route, changes nothing.
      expect(await store().extractions.land(landing(ref, { ending }))).toMatchObject({ route: null });
      expect(await store().deadLetters.find(ref.key)).toBeNull();
    });

    it('keeps the answer that was stored before', async () => {
      const ref = await submit();
      const commit = rejected(ref);
      await store().attempts.commit(commit);
      await erase(ref);
      expect((await store().attempts.commit(commit)).report).toEqual(commit.report);
      expect((await store().attempts.stored(ref, 1))?.report).toEqual(commit.report);
    });

    it('leaves nothing behind, whichever comes first', async () => {
      for (let round = 0; round < 12; round += 1) {
        const ref = await submit('racing');
        const commit = store()
          .attempts.commit(accepted(ref))
          .catch((error: unknown) => error);
        const erasure = erase(ref);
        const put = store().records.put(recordOf(ref));
        await Promise.all(round % 2 === 0 ? [commit, erasure, put] : [erasure, put, commit]);
        expect(await store().records.ofKey(ref.key)).toEqual([]);
        for (const attempt of await store().attempts.list(ref.key, ref.run)) {
          expect(attempt).toMatchObject({ candidate: null, evidence: [] });
        }
      }
    });

    it('leaves no words of a person behind, whichever comes first', async () => {
      for (let round = 0; round < 12; round += 1) {
        const ref = await submit('racing');
        await store().attempts.commit(rejected(ref));
        await store().extractions.land(toReview(ref));
        const decision = await decisionOn(store(), ref.subject, { verb: 'correct', values: { total: '1' } });
        const write = async () => {
          const asked = await store().reviews.addDecision(decision);
          if (asked?.kind === 'asked') await store().reviews.apply(asked.eventId, [], 'verifier-3', 7);
        };
        const draft = {
          reviewId: ref.subject,
          holder: 'kim',
          version: 1,
          values: { total: '2' },
          note: null,
          at: 5,
        };
        const writes = [write(), store().reviews.saveDraft(draft)];
        await Promise.all(round % 2 === 0 ? [...writes, erase(ref)] : [erase(ref), ...writes]);
        const steps = await store().reviews.steps(ref.subject);
        for (const step of steps) if (step.decision !== null) expect(step.decision.values).toBeNull();
        expect(await store().reviews.draft(ref.subject, 'kim')).toBeNull();
        expect(await store().records.ofKey(ref.key)).toEqual([]);
      }
    });
  });

  describe('an erased document that is handed in again', () => {
    it('is extracted anew, in a run of its own', async () => {
      const ref = await submit();
      await store().attempts.commit(accepted(ref));
      expect((await again(ref)).kind).toBe('closed');
      await erase(ref);
      const opening = await again(ref);
      expect(opening).toMatchObject({ kind: 'opened', extraction: { run: 2, erasedAt: null } });
      await store().attempts.commit(accepted({ ...ref, run: 2 }, { at: 61_000_000 }));
      expect(await store().records.current(ref.subject)).toMatchObject({ run: 2 });
      expect((await again(ref)).kind).toBe('closed');
      expect(await store().extractions.find(ref.key, 1)).toMatchObject({ erasedAt });
    });

    it('may ask a person again, although one had approved it before', async () => {
      const ref = await askPerson(store(), newExtraction({ tenant: 'erasing' }));
      await decide(store(), ref.subject, 'approve', { total: '1' });
      await erase(ref);
      expect((await again(ref)).kind).toBe('opened');
      const second = { ...ref, run: 2 };
      await store().attempts.commit(rejected(second));
      await store().extractions.land(toReview(second));
      expect(await store().reviews.find(ref.subject)).toMatchObject({ state: 'open', run: 2 });
    });
  });
}
