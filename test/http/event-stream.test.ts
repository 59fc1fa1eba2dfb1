import { Hono } from 'hono';
import { describe, expect, it, vi } from 'vitest';
import { localPrincipal } from '../../src/domain/principal.js';
import type { HttpEnv } from '../../src/http/environment.js';
import { createEventStreams, type EventSource, eventStreamDefaults } from '../../src/http/event-stream.js';
import { problemOf, sendProblem } from '../../src/http/problem.js';

const counting = (last: number, onEnd = () => {}): EventSource =>
  async function* (after) {
    try {
      for (let number = Number(after ?? 0) + 1; number <= last; number += 1) {
        yield { id: String(number), event: 'counted', data: { number } };
      }
    } finally {
      onEnd();
    }
  };

/** Says nothing until nobody listens. */
const silent: EventSource = async function* (_after, signal) {
  await new Promise((resolve) => signal.addEventListener('abort', resolve));
  yield* [];
};

function serving(source: EventSource, options = {}) {
  const streams = createEventStreams({ ...eventStreamDefaults, ...options });
  const app = new Hono<HttpEnv>();
  app.use(async (c, next) => {
    c.set('principal', localPrincipal);
    c.set('requestId', 'r');
    await next();
  });
  app.get('/', (c) => streams.answer(c, source));
  app.onError((error, c) => sendProblem(c, problemOf(error)));
  const ask = (headers: Record<string, string> = {}, bindings: HttpEnv['Bindings'] = {}) =>
    app.request('/', { headers }, bindings);
  return { streams, ask };
}

describe('a stream of events', () => {
  it('then every event has its id, and the stream ends with its subject', async () => {
    const { ask } = serving(counting(2));
    const answer = await ask();
    expect(answer.headers.get('content-type')).toBe('text/event-stream');
    expect(await answer.text()).toBe(
      'event: counted\ndata: {"number":1}\nid: 1\n\nevent: counted\ndata: {"number":2}\nid: 2\n\n',
    );
  });

  it('when a client comes back, then it goes on behind the last event it saw', async () => {
    const { ask } = serving(counting(3));
    expect(await (await ask({ 'last-event-id': '2' })).text()).toBe(
      'event: counted\ndata: {"number":3}\nid: 3\n\n',
    );
  });

  it('when a client comes back after the end, then 204 tells it to stay away', async () => {
    const { ask } = serving(counting(3));
    expect((await ask({ 'last-event-id': '3' })).status).toBe(204);
    expect((await ask({ 'last-event-id': 'x'.repeat(201) })).status).toBe(400);
  });

  it('when nothing happens, then comments keep the connection', async () => {
    const { ask, streams } = serving(silent, { heartbeatMs: 5 });
    const reader = (await ask()).body?.getReader();
    const piece = await reader?.read();
    expect(new TextDecoder().decode(piece?.value)).toBe(': still here\n\n');
    streams.close();
  });

  it('when the client goes, then the source is told and the place is free', async () => {
    const ended: boolean[] = [];
    const watching: EventSource = async function* (after, signal) {
      yield* counting(1)(after, signal);
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      ended.push(true);
    };
    const { ask } = serving(watching, { most: 1 });
    const first = await ask();
    expect((await ask()).status).toBe(503);
    await first.body?.cancel();
    await vi.waitFor(() => expect(ended).toEqual([true]));
    const again = await ask();
    expect(again.status).toBe(200);
    await again.body?.cancel();
  });

  it('when a function answers, then no more than its answer may hold, and the rest when the client comes back', async () => {
    const { ask } = serving(counting(1_500));
    const invocation = { lambdaContext: { getRemainingTimeInMillis: () => 30_000 } };
    const first = await (await ask({}, invocation)).text();
    expect(first.match(/^id: /gm)).toHaveLength(1_000);
    const rest = await (await ask({ 'last-event-id': '1000' }, invocation)).text();
    expect(rest.match(/^id: /gm)).toHaveLength(500);
  });

  it('when it breaks off, then nothing of the fault is said, and the place is free', async () => {
    const breaking: EventSource = async function* () {
      yield { id: '1', event: 'counted', data: null };
      throw new Error('patient Ada Lovelace');
    };
    const { ask } = serving(breaking, { most: 1 });
    expect(await (await ask()).text()).toBe('event: counted\ndata: null\nid: 1\n\n');
    expect(await (await ask()).text()).not.toContain('Lovelace');
  });

  it('when its subject is not there, then that is a problem and no stream', async () => {
    const missing: EventSource = () => ({
      [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new TypeError('nothing')) }),
    });
    const { ask } = serving(missing, { most: 1 });
    expect((await ask()).status).toBe(500);
    expect((await ask()).status).toBe(500);
  });
});
