import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { StoreUnavailable } from '../../src/ports/store.js';
import type { WebhookSender } from '../../src/ports/webhook-sender.js';
import { realSender, virtualTime } from './webhook-bench.js';
import { database, dispatch, scene, store, verify } from './webhook-scene.js';

describe('two dispatchers', () => {
  it('share the work, and nothing is delivered twice', async () => {
    const { receiver, tenant, settled } = await scene((response) =>
      setTimeout(() => response.writeHead(204).end(), 5),
    );
    for (let index = 0; index < 30; index += 1) await verify(tenant);
    const counted = (name: 'one' | 'other'): WebhookSender => ({
      send: (request) => {
        sent[name] += 1;
        return realSender.send(request);
      },
    });
    const sent = { one: 0, other: 0 };
    dispatch({ webhooks: store.webhooks, sender: counted('one') });
    dispatch({ webhooks: store.webhooks, sender: counted('other') });
    await settled('delivered');
    expect(receiver.received).toHaveLength(30);
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(30);
    expect(Math.min(sent.one, sent.other)).toBeGreaterThan(0);
  });
});

describe('a crash', () => {
  it('between the answer and the store delivers again under the same id', async () => {
    const { receiver, tenant, settled } = await scene();
    await verify(tenant);
    let isBroken = true;
    const settle: typeof store.webhooks.settle = async (...settling) => {
      if (!isBroken) return await store.webhooks.settle(...settling);
      isBroken = false;
      throw new StoreUnavailable('Postgres at localhost:5432 dropped the connection.');
    };
    const { said } = dispatch(virtualTime(Date.now(), { ...store.webhooks, settle }, realSender));
    await settled('delivered');
    expect(receiver.received.map(({ id }) => id)).toHaveLength(2);
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(1);
    expect(said).toEqual([
      expect.stringMatching(
        /^webhooks: a try of delivery \w+ could not be written down \(StoreUnavailable\)$/,
      ),
    ]);
  });

  it('of a worker in the middle of a request leaves its delivery to another one', async () => {
    const { receiver, tenant, settled } = await scene(() => undefined);
    await verify(tenant);
    const script = fileURLToPath(new URL('./webhook-worker.ts', import.meta.url));
    const worker = spawn(process.execPath, ['--import', 'tsx', script, database.databaseUrl]);
    const gone = once(worker, 'exit');
    await receiver.came(1);
    worker.kill('SIGKILL');
    await gone;
    receiver.answering = (response) => response.writeHead(204).end();
    // As long as the lease holds nobody else makes it; this dispatcher lives after its end.
    const early = dispatch({ webhooks: store.webhooks });
    await early.end();
    expect(receiver.received).toHaveLength(1);
    dispatch({ webhooks: store.webhooks, now: () => Date.now() + 60_001 });
    const [delivery] = await settled('delivered');
    expect(receiver.received.map(({ id }) => id)).toEqual([delivery?.event.eventId, delivery?.event.eventId]);
    // The try that was lost with its worker is not in the log.
    expect(delivery?.tries).toHaveLength(1);
  });
});

describe('a dispatcher', () => {
  it('that is stopped lets what is under way end', async () => {
    const order: string[] = [];
    let answer = () => undefined as unknown;
    const { receiver, tenant, deliveries } = await scene((response) => {
      answer = () => response.writeHead(204).end(() => order.push('answered'));
    });
    await verify(tenant);
    const dispatcher = dispatch({ webhooks: store.webhooks });
    await receiver.came(1);
    const ended = dispatcher.end().then(() => order.push('ended'));
    setTimeout(answer, 100);
    await ended;
    expect(order).toEqual(['answered', 'ended']);
    expect(await deliveries()).toMatchObject([{ state: 'delivered' }]);
  });

  it('without work asks the store every half a minute and no more often', async () => {
    let claims = 0;
    const time = virtualTime(1_800_000_000_000, store.webhooks, realSender);
    const hour = new Promise<void>((resolve) => {
      const claim: typeof store.webhooks.claim = async (asked) => {
        claims += 1;
        if (asked.at >= 1_800_000_000_000 + 3_600_000) resolve();
        return await time.webhooks.claim(asked);
      };
      dispatch({ ...time, webhooks: { ...time.webhooks, claim } });
    });
    await hour;
    expect(claims).toBe(121);
    expect(new Set(time.slept)).toEqual(new Set([30_000]));
  });

  it('waits for a store that is away, says so once, and goes on', async () => {
    const { tenant, settled } = await scene();
    await verify(tenant);
    let faults = 3;
    const claim: typeof store.webhooks.claim = async (asked) => {
      faults -= 1;
      if (faults >= 0) throw new StoreUnavailable('Postgres at db.internal:5432 refused the connection.');
      return await store.webhooks.claim(asked);
    };
    const time = virtualTime(Date.now(), { ...store.webhooks, claim }, realSender);
    const { said } = dispatch(time);
    await settled('delivered');
    expect(said).toEqual(['webhooks: waiting for the store (StoreUnavailable)']);
    expect(time.slept.slice(0, 3)).toEqual([5_000, 5_000, 5_000]);
  });

  it('tidies up once an hour', async () => {
    const times: [number, number][] = [];
    const time = virtualTime(1_800_000_000_000, store.webhooks, realSender);
    const done = new Promise<void>((resolve) => {
      const tidy = async (at: number, before: number) => {
        times.push([at, before]);
        if (times.length === 3) resolve();
      };
      dispatch({ ...time, webhooks: { ...time.webhooks, tidy } });
    });
    await done;
    expect(times.map(([at]) => at - 1_800_000_000_000)).toEqual([0, 3_600_000, 7_200_000]);
    expect(times.every(([at, before]) => at - before === 30 * 86_400_000)).toBe(true);
  });
});
