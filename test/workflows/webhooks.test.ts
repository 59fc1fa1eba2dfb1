import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decideReview } from '../../src/application/decide-review.js';
import { addWebhook } from '../../src/application/webhooks.js';
import { dispatcherOf } from '../application/webhook-bench.js';
import { claimText } from '../support/papers.js';
import { openReceiver, type Receiver, verified } from '../support/webhook-receiver.js';
import { claimSpec } from './claim-specs.js';
import { type Ended, openScene, type Scenario, type Scene } from './scene.js';

const toPerson = claimSpec('claim-person');
const toBestEffort = claimSpec('claim-effort', { policy: { routes: [{ to: 'best_effort' }] } });
const toFallback = claimSpec('claim-fallback', { policy: { routes: [{ to: 'fallback' }] } });

/** The same wrong amount whatever the model is told. */
const stubborn = { behaviour: { misread: 1, stubborn: 1 } };
/** Stands in every document; no request may hold it. */
const marker = 'Marlene Marker';

interface Message {
  readonly type: string;
  readonly data: Record<string, unknown>;
}

let scene: Scene;
let receiver: Receiver;
let named: Receiver;
let secrets: { readonly all: string; readonly named: string };
const dispatchers: ReturnType<typeof dispatcherOf>[] = [];

beforeAll(async () => {
  [scene, receiver, named] = await Promise.all([
    openScene({ specs: [toPerson, toBestEffort, toFallback] }),
    openReceiver(),
    openReceiver(),
  ]);
  const { store } = scene.house.app;
  const webhook = { tenant: null, allowPrivate: true, now: Date.now() };
  secrets = {
    all: (await addWebhook(store, { ...webhook, url: receiver.url })).secret,
    named: (await addWebhook(store, { ...webhook, url: null })).secret,
  };
  // As many as a deployment might run.
  dispatchers.push(dispatcherOf({ webhooks: store.webhooks }), dispatcherOf({ webhooks: store.webhooks }));
  for (const dispatcher of dispatchers) dispatcher.run();
});
afterAll(async () => {
  for (const dispatcher of dispatchers) await dispatcher.end();
  await scene.close();
  await receiver.close();
  await named.close();
});

const run = (changes: Partial<Scenario> = {}): Promise<Ended> =>
  scene.run({ spec: toPerson, text: claimText({ claimant: marker }), turns: [stubborn], ...changes });

/** What a receiver was told of one extraction, each verified, in the order of the events. */
function toldOf(of: Receiver, secret: string, { extraction }: Ended): readonly Message[] {
  return of.received
    .map((one) => verified(secret, one) as Message)
    .filter(({ data }) => data['extractionId'] === extraction.key);
}
const shown = (messages: readonly Message[]) =>
  messages.map(({ type, data }) => [type, data['outcome'], data['route'], data['verificationStatus']]).sort();

describe('webhooks of real runs', () => {
  it('say what became of every document, once, and never that something verified which did not', async () => {
    const app = { ...scene.house.app, allowPrivateWebhooks: true };
    const text = claimText({ claimant: marker });
    const [fine, person, effort, nothing] = await Promise.all([
      run({ turns: [{}], app, submission: { webhookUrl: named.url } }),
      run({ text }),
      run({ spec: toBestEffort }),
      run({ spec: toFallback }),
    ]);
    await decideReview(scene.house.app, {
      review: person.extraction.key,
      actor: 'ada',
      verb: 'reject',
      values: null,
      note: 'illegible',
      overrides: [],
      ifVersion: null,
    });
    await receiver.came(7);
    await named.came(1);
    const told = (ended: Ended) => shown(toldOf(receiver, secrets.all, ended));
    expect(told(fine)).toEqual([['extraction.verified', 'verified', null, 'verified']]);
    expect(told(person)).toEqual([
      ['extraction.unverified', 'unverified', 'human_review', null],
      ['review.decided', 'unverified', 'human_review', 'rejected'],
    ]);
    expect(told(effort)).toEqual([
      ['extraction.unverified', 'unverified', 'best_effort', null],
      ['record.stored', 'unverified', 'best_effort', 'best_effort'],
    ]);
    expect(told(nothing)).toEqual([
      ['extraction.routed', 'unverified', 'dead_letter', null],
      ['extraction.unverified', 'unverified', 'fallback', null],
    ]);
    expect(shown(toldOf(named, secrets.named, fine))).toEqual(told(fine));

    // The same document again is the same extraction: nothing happens, so nothing is said before what happens next.
    expect((await run({ text })).extraction).toEqual(person.extraction);
    await run();
    await receiver.came(8);
    const ids = [...receiver.received, ...named.received].map(({ id }) => id);
    expect(new Set(ids).size).toBe(8);
    expect([receiver.received.length, named.received.length]).toEqual([8, 1]);
    for (const { body, headers } of [...receiver.received, ...named.received]) {
      expect(`${body}${JSON.stringify(headers)}`).not.toMatch(/Marlene|120\.50|79\.50|200\.00|window/);
    }
    expect(dispatchers.flatMap(({ said }) => said)).toEqual([]);
  });
});
