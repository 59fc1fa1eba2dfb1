import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cancelExtraction } from '../../src/application/cancel-extraction.js';
import { workflowIds } from '../../src/domain/workflow-id.js';
import type { Behaviour } from '../../src/standin/behaviour.js';
import { eventually } from '../support/eventually.js';
import { claimText } from '../support/papers.js';
import { claimSpec } from './claim-specs.js';
import { type Ended, openScene, type Scene } from './scene.js';

const plain = claimSpec('claim-plain');
/** Half a second is enough for the next call, and five for all. */
const hurried = claimSpec('claim-hurried', { policy: { deadlineMs: 5_000, estimateMs: [500] } });
const patient = claimSpec('claim-patient', { policy: { outage: { patienceMs: 600, pauseMs: 300 } } });
/** One call for each activity run, and tokens for two calls as they are estimated and one that is answered. */
const counted = claimSpec('claim-counted', {
  policy: {
    tokenCap: 10_000,
    outage: { patienceMs: 600, pauseMs: 100 },
    transport: { maximumCalls: 1, backoffTotalMs: 0 },
  },
});
const waiting = claimSpec('claim-waiting', { policy: { outage: { patienceMs: 20_000, pauseMs: 20_000 } } });

let scene: Scene;
beforeAll(async () => {
  scene = await openScene({ specs: [plain, hurried, patient, counted, waiting] });
});
afterAll(() => scene.close());

const fault = (behaviour: Partial<Behaviour>) => ({ behaviour });
const fine = {};
const overloaded = fault({ rate529: 1 });

const verdictOf = ({ outcome, extraction, calls }: Ended) => ({
  ending: outcome?.kind === 'unverified' ? outcome.reason : outcome?.kind,
  attempts: extraction.attempts,
  route: extraction.route,
  calls: calls.map((call) => call.faultClass ?? call.state),
});

/** A dead letter is parked for it, and no person is asked. */
async function expectParked({ extraction }: Ended): Promise<void> {
  const { deadLetters, reviews } = scene.house.app.store;
  expect(await deadLetters.find(extraction.key)).toMatchObject({
    state: 'parked',
    reason: extraction.reason,
    policy: extraction.policy,
  });
  expect(await reviews.find(extraction.subject)).toBeNull();
}

