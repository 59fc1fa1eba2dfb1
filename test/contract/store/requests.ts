import { describe, expect, it } from 'vitest';
import type { RequestClaim } from '../../../src/ports/idempotency-store.js';
import { newExtraction, policy, type StoreUnderTest, sha } from './fixtures.js';

let serial = 0;
const newClaim = (given: Partial<RequestClaim> = {}): RequestClaim => {
  serial += 1;
  const at = given.at ?? 1_000_000;
  return {
    scope: `key-${serial}/acme`,
    key: 'order-7',
    fingerprint: sha('body'),
    at,
    lockedUntil: at + 60_000,
    lapsedBefore: at - 86_400_000,
    ...given,
  };
};

export function requestCases(store: StoreUnderTest): void {
  describe('a request that is carried out once', () => {
    it('is claimed by one, however many try at once', async () => {
      const claim = newClaim();
      const claimed = await Promise.all(Array.from({ length: 12 }, () => store().idempotency.claim(claim)));
      const kinds = claimed.map(({ kind }) => kind).sort();
      expect(kinds).toEqual([...Array.from({ length: 11 }, () => 'busy'), 'claimed']);
      expect((await store().idempotency.claim({ ...claim, fingerprint: sha('other') })).kind).toBe('differs');
      expect((await store().idempotency.claim({ ...claim, scope: `${claim.scope}/2` })).kind).toBe('claimed');
    });

    it('is answered with the run it opened, also when the run was there, and never with another', async () => {
      const extraction = newExtraction();
      for (const kind of ['opened', 'running']) {
        const claim = newClaim();
        await store().idempotency.claim(claim);
        await store().extractions.open(extraction, false, claim);
        const answer = { key: extraction.key, run: 1, kind };
        expect(await store().idempotency.claim(claim)).toEqual({ kind: 'answered', answer });
        await store().idempotency.release(claim);
        await store().extractions.open(newExtraction(), false, claim);
        expect(await store().idempotency.claim(claim)).toEqual({ kind: 'answered', answer });
        const other = { ...claim, fingerprint: sha('other') };
        expect((await store().idempotency.claim(other)).kind).toBe('differs');
      }
    });

    it('is answered with the batch it had begin, and never with another', async () => {
      const claim = newClaim();
      await store().idempotency.claim(claim);
      const batch = (id: string) => ({
        ...{ id, tenant: 'acme', name: null, specId: 'claim', schemaVersion: '1', promptVersion: 'v7' },
        ...{ policy, tags: [], redrive: false, inFlight: 1, budgetTokens: null, deadlineMs: null, at: 1 },
      });
      for (const id of ['once-1', 'once-2']) {
        await store().batches.create(batch(id));
        const once = { scope: claim.scope, key: claim.key, content: sha(id) };
        expect(await store().batches.begin(id, 2, { once })).toMatchObject({ id, state: 'running' });
        const answer = { batch: 'once-1', content: sha('once-1') };
        expect(await store().idempotency.claim(claim)).toEqual({ kind: 'answered', answer });
      }
    });

    it('is free again when it came to nothing, when whoever carried it out is gone, and after its time', async () => {
      const claim = newClaim();
      await store().idempotency.claim(claim);
      await store().idempotency.release({ ...claim, lockedUntil: 7 });
      expect((await store().idempotency.claim(claim)).kind).toBe('busy');
      await store().idempotency.release(claim);
      expect((await store().idempotency.claim(claim)).kind).toBe('claimed');
      const late = { ...claim, at: claim.lockedUntil, lockedUntil: claim.lockedUntil + 1_000 };
      expect((await store().idempotency.claim(late)).kind).toBe('claimed');
      await store().extractions.open(newExtraction(), false, claim);
      expect((await store().idempotency.claim(late)).kind).toBe('answered');
      const nextDay = { ...late, lapsedBefore: late.at + 1, fingerprint: sha('other') };
      expect((await store().idempotency.claim(nextDay)).kind).toBe('claimed');
    });

    it('is forgotten by a sweep when its time has passed', async () => {
      const old = newClaim({ at: 5_000 });
      const young = newClaim({ at: 9_000 });
      for (const claim of [old, young]) await store().idempotency.claim(claim);
      expect(await store().idempotency.sweep(6_000)).toBe(1);
      expect(await store().idempotency.sweep(6_000)).toBe(0);
      expect((await store().idempotency.claim({ ...old, fingerprint: sha('x') })).kind).toBe('claimed');
      expect((await store().idempotency.claim(young)).kind).toBe('busy');
    });
  });

  describe('a document that is named by its hash', () => {
    it('is there for its tenant only, and as old as it was named last', async () => {
      const bytes = new TextEncoder().encode(`named ${serial}`);
      const hash = await store().documents.put({ tenant: 'names', mediaType: 'text/plain', bytes, at: 5 });
      expect(await store().documents.touch('names', hash, 9)).toBe(true);
      expect(await store().documents.touch('other', hash, 9)).toBe(false);
      expect(await store().documents.touch('names', sha('none'), 9)).toBe(false);
      expect((await store().retention.holdings('names', hash))?.storedAt).toBe(9);
    });
  });
}
