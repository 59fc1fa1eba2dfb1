import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { accepted, landing, newExtraction, openRun, type StoreUnderTest } from './fixtures.js';
import { announce, answered, claim, claimOne, newTenant, soon, withEndpoint } from './webhook-fixtures.js';

export function webhookDeliveryCases(store: StoreUnderTest): void {
  describe('due deliveries', () => {
    it('go to one of those who ask at once, and to another when a lease has run out', async () => {
      await withEndpoint(store(), async ({ tenant }) => {
        await announce(store(), tenant, 12);
        const claims = await Promise.all(Array.from({ length: 6 }, () => claim(store(), { limit: 4 })));
        const ids = claims.flat().map(({ deliveryId }) => deliveryId);
        expect(new Set(ids).size).toBe(ids.length);
        const rest = await claim(store());
        expect(ids.length + rest.length).toBe(12);
        expect(await claim(store(), { at: soon + 59_999 })).toEqual([]);
        const again = await claim(store(), { at: soon + 60_000 });
        expect(again.map(({ event }) => event.eventId).sort()).toEqual(
          [...claims.flat(), ...rest].map(({ event }) => event.eventId).sort(),
        );
        expect(again.every(({ number, firstTryAt }) => number === 2 && firstTryAt === soon)).toBe(true);
      });
    });

    it('to one URL leave room for another', async () => {
      await withEndpoint(store(), async (one) => {
        await withEndpoint(store(), async (other) => {
          await announce(store(), one.tenant, 5);
          await announce(store(), other.tenant, 1);
          const share = await claim(store(), { perUrl: 2, leaseMs: 0 });
          expect(share.map(({ endpointId }) => endpointId).sort()).toEqual(
            [one.endpoint.endpointId, one.endpoint.endpointId, other.endpoint.endpointId].sort(),
          );
          const without = [one.endpoint.url ?? ''];
          expect((await claim(store(), { without })).map(({ event }) => event.tenant)).toEqual([
            other.tenant,
          ]);
          expect(await store().webhooks.nextDueAt(without)).toBe(soon + 60_000);
          expect(await store().webhooks.nextDueAt([])).toBeLessThan(soon);
        });
      });
      expect(await store().webhooks.nextDueAt([])).toBeNull();
    });

    it('to one of the URLs that submissions named leave room for another', async () => {
      const tenant = newTenant();
      await withEndpoint(
        store(),
        async () => {
          for (const name of ['slow', 'slow', 'slow', 'swift']) {
            const given = newExtraction({ tenant });
            const url = `https://named.example/${name}`;
            await store().webhooks.nameUrl({ tenant, subject: given.subject, url, at: 1 });
            await store().attempts.commit(accepted(await openRun(store(), given)));
          }
          const share = await claim(store(), { perUrl: 2 });
          expect(share.map(({ url }) => url.slice('https://named.example/'.length)).sort()).toEqual([
            'slow',
            'slow',
            'swift',
          ]);
        },
        { tenant, url: null },
      );
    });

    it('are not due before their time', async () => {
      await withEndpoint(store(), async ({ tenant }) => {
        await announce(store(), tenant, 1);
        expect(await claim(store(), { at: 1_999_999 })).toEqual([]);
        expect(await store().webhooks.nextDueAt([])).toBe(2_000_000);
        expect(await claim(store(), { at: 2_000_000 })).toHaveLength(1);
      });
    });
  });

  describe('a try', () => {
    it('is logged with what it came to, and tried again when it is told to', async () => {
      await withEndpoint(store(), async ({ tenant, told }) => {
        await announce(store(), tenant, 1);
        const first = await claimOne(store());
        await store().webhooks.settle(first, answered(503, 'rejected'), { kind: 'retry', at: soon + 5_000 });
        expect(await claim(store(), { at: soon + 4_999 })).toEqual([]);
        const second = await claimOne(store(), { at: soon + 5_000 });
        expect(second).toMatchObject({ number: 2, failures: 1, firstTryAt: soon });
        const failure = { at: soon + 6_000, durationMs: 10_000, status: null, error: 'timeout' };
        await store().webhooks.settle(second, failure, { kind: 'retry', at: soon + 9_000 });
        const third = await claimOne(store(), { at: soon + 9_000 });
        await store().webhooks.settle(third, answered(204, null, soon + 9_010), { kind: 'delivered' });
        const [delivery] = await told();
        expect(delivery).toMatchObject({ state: 'delivered', dueAt: null, endedAt: soon + 9_010 });
        expect(delivery?.tries).toEqual([
          answered(503, 'rejected'),
          failure,
          answered(204, null, soon + 9_010),
        ]);
        expect(await claim(store(), { at: soon + 999_999 })).toEqual([]);
      });
    });

    it('of a lease that was lost changes nothing, unless it delivered', async () => {
      await withEndpoint(store(), async ({ tenant, told }) => {
        await announce(store(), tenant, 1);
        const lost = await claimOne(store(), { leaseMs: 10 });
        const current = await claimOne(store(), { at: soon + 10 });
        await store().webhooks.settle(lost, answered(500, 'rejected'), { kind: 'given_up' });
        expect(await told()).toMatchObject([{ state: 'pending', dueAt: soon + 60_010 }]);
        await store().webhooks.settle(lost, answered(200, null), { kind: 'delivered' });
        await store().webhooks.settle(current, answered(500, 'rejected'), {
          kind: 'retry',
          at: soon + 70_000,
        });
        expect(await told()).toMatchObject([{ state: 'delivered', dueAt: null }]);
      });
    });

    it('that was the last one leaves its delivery given up and visible, until it is sent again', async () => {
      await withEndpoint(store(), async ({ tenant, told, endpoint }) => {
        await announce(store(), tenant, 2);
        const [one, other] = await claim(store());
        if (one === undefined || other === undefined) throw new Error('Expected two.');
        await store().webhooks.settle(one, answered(500, 'rejected'), { kind: 'given_up' });
        await store().webhooks.settle(other, answered(200, null), { kind: 'delivered' });
        const failed = await store().webhooks.deliveries({ tenant, failed: true }, { limit: 10 });
        expect(failed.items.map(({ deliveryId }) => deliveryId)).toEqual([one.deliveryId]);
        const givenUp = await store().webhooks.deliveries({ state: 'given_up', tenant }, { limit: 10 });
        expect(givenUp.items).toEqual(failed.items);
        for (const { deliveryId } of [one, other]) {
          expect(await store().webhooks.resend(deliveryId, soon + 90_000)).toBe(true);
        }
        const again = await claim(store(), { at: soon + 90_000 });
        expect(again.map(({ event }) => event.eventId).sort()).toEqual(
          [one.event.eventId, other.event.eventId].sort(),
        );
        expect(again).toEqual(
          again.map((due) => ({ ...due, number: 2, failures: 0, firstTryAt: soon + 90_000 })),
        );
        expect((await told()).every(({ state, tries }) => state === 'pending' && tries.length === 1)).toBe(
          true,
        );
        expect(again[0]?.endpointId).toBe(endpoint.endpointId);
        expect(await store().webhooks.resend('0'.repeat(32), soon)).toBe(false);
      });
    });

    it('that was answered with 410 disables the endpoint and drops what else was on its way', async () => {
      await withEndpoint(store(), async ({ tenant, told, endpoint }) => {
        await announce(store(), tenant, 3);
        const [due] = await claim(store(), { limit: 1 });
        if (due === undefined) throw new Error('Expected one.');
        await store().webhooks.settle(due, answered(410, 'gone'), { kind: 'gone' });
        await announce(store(), tenant, 1);
        expect((await told()).map(({ state }) => state).sort()).toEqual(['dropped', 'dropped', 'given_up']);
        expect(await store().webhooks.list({ tenant }, soon)).toEqual([
          { ...endpoint, state: 'disabled', endedAt: soon + 10 },
        ]);
        expect(await claim(store(), { at: soon + 999_999 })).toEqual([]);
        expect(await store().webhooks.resend(due.deliveryId, soon)).toBe(false);
      });
    });

    it('that was answered with 410 at a named URL ends that URL of that tenant only', async () => {
      const [tenant, stranger] = [newTenant(), newTenant()];
      const [gone, there] = ['https://named.example/gone', 'https://named.example/there'];
      await withEndpoint(
        store(),
        async ({ endpoint, told }) => {
          const given = newExtraction({ tenant });
          const foreign = newExtraction({ tenant: stranger });
          for (const url of [gone, there])
            await store().webhooks.nameUrl({ tenant, subject: given.subject, url, at: 1 });
          await store().webhooks.nameUrl({ tenant: stranger, subject: foreign.subject, url: gone, at: 1 });
          await store().extractions.land(landing(await openRun(store(), given)));
          await store().extractions.land(landing(await openRun(store(), foreign)));
          const due = (await claim(store())).find(
            ({ url, event }) => url === gone && event.tenant === tenant,
          );
          if (due === undefined) throw new Error('Expected one.');
          await store().webhooks.settle(due, answered(410, 'gone'), { kind: 'gone' });
          expect((await told()).map(({ url, event, state }) => [url, event.tenant, state]).sort()).toEqual(
            [
              [gone, tenant, 'given_up'],
              [there, tenant, 'pending'],
              [gone, stranger, 'pending'],
            ].sort(),
          );
          expect(await store().webhooks.find(endpoint.endpointId, soon)).toMatchObject({ state: 'active' });
          const second = newExtraction({ tenant, documentHash: given.documentHash, promptVersion: 'v8' });
          await store().attempts.commit(accepted(await openRun(store(), second)));
          const urls = (await told()).filter(({ event }) => event.key === second.key).map(({ url }) => url);
          expect(urls).toEqual([there]);
        },
        { tenant: null, url: null },
      );
    });
  });

  describe('the list of deliveries', () => {
    it('goes page by page, the newest first, each once', async () => {
      await withEndpoint(store(), async ({ tenant, told }) => {
        await announce(store(), tenant, 7);
        const seen: string[] = [];
        let cursor: string | null = null;
        do {
          const page = cursor === null ? { limit: 3 } : { limit: 3, cursor };
          const { items, nextCursor } = await store().webhooks.deliveries({ tenant }, page);
          seen.push(...items.map(({ deliveryId }) => deliveryId));
          cursor = nextCursor;
        } while (cursor !== null);
        expect(seen.toReversed()).toEqual((await told()).map(({ deliveryId }) => deliveryId));
        expect(seen).toHaveLength(7);
        const [id = ''] = seen;
        expect((await store().webhooks.delivery(id.slice(0, 12)))?.deliveryId).toBe(id);
        expect(await store().webhooks.delivery('no such id')).toBeNull();
      });
    });
  });

  describe('tidying up', () => {
    it('forgets old events that are no longer on their way, with their deliveries', async () => {
      await withEndpoint(store(), async ({ tenant, told }) => {
        await announce(store(), tenant, 3);
        const [pending, old] = await claim(store(), { limit: 2 });
        if (pending === undefined || old === undefined) throw new Error('Expected two.');
        await store().webhooks.settle(old, answered(200, null), { kind: 'delivered' });
        await store().webhooks.tidy(soon, 1);
        expect(await told()).toHaveLength(3);
        await store().webhooks.tidy(soon, soon);
        const left = await told();
        expect(left).toHaveLength(2);
        expect(left.map(({ deliveryId }) => deliveryId)).not.toContain(old.deliveryId);
        // Its worker comes late: nothing to settle is no error.
        await store().webhooks.settle(old, answered(200, null), { kind: 'delivered' });
      });
    });
  });

  describe('a listener', () => {
    it('is called when it is connected, for every event somebody is told of, and when one is sent again', async () => {
      await withEndpoint(store(), async ({ tenant, told }) => {
        let calls = 0;
        const listening = store().webhooks.listen(() => {
          calls += 1;
        });
        const called = async (times: number) => {
          while (calls < times) await pause(5);
          expect(calls).toBe(times);
        };
        await called(1);
        await announce(store(), tenant, 1);
        await called(2);
        await announce(store(), newTenant(), 1);
        const [delivery] = await told();
        await store().webhooks.resend(delivery?.deliveryId ?? '', soon);
        await called(3);
        await listening.close();
        await announce(store(), tenant, 1);
        expect(calls).toBe(3);
      });
    });
  });
}
