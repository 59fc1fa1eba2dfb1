import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { machineUser } from '../../src/application/machine-user.js';
import { createApp } from '../../src/http/app.js';
import { createLogger } from '../../src/http/log.js';
import { createBench, exhaustAll, verifyAll } from '../support/fakes/bench.js';
import { createApi, problemIn, submission } from './api.js';

const path = '/v1/extractions';

async function asked(prepare: (bench: ReturnType<typeof createBench>) => void, body = submission()) {
  const bench = createBench();
  prepare(bench);
  const app = createApp({
    ...{ app: bench.app, apiKey: null, tenant: 'acme', inFlight: 4, version: '0.1.0' },
    logger: createLogger('silent'),
  });
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
  const { id } = (await (await app.request(path, init)).json()) as { id: string };
  const get = (part: string, headers: Record<string, string> = {}) =>
    app.request(`${path}/${id}${part}`, { headers });
  const fetch = (method: string, headers: Record<string, string>) =>
    app.request(`${path}/${id}/document`, { method, headers });
  return { bench, id, get, fetch };
}

describe('GET /v1/extractions/{id}', () => {
  it('when it is as it was, then 304 is answer enough', async () => {
    const { get, bench, id } = await asked(() => undefined);
    const tag = (await get('')).headers.get('etag') ?? '';
    expect(tag).toMatch(/^"[\w-]{27}"$/);
    const same = await get('', { 'if-none-match': `"other", W/${tag}` });
    expect({ status: same.status, body: await same.text() }).toEqual({ status: 304, body: '' });
    expect(same.headers.get('retry-after')).toBe('3');
    bench.store.end(id, { outcome: 'unverified', reason: 'refusal', route: 'dead_letter' });
    expect((await get('', { 'if-none-match': tag })).status).toBe(200);
  });
});

describe('GET /v1/extractions/{id}/events', () => {
  it('when it has ended, then all of it comes at once: start, attempts without a word of the document, end', async () => {
    const { get } = await asked((bench) => exhaustAll(bench, 'dead_letter'));
    const text = await (await get('/events')).text();
    const events = text.split('\n\n').filter((event) => event !== '');
    expect(events.map((event) => /^event: (.*)$/m.exec(event)?.[1])).toEqual([
      'started',
      'attempt',
      'attempt',
      'ended',
    ]);
    expect(events.map((event) => /^id: (.*)$/m.exec(event)?.[1])).toEqual(['start', '1', '2', 'end']);
    expect(text).toContain('"problems":[{"rule":"sum","pointer":"/total"}]');
    expect(text).not.toContain('5.50');
  });

  it('when a client comes back, then it goes on where it was, and stays away after the end', async () => {
    const { get } = await asked((bench) => exhaustAll(bench, 'dead_letter'));
    const rest = await (await get('/events', { 'last-event-id': '1' })).text();
    expect(rest.match(/^id: .*$/gm)).toEqual(['id: 2', 'id: end']);
    expect((await get('/events', { 'last-event-id': 'end' })).status).toBe(204);
  });

  it('when it runs, then the stream goes on until it has ended', async () => {
    const { get, bench, id } = await asked(() => undefined);
    const answer = await get('/events');
    bench.store.end(id, { outcome: 'unverified', reason: 'cancelled' });
    expect((await answer.text()).match(/^event: .*$/gm)).toEqual(['event: started', 'event: ended']);
  });

  it('when there is no such extraction, then 404', async () => {
    problemIn(await createApi().get(`${path}/00000000/events`), 404, 'not-found');
  });
});

