import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chanceFor } from '../../samples/generator/chance.js';
import { type Audited, audit } from './audit.js';
import { insist } from './desk.js';
import { type Fault, races } from './races.js';
import { astray, settled } from './settled.js';
import { openStack, type Stack } from './stack.js';
import { killings } from './strikes.js';
import { type Told, tableOf } from './table.js';

/** `npm run chaos` strikes twenty times and keeps the store away for half a minute. */
const kills = Number(process.env['CHAOS_KILLS'] ?? 3);
const storeDownMs = Number(process.env['CHAOS_STORE_DOWN_MS'] ?? 5_000);
const seed = Number(process.env['CHAOS_SEED'] ?? Math.floor(Math.random() * 1e9));
const again = `CHAOS_SEED=${seed} CHAOS_KILLS=${kills} npx vitest run test/chaos`;
/** Only faults whose name has this in it. */
const only = process.env['CHAOS_ONLY'] ?? '';

const struck = killings({ kills, storeDownMs });
const faults = [...Object.keys(races), ...Object.keys(struck)].filter((name) => name.includes(only));

let stack: Stack;
const told: Told[] = [];
const outcomes = new Map<string, Promise<Audited>>();

/** Lets a fault happen when its turn has come, waits until what it hit has ended, and asks the tables. */
function suffer(name: string, fault: Fault, turn: Promise<unknown>): Promise<unknown> {
  const tenant = `fault-${outcomes.size + 1}`;
  const struck = turn.then(async () => ({ beganAt: Date.now(), ...(await fault(stack, tenant)) }));
  const outcome = struck.then(async ({ ids, documents, beganAt, afterwards }) => {
    await afterwards?.();
    await settled(stack, tenant);
    const found = await stack.onDatabase((client) => audit(client, { tenant, ids, documents }));
    const audited = { ...found, stuck: [...found.stuck, ...(await astray(stack, tenant))] };
    told.push({ fault: name, documents, audited, seconds: Math.round((Date.now() - beganAt) / 1_000) });
    return audited;
  });
  outcome.catch(() => undefined);
  outcomes.set(name, outcome);
  // Struck that often, so much is under way that what comes next would only wait for it.
  return (kills > 3 ? outcome : struck).catch(() => undefined);
}

beforeAll(async () => {
  stack = await openStack();
  await insist(stack, 'POST', '/v1/webhooks', { url: stack.receiver.url, tenant: null });
  // Races all at once, since nothing is killed. Then one part after another: while the next one is struck, what the one
  // before has hit may still be on its way to its end.
  const chosen = <T>(from: Readonly<Record<string, T>>) =>
    Object.entries(from).filter(([name]) => faults.includes(name));
  const raced = chosen(races).map(([name, fault]) => suffer(name, fault, Promise.resolve()));
  let turn: Promise<unknown> = Promise.all(raced);
  for (const [name, kill] of chosen(struck)) {
    turn = suffer(
      name,
      (scene, tenant) => kill(scene, tenant, { kills, storeDownMs, chance: chanceFor(seed, name) }),
      turn,
    );
  }
});
afterAll(async () => {
  await Promise.allSettled(outcomes.values());
  const inOrder = faults.flatMap((name) => told.filter(({ fault }) => fault === name));
  console.log(`\nSeed ${seed}; again: ${again}\n\n${tableOf(inOrder)}\n`);
  await stack.close();
});

describe(`real processes (seed ${seed})`, () => {
  it.each(faults)(
    'lose nothing, do nothing twice and leave nothing open: %s',
    async (name) => {
      const audited = await outcomes.get(name);
      expect({ again, ...audited, balance: audited?.balance.open }).toEqual({
        ...{ again, lost: [], duplicated: [], stuck: [], balance: 0 },
      });
    },
    1_200_000,
  );

  it('tell every webhook of every event, under its one id', async () => {
    await Promise.allSettled(outcomes.values());
    const events = (await stack.sql('select event_id from outbox')).map(({ event_id: id }) => id);
    const received = new Set(stack.receiver.received.map(({ id }) => id));
    expect([...received].sort()).toEqual(events.sort());
  }, 1_200_000);
});
