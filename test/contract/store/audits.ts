import { describe, expect, it } from 'vitest';
import type { NewAuditSample } from '../../../src/ports/audit-store.js';
import type { StoreUnderTest } from './fixtures.js';
import { accepted, landing, openRun } from './fixtures.js';

export function auditCases(store: StoreUnderTest): void {
  const sampleOf = (tenant: string, given: Partial<NewAuditSample> = {}): NewAuditSample => ({
    ...{ id: `audit-${tenant}`, seed: 7, size: 5, filter: { tenant }, at: 8_000_000 },
    ...given,
  });

  async function verifiedRuns(tenant: string, count: number): Promise<string[]> {
    const keys: string[] = [];
    for (let index = 0; index < count; index += 1) {
      const ref = await openRun(store(), { tenant });
      await store().attempts.commit(accepted(ref, {}, 1 + (index % 2)));
      keys.push(ref.key);
    }
    return keys;
  }

  const drawnBy = async (sample: NewAuditSample) => {
    await store().audits.draw(sample);
    return (await store().audits.items(sample.id)).map(({ key }) => key);
  };

  describe('drawing an audit', () => {
    it('takes as many verified records as were asked for, the same for the same seed, others for another', async () => {
      const keys = await verifiedRuns('drawn', 20);
      const open = await openRun(store(), { tenant: 'drawn' });
      const lost = await openRun(store(), { tenant: 'drawn' });
      await store().extractions.land(landing(lost));
      const sample = await store().audits.draw(sampleOf('drawn'));
      expect(sample).toEqual({
        ...{ id: 'audit-drawn', seed: 7, size: 5, filter: { tenant: 'drawn' }, drawnAt: 8_000_000 },
        ...{ drawn: 5, right: 0, wrong: 0 },
      });
      const drawn = await drawnBy(sampleOf('drawn'));
      expect(new Set(drawn).size).toBe(5);
      expect(keys).toEqual(expect.arrayContaining(drawn));
      expect(drawn).not.toContain(open.key);
      expect(await drawnBy(sampleOf('drawn', { id: 'audit-drawn-again' }))).toEqual(drawn);
      expect(await drawnBy(sampleOf('drawn', { id: 'audit-drawn-other', seed: 8 }))).not.toEqual(drawn);
      const all = await drawnBy(sampleOf('drawn', { id: 'audit-drawn-all', size: 120 }));
      expect([...all].sort()).toEqual([...keys].sort());
    });

    it('keeps what was drawn, whatever is verified since', async () => {
      await verifiedRuns('kept', 3);
      const drawn = await drawnBy(sampleOf('kept'));
      await verifiedRuns('kept', 3);
      expect(await drawnBy(sampleOf('kept', { at: 9_000_000 }))).toEqual(drawn);
      expect(await store().audits.find('audit-kept')).toMatchObject({ drawn: 3, drawnAt: 8_000_000 });
    });

    it('once, when several draw the same at once', async () => {
      await verifiedRuns('raced', 8);
      const samples = await Promise.all(
        Array.from({ length: 6 }, () => store().audits.draw(sampleOf('raced'))),
      );
      expect(samples.map(({ drawn }) => drawn)).toEqual([5, 5, 5, 5, 5, 5]);
    });

    it('leaves out what was erased: there is nothing to compare a record with', async () => {
      const [erased = '', ...others] = await verifiedRuns('erased before', 3);
      const run = await store().extractions.find(erased);
      await store().retention.erase('erased before', run?.documentHash ?? '', 8_000_000);
      expect((await drawnBy(sampleOf('erased before'))).sort()).toEqual([...others].sort());
    });

    it('is listed newest first, page by page, and found by the beginning of its id', async () => {
      const ids = ['first', 'second', 'third'].map((name) => `zz-listed-${name}`);
      for (const [index, id] of ids.entries()) {
        await store().audits.draw(sampleOf('listed', { id, at: 90_000_000 + index }));
      }
      const one = await store().audits.list({ tenant: 'listed' }, { limit: 2 });
      expect(one.items.map(({ id }) => id)).toEqual(['zz-listed-third', 'zz-listed-second']);
      const two = await store().audits.list({}, { limit: 1, cursor: one.nextCursor ?? '' });
      expect(two.items.map(({ id }) => id)).toEqual(['zz-listed-first']);
      expect((await store().audits.list({ tenant: 'another' }, { limit: 2 })).items).toEqual([]);
      expect((await store().audits.find('zz-listed-s'))?.id).toBe('zz-listed-second');
      expect(await store().audits.find('zz-listed')).toBeNull();
    });
  });

  describe('judging what was drawn', () => {
    it('keeps one verdict, the later one, and the same again changes nothing', async () => {
      const [key = ''] = await verifiedRuns('judged', 2);
      await store().audits.draw(sampleOf('judged'));
      const judge = (verdict: 'right' | 'wrong', actor: string, at: number) =>
        store().audits.judge({ key: key.slice(0, 12), verdict, actor, at });
      const judged = { kind: 'judged', key, tenant: sampleOf('judged').filter.tenant };
      expect(await judge('right', 'kim', 1)).toEqual({ ...judged, before: null });
      expect(await judge('right', 'lee', 2)).toEqual({ ...judged, before: 'right' });
      const item = async () => (await store().audits.items('audit-judged')).find((each) => each.key === key);
      expect(await item()).toMatchObject({ attempt: 1, verdict: 'right', actor: 'kim', judgedAt: 1 });
      expect(await judge('wrong', 'lee', 3)).toEqual({ ...judged, before: 'right' });
      expect(await item()).toMatchObject({ verdict: 'wrong', actor: 'lee', judgedAt: 3 });
      expect(await store().audits.find('audit-judged')).toMatchObject({ drawn: 2, right: 0, wrong: 1 });
      const foreign = { key, tenant: 'another', verdict: 'right' as const, actor: 'eve', at: 4 };
      expect(await store().audits.judge(foreign)).toEqual({ kind: 'not_drawn' });
    });

    it('is for drawn records only: whoever picks their own measures what they picked', async () => {
      const [key = ''] = await verifiedRuns('picked', 1);
      const judge = (wanted: string) =>
        store().audits.judge({ key: wanted, verdict: 'right', actor: 'kim', at: 1 });
      expect(await judge(key)).toEqual({ kind: 'not_drawn' });
      expect(await judge('ffffffffffffffff')).toEqual({ kind: 'not_drawn' });
    });

    it('counts a record that two samples hold in both', async () => {
      const [key = ''] = await verifiedRuns('shared', 1);
      await store().audits.draw(sampleOf('shared'));
      await store().audits.draw(sampleOf('shared', { id: 'audit-shared-2', seed: 9 }));
      await store().audits.judge({ key, verdict: 'wrong', actor: 'kim', at: 1 });
      for (const id of ['audit-shared', 'audit-shared-2']) {
        expect(await store().audits.find(id)).toMatchObject({ wrong: 1 });
      }
    });
  });
}