describe('GET /v1/extractions/{id}/document', () => {
  const sent = (mediaType: string, bytes: string, fileName = 'Prüfung "1".txt') =>
    asked(verifyAll, submission({ document: { base64: btoa(bytes), mediaType }, fileName }));

  it('when it is text, then it may be shown, and nothing in it runs', async () => {
    const { get } = await sent('text/plain', '<script>alert(1)</script>');
    const answer = await get('/document');
    expect(await answer.text()).toBe('<script>alert(1)</script>');
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-disposition': `inline; filename="Pr_fung _1_.txt"; filename*=UTF-8''Pr%C3%BCfung%20%221%22.txt`,
      'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    const tag = answer.headers.get('etag') ?? '';
    expect((await get('/document', { 'if-none-match': tag })).status).toBe(304);
  });

  it('when it is neither text nor an image, then it is saved to a file', async () => {
    const { get } = await sent('application/pdf', '%PDF-1.7');
    const answer = await get('/document');
    expect(answer.headers.get('content-type')).toBe('application/pdf');
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; /);
  });

  it.each(['text/html', 'image/svg+xml', 'application/xhtml+xml'])(
    'when it says it is %s, then it is never handed out as that',
    async (mediaType) => {
      const { get } = await sent(mediaType, '<html>');
      const answer = await get('/document');
      expect([
        answer.headers.get('content-type'),
        answer.headers.get('content-disposition')?.split(';')[0],
      ]).not.toEqual([mediaType, 'inline']);
    },
  );

  describe('given a document of ten bytes', () => {
    let served: ReturnType<typeof sent> | undefined;
    const ranged = async (headers: Record<string, string>, method = 'GET') => {
      served ??= sent('text/plain', '0123456789');
      const { fetch } = await served;
      const answer = await fetch(method, headers);
      const said = (name: string) => answer.headers.get(name);
      return {
        status: answer.status,
        body: await answer.text(),
        ...{ range: said('content-range'), length: said('content-length'), tag: said('etag') ?? '' },
        ...{ accepts: said('accept-ranges'), type: said('content-type') },
      };
    };
    it.each([
      ['bytes=0-0', '0', 'bytes 0-0/10'],
      ['bytes=3-5', '345', 'bytes 3-5/10'],
      ['bytes=7-', '789', 'bytes 7-9/10'],
      ['bytes=-2', '89', 'bytes 8-9/10'],
      ['bytes=-99', '0123456789', 'bytes 0-9/10'],
      ['Bytes = 8-99999999999999999999999', '89', 'bytes 8-9/10'],
    ])('%s is answered with these bytes alone', async (range, body, contentRange) => {
      expect(await ranged({ range })).toMatchObject({
        ...{ status: 206, body, range: contentRange, length: String(body.length) },
        ...{ accepts: 'bytes', type: 'text/plain; charset=utf-8' },
      });
    });

    it.each(['bytes=10-', 'bytes=10-20', 'bytes=-0', 'bytes=99999999999999999999999-'])(
      '%s is refused with how many there are',
      async (range) => {
        const answer = await ranged({ range });
        expect(answer).toMatchObject({ status: 416, range: 'bytes */10', type: 'application/problem+json' });
        expect(JSON.parse(answer.body)).toMatchObject({ type: '/problems/range-not-satisfiable' });
      },
    );

    it.each(['bytes=5-3', 'bytes=-', 'bytes=0-1,4-5', 'rows=1-2', 'bytes=a-b', '', 'bytes=0x1-2'])(
      '%s is no range, and answered with the whole',
      async (range) => {
        expect(await ranged({ range })).toMatchObject({
          ...{ status: 200, body: '0123456789', range: null, length: '10', accepts: 'bytes' },
        });
      },
    );

    it('a part is given of the version that is named, and the whole of any other', async () => {
      const { tag } = await ranged({});
      const range = 'bytes=0-1';
      expect(await ranged({ range, 'if-range': tag })).toMatchObject({ status: 206, body: '01' });
      for (const other of [`W/${tag}`, '"other"', 'Sat, 01 Mar 2026 00:00:00 GMT']) {
        expect(await ranged({ range, 'if-range': other })).toMatchObject({ status: 200, length: '10' });
      }
      expect(await ranged({ range, 'if-none-match': tag })).toMatchObject({ status: 304, body: '' });
    });

    it('HEAD says the same without the bytes, whatever range it names', async () => {
      const { body: _bytes, ...whole } = await ranged({});
      expect(await ranged({ range: 'bytes=0-1' }, 'HEAD')).toEqual({ ...whole, body: '' });
    });

    it('whatever is asked, the parts are what they say they are', async () => {
      const digits = fc.oneof(fc.nat({ max: 20 }).map(String), fc.constantFrom('', '00', '1'.repeat(40)));
      const header = fc.oneof(
        fc.tuple(fc.constantFrom('bytes=', 'BYTES=', 'bytes', ' bytes= '), digits, digits),
        fc.tuple(fc.string(), fc.string(), digits),
      );
      const check = fc.asyncProperty(header, async ([unit, from, to]) => {
        const name = `${unit}${from}-${to}`.replace(/[^\x20-\x7e]/g, '?');
        const { status, body, range } = await ranged({ range: name });
        expect([200, 206, 416]).toContain(status);
        if (status === 200) expect(body).toBe('0123456789');
        if (status !== 206) return;
        const [, first, last] = /^bytes (\d)-(\d)\/10$/.exec(range ?? '') ?? [];
        expect(body).toBe('0123456789'.slice(Number(first), Number(last) + 1));
        expect(body).not.toBe('');
        if (from.trim() !== '') expect(Number(from)).toBe(Number(first));
      });
      await fc.assert(check, { numRuns: 200 });
    });
  });

  it('when its bytes are not kept any more, then 410', async () => {
    const { get, bench } = await sent('text/plain', 'a');
    bench.store.documentRows.clear();
    expect((await get('/document')).status).toBe(410);
  });
});

