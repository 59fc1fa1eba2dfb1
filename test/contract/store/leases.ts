import { describe, expect, it } from 'vitest';
import type { StoreUnderTest } from './fixtures.js';
import { askPerson, claim, decide } from './fixtures.js';

export function leaseCases(store: StoreUnderTest): void {
  const kinds = async (id: string) => (await store().reviews.steps(id)).map(({ kind }) => kind);

  describe('a lease', () => {
    it('goes to one of twenty who ask at once', async () => {
      const ref = await askPerson(store());
      const claims = await Promise.all(
        Array.from({ length: 20 }, (_, n) => claim(store(), ref.subject, { actor: `person-${n}`, at: 10 })),
      );
      expect(claims.filter((claimed) => claimed?.kind === 'granted')).toHaveLength(1);
      const holder = (await store().reviews.find(ref.subject))?.holder;
      const refused = claims.filter((claimed) => claimed?.kind === 'refused');
      expect(refused).toHaveLength(19);
      for (const other of refused) expect(other?.task).toMatchObject({ holder, leaseExpiresAt: 60_010 });
      expect(await kinds(ref.subject)).toEqual(['opened', 'claimed']);
    });

    it('is extended, run out, claimed, stolen and given back, each time with a line in the trail', async () => {
      const ref = await askPerson(store());
      const lease = (kind: 'claim' | 'extend', actor: string, at: number) =>
        store().reviews.lease(ref.subject, { kind, actor, leaseMs: 1_000 }, at);
      await lease('claim', 'kim', 0);
      expect(await lease('extend', 'kim', 500)).toMatchObject({
        kind: 'granted',
        task: { holder: 'kim', leaseExpiresAt: 1_500 },
      });
      expect((await lease('claim', 'lee', 1_499))?.kind).toBe('refused');
      expect(await lease('claim', 'lee', 1_500)).toMatchObject({ kind: 'granted', task: { holder: 'lee' } });
      expect(await lease('extend', 'kim', 1_501)).toMatchObject({ kind: 'refused', task: { holder: 'lee' } });
      const steal = { kind: 'steal', actor: 'boss', leaseMs: 10, reason: 'lee is ill' } as const;
      expect((await store().reviews.lease(ref.subject, steal, 1_600))?.task.holder).toBe('boss');
      const release = { kind: 'release', actor: 'boss' } as const;
      expect(await store().reviews.lease(ref.subject, release, 1_605)).toMatchObject({
        kind: 'granted',
        task: { holder: null, leaseExpiresAt: null },
      });
      expect((await store().reviews.lease(ref.subject, release, 1_606))?.kind).toBe('refused');
      expect((await store().reviews.steps(ref.subject)).slice(1)).toMatchObject([
        { kind: 'claimed', actor: 'kim', leaseExpiresAt: 1_000, at: 0 },
        { kind: 'extended', actor: 'kim', leaseExpiresAt: 1_500, at: 500 },
        { kind: 'expired', actor: null, holder: 'kim', at: 1_500 },
        { kind: 'claimed', actor: 'lee', leaseExpiresAt: 2_500, at: 1_500 },
        {
          kind: 'stolen',
          actor: 'boss',
          holder: 'lee',
          note: 'lee is ill',
          leaseExpiresAt: 1_610,
          at: 1_600,
        },
        { kind: 'released', actor: 'boss', at: 1_605 },
      ]);
    });

    it('that ran out is freed by a sweep, once, with the instant at which its time was up', async () => {
      const over = await askPerson(store());
      const held = await askPerson(store());
      await claim(store(), over.subject, { leaseMs: 10, at: 100 });
      await claim(store(), held.subject, { leaseMs: 11, at: 100 });
      expect(await store().reviews.expireLeases(110, held.subject)).toBe(0);
      expect(await store().reviews.find(over.subject)).toMatchObject({ holder: 'kim' });
      await Promise.all(Array.from({ length: 5 }, () => store().reviews.expireLeases(110)));
      expect(await store().reviews.find(over.subject)).toMatchObject({ holder: null, leaseExpiresAt: null });
      expect(await store().reviews.find(held.subject)).toMatchObject({ holder: 'kim' });
      expect(await kinds(over.subject)).toEqual(['opened', 'claimed', 'expired']);
      expect((await store().reviews.steps(over.subject)).at(-1)).toMatchObject({ holder: 'kim', at: 110 });
      expect(await store().reviews.expireLeases(110)).toBe(0);
      expect(await store().reviews.expireLeases(111, held.subject)).toBe(1);
    });

    it('is not given on a settled or unknown review', async () => {
      const ref = await askPerson(store());
      await decide(store(), ref.subject, 'reject');
      expect(await claim(store(), ref.subject)).toMatchObject({
        kind: 'not_open',
        task: { state: 'decided' },
      });
      expect(await claim(store(), 'unknown')).toBeNull();
      expect(await kinds(ref.subject)).toEqual(['opened', 'decided']);
    });
  });

  describe('claiming the next review', () => {
    it('gives each of several who ask at once another one, the highest amounts first', async () => {
      const tenant = 'next';
      const ids: string[] = [];
      for (const amount of ['30', '20', '10', '5']) {
        const ref = await askPerson(store(), { tenant }, { amount: { amount, currency: 'USD' } });
        ids.push(ref.subject);
      }
      const claims = await Promise.all(
        ['ada', 'kim', 'lee'].map((actor) => store().reviews.claimNext({ tenant }, actor, 1_000, 10)),
      );
      const taken = claims.map((claimed) => (claimed.kind === 'claimed' ? claimed.task.id : claimed.kind));
      expect([...taken].sort()).toEqual(ids.slice(0, 3).sort());
      const fourth = await store().reviews.claimNext({ tenant, kind: 'exhausted' }, 'ada', 1_000, 20);
      expect(fourth).toMatchObject({ kind: 'claimed', task: { id: ids[3], holder: 'ada' } });
    });

    it('takes only what has one of the labels that were asked for, each version for itself', async () => {
      const tenant = 'labelled queue';
      await askPerson(store(), { tenant, schemaVersion: '1', promptVersion: '1' }, { at: 1 });
      const known = await askPerson(store(), { tenant, schemaVersion: '1', promptVersion: '2' }, { at: 2 });
      const label = (schemaVersion: string, promptVersion: string) => ({
        ...{ id: 'claim', schemaVersion, promptVersion },
      });
      const next = (labels: readonly ReturnType<typeof label>[]) =>
        store().reviews.claimNext({ tenant, labels }, 'ada', 1_000, 10);
      expect(await next([label('2', '1'), label('2', '2')])).toEqual({ kind: 'none' });
      expect(await next([label('2', '1'), label('1', '2')])).toMatchObject({ task: { id: known.subject } });
    });

    it('tells an empty queue from one that others hold, and when the first of them is free', async () => {
      const tenant = 'held queue';
      const next = (actor: string, at: number) => store().reviews.claimNext({ tenant }, actor, 1_000, at);
      expect(await next('kim', 0)).toEqual({ kind: 'none' });
      const first = await askPerson(store(), { tenant }, { at: 1 });
      const second = await askPerson(store(), { tenant }, { at: 2 });
      await next('kim', 100);
      await next('lee', 200);
      expect(await next('ada', 300)).toEqual({ kind: 'all_held', held: 2, nextFreeAt: 1_100 });
      expect(await next('ada', 1_100)).toMatchObject({ kind: 'claimed', task: { id: first.subject } });
      expect((await store().reviews.steps(first.subject)).map(({ kind }) => kind)).toEqual([
        'opened',
        'claimed',
        'expired',
        'claimed',
      ]);
      await decide(store(), second.subject, 'reject');
      expect(await next('eve', 1_200)).toMatchObject({ kind: 'all_held', held: 1, nextFreeAt: 2_100 });
    });
  });
}
