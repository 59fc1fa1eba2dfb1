import { describe, expect, it } from 'vitest';
import { TenantFull } from '../../../src/ports/tenant-store.js';
import { accepted, newCall, newExtraction, openRun, type StoreUnderTest } from './fixtures.js';

export function tenantCases(store: StoreUnderTest): void {
  describe('tenants', () => {
    it('keep limits of their own until these are taken away', async () => {
      const rule = { tenant: 'limited', mostOpen: 5, perSecond: 0.5, setAt: 1 };
      await store().tenants.setRule({ ...rule, mostOpen: null });
      await store().tenants.setRule(rule);
      expect(await store().tenants.rule('limited')).toEqual(rule);
      expect(await store().tenants.rules()).toContainEqual(rule);
      expect(await store().tenants.removeRule('limited')).toBe(true);
      expect(await store().tenants.removeRule('limited')).toBe(false);
      expect(await store().tenants.rule('limited')).toBeNull();
    });

    it('have no more open than they may, however many ask at once', async () => {
      const tenant = 'crowded';
      const asked = Array.from({ length: 20 }, () =>
        store()
          .extractions.open(newExtraction({ tenant }), false, undefined, 3)
          .then(({ kind }) => kind)
          .catch((error: unknown) => (error instanceof TenantFull ? 'full' : 'failed')),
      );
      const answers = await Promise.all(asked);
      expect(answers.filter((answer) => answer === 'opened')).toHaveLength(3);
      expect(answers.filter((answer) => answer === 'full')).toHaveLength(17);
      expect(await store().tenants.openCount(tenant)).toBe(3);
      // Another tenant's room is its own, and a document that runs is attached to.
      const other = newExtraction({ tenant: 'uncrowded' });
      expect((await store().extractions.open(other, false, undefined, 1)).kind).toBe('opened');
      expect((await store().extractions.open(other, false, undefined, 1)).kind).toBe('running');
    });

    it('hand in no more a second than they may, however many ask at once, and are told when to come again', async () => {
      const waits = await Promise.all(Array.from({ length: 12 }, () => store().tenants.admit('hasty', 0.01)));
      expect(waits.filter((wait) => wait === 0)).toHaveLength(1);
      for (const wait of waits.filter((each) => each > 0)) {
        expect(wait).toBeGreaterThan(60_000);
        expect(wait).toBeLessThanOrEqual(100_000);
      }
      const burst = await Promise.all(Array.from({ length: 40 }, () => store().tenants.admit('burst', 5)));
      const admitted = burst.filter((wait) => wait === 0).length;
      expect(admitted).toBeGreaterThanOrEqual(5);
      expect(admitted).toBeLessThan(40);
      expect(await store().tenants.admit('patient', 5)).toBe(0);
    });

    it('are accounted for by what began and what was called in a range', async () => {
      const tenant = 'accounted';
      const at = 7_000_000;
      const verified = await openRun(store(), { tenant, at });
      await store().attempts.beginCall(newCall(verified, { at: at + 1 }));
      await store().attempts.commit(accepted(verified));
      const open = await openRun(store(), { tenant, at: at + 10 });
      await store().attempts.beginCall(newCall(open, { at: at + 11 }));
      await store().attempts.beginCall(newCall(open, { at: at + 500 }));
      await openRun(store(), { tenant: 'another-account', at });
      const range = { tenant, from: at, until: at + 100 };
      expect(await store().tenants.usage(range)).toEqual([
        {
          tenant,
          extractions: 2,
          open: 1,
          verified: 1,
          unverified: 0,
          calls: 2,
          unknownCalls: 2,
          tokens: 4_000,
          cost: [{ amount: expect.stringMatching(/^0\.0040?$/), currency: 'USD' }],
        },
      ]);
      expect(await store().tenants.usage({ ...range, until: at })).toEqual([]);
      const all = await store().tenants.usage({ from: at, until: at + 100 });
      const accounts = all.map((row) => row.tenant).filter((name) => /account/.test(name));
      expect(accounts).toEqual(['accounted', 'another-account']);
    });
  });
}
