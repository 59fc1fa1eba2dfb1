import { describe, expect, it } from 'vitest';
import type { StoreUnderTest } from './fixtures.js';
import { announce, claim, claimOne, newTenant, soon, withEndpoint } from './webhook-fixtures.js';

export function webhookEndpointCases(store: StoreUnderTest): void {
  describe('an endpoint', () => {
    it('is there once for a tenant and a URL, and again after it was removed', async () => {
      const endpoint = { tenant: newTenant(), url: 'https://a.example/', secret: 'whsec_s', at: 1 };
      const adding = await Promise.all(Array.from({ length: 5 }, () => store().webhooks.add(endpoint)));
      const [added, ...more] = adding.filter((one) => one !== null);
      expect(more).toEqual([]);
      const other = await store().webhooks.add({ ...endpoint, tenant: newTenant() });
      expect(added).toEqual({
        endpointId: expect.stringMatching(/^[0-9a-f]{32}$/),
        tenant: endpoint.tenant,
        url: 'https://a.example/',
        state: 'active',
        createdAt: 1,
        endedAt: null,
        rotatingUntil: null,
      });
      const id = added?.endpointId ?? '';
      expect(await store().webhooks.remove(id, 7)).toBe(true);
      expect(await store().webhooks.remove(id, 8)).toBe(false);
      expect(await store().webhooks.find(id, 9)).toMatchObject({ state: 'removed', endedAt: 7 });
      const again = await store().webhooks.add(endpoint);
      expect(again?.endpointId).not.toBe(id);
      for (const one of [other, again]) await store().webhooks.remove(one?.endpointId ?? '', 1);
    });

    it('is found by the beginning of its id, and listed by tenant unless removed', async () => {
      await withEndpoint(store(), async ({ endpoint, tenant }) => {
        expect(await store().webhooks.find(endpoint.endpointId.slice(0, 12), 2)).toEqual(endpoint);
        expect(await store().webhooks.find(endpoint.endpointId.slice(0, 7), 2)).toBeNull();
        expect(await store().webhooks.find('ffffffff0000', 2)).toBeNull();
        expect(await store().webhooks.list({ tenant }, 2)).toEqual([endpoint]);
        expect(await store().webhooks.list({}, 2)).toContainEqual(endpoint);
        await store().webhooks.remove(endpoint.endpointId, 3);
        expect(await store().webhooks.list({ tenant }, 4)).toEqual([]);
        expect(await store().webhooks.list({}, 4)).not.toContainEqual(
          expect.objectContaining({ endpointId: endpoint.endpointId }),
        );
      });
    });

    it('that was removed is told nothing more, and what was on its way is dropped', async () => {
      await withEndpoint(store(), async ({ endpoint, tenant, told }) => {
        await announce(store(), tenant, 1);
        await store().webhooks.remove(endpoint.endpointId, 3_000_000);
        await announce(store(), tenant, 1);
        const [dropped, ...more] = await told();
        expect(dropped).toMatchObject({ state: 'dropped', dueAt: null, endedAt: 3_000_000 });
        expect(more).toEqual([]);
        expect(await claim(store())).toEqual([]);
        expect(await store().webhooks.resend(dropped?.deliveryId ?? '', soon)).toBe(false);
      });
    });

    it('signs with its secret before as well while it is rotated', async () => {
      await withEndpoint(store(), async ({ endpoint: { endpointId }, tenant }) => {
        await announce(store(), tenant, 1);
        const secretsAt = async (at: number) => (await claimOne(store(), { at, leaseMs: 0 })).secrets;
        const rotate = (secret: string, at: number, overlapMs = 1_000) =>
          store().webhooks.rotate(endpointId, { secret, at, overlapMs });
        expect(await secretsAt(soon)).toEqual(['whsec_one']);
        expect(await rotate('whsec_two', soon)).toBe(true);
        expect(await secretsAt(soon)).toEqual(['whsec_two', 'whsec_one']);
        expect(await store().webhooks.find(endpointId, soon)).toMatchObject({ rotatingUntil: soon + 1_000 });
        // A third one takes the place of the first, which had not expired yet.
        await rotate('whsec_three', soon + 500);
        expect(await secretsAt(soon + 500)).toEqual(['whsec_three', 'whsec_two']);
        expect(await secretsAt(soon + 1_500)).toEqual(['whsec_three']);
        expect(await store().webhooks.find(endpointId, soon + 1_500)).toMatchObject({ rotatingUntil: null });
        // A secret that leaked is taken away at once.
        await rotate('whsec_four', soon + 1_600, 0);
        expect(await secretsAt(soon + 1_600)).toEqual(['whsec_four']);
      });
    });

    it('has one current secret, however many rotate it at once, and none when it is not there', async () => {
      await withEndpoint(store(), async ({ endpoint: { endpointId }, tenant }) => {
        await announce(store(), tenant, 1);
        await Promise.all(
          Array.from({ length: 8 }, (_, index) =>
            store().webhooks.rotate(endpointId, { secret: `whsec_${index}`, at: soon, overlapMs: 1_000 }),
          ),
        );
        expect((await claimOne(store())).secrets).toHaveLength(2);
        expect((await store().webhooks.find(endpointId, soon))?.rotatingUntil).toBe(soon + 1_000);
        await store().webhooks.remove(endpointId, soon);
        const late = { secret: 'whsec_late', at: soon, overlapMs: 1_000 };
        expect(await store().webhooks.rotate(endpointId, late)).toBe(false);
        expect(await store().webhooks.rotate('0'.repeat(32), late)).toBe(false);
      });
    });

    it('never shows its secrets again', async () => {
      await withEndpoint(
        store(),
        async ({ endpoint, tenant, told }) => {
          await announce(store(), tenant, 1);
          const rotation = { secret: 'whsec_hidden_too', at: 2, overlapMs: 1_000 };
          await store().webhooks.rotate(endpoint.endpointId, rotation);
          const shown = [
            endpoint,
            await store().webhooks.find(endpoint.endpointId, 2),
            await store().webhooks.list({}, 2),
            await told(),
          ];
          expect(JSON.stringify(shown)).not.toContain('whsec_');
        },
        { secret: 'whsec_hidden' },
      );
    });
  });
}