describe('given many requests of one key', () => {
  it('then each says how many are left, and the first too many says when to come again', async () => {
    const api = createApi({ perMinute: 12 });
    const first = await api.get(path);
    expect(first.headers.get('ratelimit-policy')).toBe('"key";q=2;w=10');
    expect(first.headers.get('ratelimit')).toBe('"key";r=1;t=10');
    await api.get(path);
    const third = await api.get(path);
    expect(problemIn(third, 429, 'rate-limited').detail).toMatch(
      /^This key may send 2 requests in 10 seconds/,
    );
    expect(third.headers.get('retry-after')).toMatch(/^\d+$/);
    expect((await api.get('/healthz')).status).toBe(200);
  });
});

describe('GET /v1/audit', () => {
  it('then it lists who changed what, by whole ids, and nothing that was refused or changed nothing', async () => {
    const api = createApi();
    const { body } = await api.post(path, submission());
    const { id } = body as { id: string };
    await api.post(`${path}/${id.slice(0, 12)}/cancel`, undefined);
    await api.post(`${path}/00000000/cancel`, undefined);
    await api.post(path, submission({ spec: 'recipe' }));
    await api.get(`${path}/${id}`);
    const { body: page } = await api.get('/v1/audit', { 'x-request-id': 'r' });
    expect(page).toMatchObject({
      items: [
        { actor: machineUser, keyId: 'local', action: 'cancelExtraction', subject: id },
        { action: 'submitExtraction', subject: id, tenant: 'acme' },
      ],
      nextCursor: null,
    });
    const documents = [{ document: { text: 'a' } }];
    await api.post('/v1/batches', { spec: 'receipt', id: 'march', documents });
    await api.post('/v1/repairs/pause', { spec: 'receipt' });
    expect((await api.get('/v1/audit?limit=2')).body).toMatchObject({
      items: [
        { action: 'pauseRepairs', subject: 'receipt', tenant: null },
        { action: 'submitBatch', subject: 'march', tenant: 'acme' },
      ],
    });
    expect((await api.get('/v1/audit?action=submitExtraction')).body).toMatchObject({
      items: [{ subject: id }],
    });
  });
});
