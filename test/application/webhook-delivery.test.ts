import { describe, expect, it } from 'vitest';
import { rotateWebhook } from '../../src/application/webhooks.js';
import { landing, openRun } from '../contract/store/fixtures.js';
import { verified } from '../support/webhook-receiver.js';
import { realSender, virtualTime } from './webhook-bench.js';
import { dispatch, scene, store, verify } from './webhook-scene.js';

describe('an event', () => {
  it('reaches its receiver, signed, in references only', async () => {
    const { receiver, secret, tenant, settled } = await scene();
    const { said } = dispatch({ webhooks: store.webhooks });
    const key = await verify(tenant);
    await receiver.came(1);
    const [received] = receiver.received;
    if (received === undefined) throw new Error('Nothing came.');
    expect(verified(secret, received)).toEqual({
      type: 'extraction.verified',
      timestamp: '1970-01-01T00:33:20.000Z',
      data: {
        extractionId: key,
        run: 1,
        tenant,
        spec: 'claim',
        outcome: 'verified',
        reason: null,
        route: null,
        verificationStatus: 'verified',
      },
    });
    const [delivery] = await settled('delivered');
    expect(delivery?.event.eventId).toBe(received.id);
    expect(delivery?.tries).toMatchObject([{ status: 204, error: null }]);
    expect(said).toEqual([]);
  });

  it('of an unverified run says so, with its reason and where it went', async () => {
    const { receiver, secret, tenant } = await scene();
    await store.extractions.land(landing(await openRun(store, { tenant })));
    dispatch({ webhooks: store.webhooks });
    await receiver.came(1);
    const [received] = receiver.received;
    expect(received && verified(secret, received)).toMatchObject({
      type: 'extraction.unverified',
      data: { outcome: 'unverified', reason: 'attempt_cap', route: 'dead_letter', verificationStatus: null },
    });
  });

  it('is verified by a receiver with either secret while they are rotated, then with the new one only', async () => {
    const { receiver, secret, endpoint, tenant, settled } = await scene();
    const now = Date.now();
    const rotated = await rotateWebhook(store, endpoint.endpointId, { overlapMs: 60_000, now });
    await verify(tenant);
    const first = dispatch({ webhooks: store.webhooks });
    await settled('delivered');
    await first.end();
    await verify(tenant);
    const late = dispatch({ webhooks: store.webhooks, now: () => Date.now() + 61_000 });
    await settled('delivered');
    await late.end();
    const known = (key: string) =>
      receiver.received.map((one) => {
        // The second request is dated a minute ahead, which receivers put up with.
        return verified(key, one) !== null;
      });
    expect([known(secret), known(rotated.secret)]).toEqual([
      [true, false],
      [true, true],
    ]);
  });
});

describe('a receiver that fails', () => {
  it('is tried again under the same id until it takes it, and every try is logged', async () => {
    const { receiver, tenant, settled, secret } = await scene((response, _, index) => {
      if (index === 0) response.writeHead(500).end();
      else if (index === 1) response.writeHead(302, { location: '/elsewhere' }).end();
      else if (index === 2) response.destroy();
      else response.writeHead(200).end('thanks');
    });
    await verify(tenant);
    const time = virtualTime(Date.now(), store.webhooks, realSender);
    dispatch(time);
    const [delivery] = await settled('delivered');
    expect(delivery?.tries.map(({ status, error }) => [status, error])).toEqual([
      [500, 'rejected'],
      [302, 'redirect'],
      [null, 'reset'],
      [200, null],
    ]);
    expect(new Set(receiver.received.map(({ id }) => id))).toEqual(new Set([delivery?.event.eventId]));
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
    expect(receiver.received.every((one) => verified(secret, one) !== null)).toBe(true);
    expect(receiver.received).toHaveLength(4);
  });

  it('is tried for a day on the schedule, then its delivery is given up and visible', async () => {
    const { tenant, settled, deliveries } = await scene();
    await verify(tenant);
    const sentAt: number[] = [];
    const startedAt = 1_800_000_000_000;
    const time = virtualTime(startedAt, store.webhooks, {
      send: async ({ at }) => {
        sentAt.push(at - startedAt);
        return { kind: 'answered', status: 503, retryAfterMs: null };
      },
    });
    const { said } = dispatch(time);
    const [delivery] = await settled('given_up');
    const delays = sentAt.slice(1).map((at, index) => (at - (sentAt[index] ?? 0)) / 1_000);
    expect(delays.slice(0, 5)).toEqual([5, 10, 20, 40, 80]);
    expect(delays.slice(10, -1).every((seconds) => seconds === 5_120 || seconds === 7_200)).toBe(true);
    expect(sentAt.at(-1)).toBe(24 * 3_600_000);
    expect(delivery?.tries).toHaveLength(sentAt.length);
    const failed = await store.webhooks.deliveries({ tenant, failed: true }, { limit: 5 });
    expect(failed.items).toEqual(await deliveries());
    expect(said).toEqual([`webhooks: delivery ${delivery?.deliveryId} is given up after a day`]);
  });

  it('and asks for patience is given it', async () => {
    const { tenant, settled } = await scene();
    await verify(tenant);
    const sentAt: number[] = [];
    const time = virtualTime(1_800_000_000_000, store.webhooks, {
      send: async ({ at }) => {
        sentAt.push(at);
        const status = sentAt.length === 1 ? 429 : 200;
        return { kind: 'answered', status, retryAfterMs: status === 429 ? 90_000 : null };
      },
    });
    dispatch(time);
    await settled('delivered');
    expect((sentAt[1] ?? 0) - (sentAt[0] ?? 0)).toBe(90_000);
  });

  it('with 410 is told nothing more', async () => {
    const { receiver, tenant, endpoint, settled } = await scene((response) => response.writeHead(410).end());
    await verify(tenant);
    const { said } = dispatch({ webhooks: store.webhooks });
    const [delivery] = await settled('given_up');
    expect(delivery?.tries).toMatchObject([{ status: 410, error: 'gone' }]);
    expect(await store.webhooks.find(endpoint.endpointId, 1)).toMatchObject({ state: 'disabled' });
    await verify(tenant);
    expect(receiver.received).toHaveLength(1);
    expect(said).toEqual([
      `webhooks: ${endpoint.endpointId} answered 410 to delivery ${delivery?.deliveryId} and is told nothing more`,
    ]);
  });

  it('by never answering holds up nobody else', async () => {
    const held: (() => void)[] = [];
    const stuck = await scene((response) => held.push(() => response.writeHead(204).end()));
    const swift = await scene();
    for (let index = 0; index < 20; index += 1) await verify(stuck.tenant);
    dispatch({ webhooks: store.webhooks });
    await stuck.receiver.came(4);
    for (let index = 0; index < 6; index += 1) {
      await verify(swift.tenant);
      await swift.settled('delivered');
    }
    expect((await stuck.deliveries()).every(({ state }) => state === 'pending')).toBe(true);
    stuck.receiver.answering = (response) => response.writeHead(204).end();
    for (const answer of held) answer();
    await stuck.settled('delivered');
    expect(new Set(stuck.receiver.received.map(({ id }) => id)).size).toBe(20);
    expect(stuck.receiver.received).toHaveLength(20);
  });
});
