import { describe, expect, it } from 'vitest';
import type { StoreUnderTest } from './fixtures.js';
import { askPerson, decide, openRun } from './fixtures.js';

export function nameCases(store: StoreUnderTest): void {
  describe('what things are called', () => {
    it('tells the file names of documents, of the newest run, and none after an erasure', async () => {
      const one = await openRun(store(), { tenant: 'named', fileName: 'one.pdf' });
      const gone = await openRun(store(), { tenant: 'named', fileName: 'gone.pdf' });
      await store().retention.erase('named', gone.documentHash, 50);
      const keys = [one.key, gone.key, 'nobody'];
      expect(await store().extractions.fileNames(keys)).toEqual(
        new Map([
          [one.key, 'one.pdf'],
          [gone.key, null],
        ]),
      );
      expect(await store().extractions.fileNames([])).toEqual(new Map());
    });

    it('tells which documents a person settled', async () => {
      const settled = await askPerson(store(), { tenant: 'named' });
      const open = await askPerson(store(), { tenant: 'named' });
      await decide(store(), settled.subject, 'correct', { total: '1.00' });
      const keys = [settled.key, open.key];
      expect(await store().records.settledByPerson(keys)).toEqual(new Map([[settled.key, 'human_verified']]));
      expect(await store().records.settledByPerson([])).toEqual(new Map());
    });

    it('lists and hands out reviews of the specs that are named', async () => {
      await askPerson(store(), { tenant: 'named-specs', specId: 'strange' });
      const filter = { tenant: 'named-specs', specIds: ['known'] };
      expect(await store().reviews.claimNext(filter, 'ada', 1_000, 1)).toEqual({ kind: 'none' });
      expect((await store().reviews.list({ ...filter, specIds: [] }, { limit: 5 })).items).toEqual([]);
      const both = { ...filter, specIds: ['known', 'strange'] };
      expect(await store().reviews.claimNext(both, 'ada', 1_000, 1)).toMatchObject({ kind: 'claimed' });
    });
  });
}