describe.concurrent('a call that fails on the way', () => {
  it('waits as long as the provider asks, then the same attempt makes the same request again', async () => {
    const text = claimText({});
    const limited = fault({ rate429: 1, retryAfterSeconds: 3 });
    const ended = await scene.run({ spec: plain, text, turns: [limited, fine] });
    expect(verdictOf(ended)).toEqual({
      ending: 'verified',
      attempts: 1,
      route: null,
      calls: ['rate_limited', 'answered'],
    });
    const [first, second] = scene.models.calls(text);
    expect(second?.body).toEqual(first?.body);
    expect(Number(second?.at) - Number(first?.at)).toBeGreaterThanOrEqual(3_000);
    const [attempt] = await scene.house.app.store.attempts.list(ended.extraction.key, 1);
    expect(attempt?.report).toMatchObject({ attempt: 1, calls: 2 });
    // A refused request costs nothing, so both sums are the second call's.
    expect(ended.extraction).toMatchObject({ calls: 2, tokens: ended.calls[1]?.tokens });
    expect(ended.calls[0]).toMatchObject({ tokens: 0, known: true, status: 429 });
  });

  it('is not repeated when the provider asks for more time than there is', async () => {
    const text = claimText({});
    const limited = fault({ rate429: 1, retryAfterSeconds: 60 });
    const ended = await scene.run({ spec: hurried, text, turns: [limited, fine] });
    expect(verdictOf(ended)).toMatchObject({
      ending: 'provider_unavailable',
      attempts: 0,
      calls: ['rate_limited'],
    });
    await expectParked(ended);
  });

  it('is made three times at an overloaded provider, then parked without an attempt or a person', async () => {
    const text = claimText({});
    const ended = await scene.run({ spec: plain, text, turns: [overloaded] });
    expect(verdictOf(ended)).toEqual({
      ending: 'provider_unavailable',
      attempts: 0,
      route: 'dead_letter',
      calls: ['overloaded', 'overloaded', 'overloaded'],
    });
    expect(scene.models.calls(text)).toHaveLength(3);
    await expectParked(ended);
  });

  it('leaves the attempt number alone over a durable wait', async () => {
    const text = claimText({});
    const turns = [overloaded, overloaded, overloaded, fine];
    const ended = await scene.run({ spec: patient, text, turns });
    expect(verdictOf(ended)).toMatchObject({
      ending: 'verified',
      attempts: 1,
      calls: ['overloaded', 'overloaded', 'overloaded', 'answered'],
    });
    const events = await scene.events(ended.extraction);
    expect(events.filter((event) => event === 'timerStarted')).toHaveLength(1);
    expect(events.filter((event) => event === 'activityTaskScheduled')).toHaveLength(2);
  });

  it('gets three calls for each activity execution, and waits no longer than its patience', async () => {
    const text = claimText({});
    const ended = await scene.run({ spec: patient, text, turns: [overloaded] });
    expect(verdictOf(ended)).toMatchObject({ ending: 'provider_unavailable', attempts: 0 });
    expect(scene.models.calls(text)).toHaveLength(9);
    const events = await scene.events(ended.extraction);
    expect(events.filter((event) => event === 'timerStarted')).toHaveLength(2);
    await expectParked(ended);
  });

  it('is paid for once, although each activity run of its attempt tells of it', async () => {
    const text = claimText({});
    const brokenOff = fault({ halfBody: 1 });
    const ended = await scene.run({ spec: counted, text, turns: [brokenOff, brokenOff, fine] });
    expect(verdictOf(ended)).toMatchObject({
      ending: 'verified',
      attempts: 1,
      calls: ['connection', 'connection', 'answered'],
    });
    const [first = 0, second = 0, third = 0] = ended.calls.map(({ tokens }) => tokens);
    // Told 1 and then 1 + 2, it would have ended as `token_cap` had those been added.
    expect(first + second).toBeLessThanOrEqual(counted.policy.tokenCap);
    expect(first + first + second).toBeGreaterThan(counted.policy.tokenCap);
    const handle = scene.client.workflow.getHandle(workflowIds.extraction(ended.extraction.key));
    expect(await handle.result()).toMatchObject({ outcome: 'verified', tokens: first + second + third });
    const events = await scene.events(ended.extraction);
    expect(events.filter((event) => event === 'activityTaskScheduled')).toHaveLength(3);
  });

  it('lets a cancel end the wait at once', async () => {
    const text = claimText({});
    const extraction = await scene.submit({ spec: waiting, text, turns: [overloaded] });
    await scene.models.arrived(text, 3);
    await eventually(async () => expect(await scene.events(extraction)).toContain('timerStarted'));
    expect((await cancelExtraction(scene.house.app, extraction.key)).kind).toBe('requested');
    const ended = await scene.ended(extraction);
    expect(verdictOf(ended)).toMatchObject({ ending: 'cancelled', attempts: 0, route: null });
    expect(await scene.events(extraction)).not.toContain('timerFired');
  });

  it('is one failed call when the body stalls, and never a race with the deadline', async () => {
    const text = claimText({});
    const ended = await scene.run({ spec: hurried, text, turns: [fault({ stalledBody: 1 })] });
    expect(verdictOf(ended)).toMatchObject({
      ending: 'provider_unavailable',
      attempts: 0,
      calls: ['stalled'],
    });
    // The answer had begun, so it may be billed: its estimate counts.
    expect(ended.calls[0]).toMatchObject({ state: 'failed', known: false });
    expect(ended.extraction.tokens).toBe(ended.calls[0]?.tokens);
    expect(ended.extraction.tokens).toBeGreaterThan(0);
    await expectParked(ended);
  });

  it.each([
    { name: 'the connection is reset', behaviour: { reset: 1 }, class: 'connection' },
    { name: 'the body breaks off', behaviour: { halfBody: 1 }, class: 'connection' },
    { name: 'a gateway answers with a page', behaviour: { rate502html: 1 }, class: 'server_error' },
    { name: 'the server has an error', behaviour: { rate500: 1 }, class: 'server_error' },
    { name: 'a page comes with status 200', behaviour: { rate200html: 1 }, class: 'bad_body' },
  ])('is made again when $name', async ({ behaviour, class: faultClass }) => {
    const text = claimText({});
    const ended = await scene.run({ spec: plain, text, turns: [fault(behaviour), fine] });
    expect(verdictOf(ended)).toMatchObject({
      ending: 'verified',
      attempts: 1,
      calls: [faultClass, 'answered'],
    });
  });

  it.each([
    { name: 'a prompt that is too long (400)', turn: fault({ contextTokens: 100 }), status: 400 },
    { name: 'the key (401)', turn: { apiKey: 'another-key' }, status: 401 },
    { name: 'the model (404)', turn: { model: 'claude-nobody' }, status: 404 },
    { name: 'more spending (429 without Retry-After)', turn: fault({ rateSpendLimit: 1 }), status: 429 },
  ])('is not repeated when the provider refuses $name', async ({ turn, status }) => {
    const text = claimText({});
    const ended = await scene.run({ spec: patient, text, turns: [turn] });
    expect(verdictOf(ended)).toMatchObject({
      ending: 'provider_rejected',
      attempts: 0,
      route: 'dead_letter',
    });
    expect(ended.calls).toHaveLength(1);
    expect(ended.calls[0]).toMatchObject({ state: 'failed', status });
    expect(scene.models.calls(text)).toHaveLength(1);
    await expectParked(ended);
  });
});
