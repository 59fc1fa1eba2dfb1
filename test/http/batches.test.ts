import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createKey } from '../../src/application/api-keys.js';
import { Batch, BatchCancelling, BatchDocumentPage, BatchPage } from '../../src/http/schemas/batch.js';
import { verifyAll } from '../support/fakes/bench.js';
import { type Answer, type Api, conforms, createApi, problemIn } from './api.js';

const documents = (...texts: readonly string[]) =>
  texts.map((text) => ({ document: { text }, fileName: `${text}.txt` }));

const ask = (api: Api, changes: object = {}) =>
  api.post('/v1/batches', { spec: 'receipt', documents: documents('a', 'b', 'c'), ...changes });

const verifying = (): Api => {
  const api = createApi();
  verifyAll(api);
  return api;
};

/** The events of a stream that ends by itself. */
async function eventsOf(api: Api, path: string, headers: Record<string, string> = {}) {
  const response = await api.fetch(path, headers);
  const text = await response.text();
  const events = text.split('\n\n').flatMap((block) => {
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1] ?? '';
    return field('event') === ''
      ? []
      : [
          {
            id: field('id'),
            event: field('event'),
            data: JSON.parse(field('data')) as Record<string, unknown>,
          },
        ];
  });
  return { status: response.status, events };
}

/** Lines of a manifest, each a document of its own. */
const lines = (name: string, count: number): string =>
  Array.from(
    { length: count },
    (_, index) => `${JSON.stringify({ document: { text: `${name} ${index}` } })}\n`,
  ).join('');

/** A manifest that is on its way. */
function uploading(api: Api, id: string) {
  let control: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start: (given) => {
      control = given;
    },
  });
  const answer = api.request(`/v1/batches?spec=receipt&id=${id}`, {
    ...{ method: 'POST', headers: { 'content-type': 'application/x-ndjson' }, body },
    duplex: 'half',
  } as RequestInit);
  return {
    answer,
    send: (text: string | readonly number[]) =>
      control?.enqueue(typeof text === 'string' ? new TextEncoder().encode(text) : Uint8Array.from(text)),
    end: () => control?.close(),
  };
}

describe('batches over HTTP', () => {
  it('when documents are handed in, then it runs, and says where to look', async () => {
    const api = verifying();
    const answer = await ask(api, { tokens: 30_000, deadlineMs: 60_000, name: 'march', tags: ['x'] });
    expect(answer.status).toBe(202);
    const batch = conforms(Batch, answer);
    expect(answer.headers.get('location')).toBe(`/v1/batches/${batch.id}`);
    expect(batch).toMatchObject({
      ...{ state: 'finished', tenant: 'acme', spec: 'receipt', name: 'march', tags: ['x'] },
      ...{ documents: 3, verified: 3, unverified: 0, waiting: 0, budgetTokens: 30_000, tokens: 2_700 },
    });
    expect(conforms(Batch, await api.get(`/v1/batches/${batch.id}`))).toEqual(batch);
    expect(conforms(BatchPage, await api.get('/v1/batches?spec=receipt&state=finished')).items).toEqual([
      batch,
    ]);
    expect(conforms(BatchPage, await api.get('/v1/batches?state=running')).items).toEqual([]);
    expect(api.store.rows.map(({ batchId }) => batchId)).toEqual(Array(3).fill(`batch/${batch.id}`));
    const list = await api.get(`/v1/extractions?batch=batch/${batch.id}`);
    expect((list.body as { items: unknown[] }).items).toHaveLength(3);
  });

  it('when its documents are asked for, then each says how it ended, page by page', async () => {
    const api = verifying();
    const { id } = conforms(Batch, await ask(api));
    const first = conforms(BatchDocumentPage, await api.get(`/v1/batches/${id}/documents?limit=2`));
    expect(first.items.map(({ item, fileName, outcomeKind }) => [item, fileName, outcomeKind])).toEqual([
      ['0', 'a.txt', 'verified'],
      ['1', 'b.txt', 'verified'],
    ]);
    const rest = await api.get(`/v1/batches/${id}/documents?limit=2&cursor=${first.nextCursor}`);
    expect(conforms(BatchDocumentPage, rest).items.map(({ item }) => item)).toEqual(['2']);
    const none = await api.get(`/v1/batches/${id}/documents?outcome=unverified`);
    expect(conforms(BatchDocumentPage, none).items).toEqual([]);
  });

  it('when documents are named by their hash, then those that are stored are taken', async () => {
    const api = verifying();
    const hash = await api.store.documents.put({
      ...{ tenant: 'acme', mediaType: 'text/plain', bytes: Buffer.from('stored'), at: 1 },
    });
    const one = [{ document: { documentHash: hash } }];
    expect(conforms(Batch, await ask(api, { documents: one }))).toMatchObject({ verified: 1 });
    const unknown = [...one, { document: { documentHash: 'f'.repeat(64) } }];
    const problem = problemIn(await ask(api, { documents: unknown, id: 'odd' }), 422, 'invalid-request');
    expect(problem.errors).toEqual([expect.objectContaining({ pointer: '/documents/1' })]);
    // Nothing is left of it.
    problemIn(await api.get('/v1/batches/odd'), 404, 'not-found');
  });

  it('when a manifest is sent, then every line is a document; a line that cannot be read is named', async () => {
    const api = verifying();
    const lines = Array.from({ length: 60 }, (_, index) =>
      JSON.stringify({ document: { text: `${index}` } }),
    );
    const send = (body: string | Blob, query = '?spec=receipt&id=lines&tag=a&tag=b') =>
      api.request(`/v1/batches${query}`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-ndjson' },
        body,
      });
    const answer = await send(`${lines.join('\n')}\n\n`);
    expect(conforms(Batch, answer)).toMatchObject({
      id: 'lines',
      documents: 60,
      verified: 60,
      tags: ['a', 'b'],
    });
    const strange: readonly (readonly [string | Uint8Array<ArrayBuffer>, string, string])[] = [
      [
        '{"document": {"text": 7}}',
        'Line 2: /document/text: It must be a text.',
        '/documents/1/document/text',
      ],
      ['{"document": {"text": "a"}, "tags": 7}', 'Line 2: /tags: It must be a list.', '/documents/1/tags'],
      ['no json', 'Line 2 is not valid JSON.', '/documents/1'],
      [
        '{"document": {"text": "a"}, "fileName": "a", "fileName": "b"}',
        'Line 2 gives "fileName" twice in one object; give it once.',
        '/documents/1',
      ],
      ['{"document": {"text": "\\ud83d"}}', 'Line 2 holds NUL, or half of a character.', '/documents/1'],
      [new Uint8Array([0x22, 0xff, 0x22]), 'The manifest is not text in UTF-8.', ''],
      // The first byte of two, and nothing behind it.
      [new Uint8Array([0x22, 0xc3]), 'The manifest is not text in UTF-8.', ''],
    ];
    for (const [line, detail, pointer] of strange) {
      const body = new Blob([`${lines[0]}\n`, line]);
      const problem = problemIn(await send(body, '?spec=receipt&id=odd'), 422, 'invalid-request');
      expect(problem).toMatchObject({ detail, errors: [{ pointer }] });
    }
    problemIn(await send('\n', '?spec=receipt'), 422, 'invalid-request');
    problemIn(await send(lines[0] ?? '', ''), 422, 'invalid-request');
  });

  it('when the same id is asked for again, then it is the same batch, and nothing runs twice', async () => {
    const api = verifying();
    expect((await ask(api, { id: 'mine' })).status).toBe(202);
    const again = await ask(api, { id: 'mine', documents: documents('d') });
    expect(again.status).toBe(200);
    expect(conforms(Batch, again)).toMatchObject({ id: 'mine', documents: 3 });
    expect(api.engine.started).toHaveLength(3);
  });

  it('when two manifests come under one id at once, then the later one is the batch, and the other is told', async () => {
    const api = verifying();
    const first = uploading(api, 'both');
    first.send(lines('a', 30));
    // A piece of 25 has been handed in.
    await expect
      .poll(() => api.store.batches.documents('both', {}, { limit: 50 }))
      .toHaveProperty('items.24');
    const second = uploading(api, 'both');
    second.send(lines('b', 2));
    second.end();
    expect(conforms(Batch, await second.answer)).toMatchObject({ id: 'both', documents: 2 });
    first.send(lines('a', 30));
    first.end();
    expect(problemIn(await first.answer, 409, 'batch-changed').detail).toContain('batch both');
    expect(conforms(Batch, await api.get('/v1/batches/both'))).toMatchObject({ documents: 2, verified: 2 });
  });

  it('when a manifest breaks off after it was begun anew, then the new one goes on', async () => {
    const api = verifying();
    const handedIn = () => api.store.batches.documents('again', {}, { limit: 50 });
    const broken = uploading(api, 'again');
    broken.send(lines('a', 30));
    await expect.poll(handedIn).toHaveProperty('items.24');
    const again = uploading(api, 'again');
    await expect.poll(handedIn).toEqual({ items: [], nextCursor: null });
    again.send(lines('a', 30));
    await expect.poll(handedIn).toHaveProperty('items.24');
    broken.send('no json\n');
    problemIn(await broken.answer, 422, 'invalid-request');
    again.end();
    expect(conforms(Batch, await again.answer)).toMatchObject({ documents: 30 });
  });

  it('when a line comes byte by byte, then it is the line', async () => {
    const api = verifying();
    const upload = uploading(api, 'slow');
    for (const byte of new TextEncoder().encode(`${lines('ä€😀', 1)}${lines('b', 1)}`)) upload.send([byte]);
    upload.end();
    expect(conforms(Batch, await upload.answer)).toMatchObject({ documents: 2 });
    const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');
    expect(api.store.rows.map(({ documentHash }) => documentHash)).toEqual([hashOf('ä€😀 0'), hashOf('b 0')]);
  });

  it('when the request cannot be used, then it says what is wrong, and nothing is written', async () => {
    const api = createApi();
    const refused: readonly [object, string][] = [
      [{ documents: [] }, 'invalid-request'],
      [{ tokens: 0 }, 'invalid-request'],
      [{ id: 'not an id' }, 'invalid-request'],
      [{ spec: 'nothing' }, 'unknown-spec'],
      [{ budgets: { attemptCap: 99 } }, 'budget-exceeds-spec'],
    ];
    for (const [changes, slug] of refused) problemIn(await ask(api, changes), 422, slug);
    expect(conforms(BatchPage, await api.get('/v1/batches')).items).toEqual([]);
    problemIn(await api.get('/v1/batches/nothing/documents'), 404, 'not-found');
    problemIn(await api.get('/v1/batches/nothing/events'), 404, 'not-found');
    problemIn(await api.post('/v1/batches/nothing/cancel', {}), 404, 'not-found');
  });

  it('when it is cancelled, then nothing more begins; what runs goes on, or is cancelled as well', async () => {
    const api = createApi({ inFlight: 2 });
    const cancel = async (id: string, body: object): Promise<[number, string]> => {
      const answer: Answer = await api.post(`/v1/batches/${id}/cancel`, body);
      return [answer.status, conforms(BatchCancelling, answer).kind];
    };
    await ask(api, { id: 'gently' });
    expect(await cancel('gently', {})).toEqual([202, 'requested']);
    expect(conforms(Batch, await api.get('/v1/batches/gently'))).toMatchObject({
      ...{ state: 'stopping', underWay: 2, waiting: 1 },
    });
    await ask(api, { id: 'hard', documents: documents('x', 'y', 'z') });
    expect(await cancel('hard', { runs: 'cancel' })).toEqual([202, 'requested']);
    expect(conforms(Batch, await api.get('/v1/batches/hard'))).toMatchObject({
      ...{ state: 'cancelled', unverifiedBy: { cancelled: 2 }, waiting: 1 },
    });
    expect(await cancel('hard', {})).toEqual([200, 'ended']);
  });

  it('when it is followed, then each ending is told once, in order, from wherever a client was', async () => {
    const api = verifying();
    const { id } = conforms(Batch, await ask(api));
    const all = await eventsOf(api, `/v1/batches/${id}/events`);
    expect(all.events.map(({ event }) => event)).toEqual(['document', 'document', 'document', 'progress']);
    expect(all.events.map(({ data }) => data['item'] ?? data['state'])).toEqual(['0', '1', '2', 'finished']);
    const ids = all.events.map((event) => event.id);
    expect(new Set(ids).size).toBe(4);
    const rest = await eventsOf(api, `/v1/batches/${id}/events`, { 'last-event-id': ids[1] ?? '' });
    expect(rest.events.map((event) => event.id)).toEqual(ids.slice(2));
    const nothing = await eventsOf(api, `/v1/batches/${id}/events`, { 'last-event-id': ids[3] ?? '' });
    expect(nothing).toEqual({ status: 204, events: [] });
  });

  it('when it belongs to another tenant, then a key does not find it, and cannot take its id', async () => {
    const api = verifying();
    await ask(api, { id: 'theirs', tenant: 'acme' });
    const { secret } = await createKey(api.app, { name: 'ci', tenant: 'globex', roles: ['submit', 'read'] });
    const headers = { authorization: `Bearer ${secret}` };
    expect(conforms(BatchPage, await api.get('/v1/batches', headers)).items).toEqual([]);
    for (const path of ['', '/documents', '/events']) {
      problemIn(await api.get(`/v1/batches/theirs${path}`, headers), 404, 'not-found');
    }
    problemIn(await api.post('/v1/batches/theirs/cancel', {}, headers), 404, 'not-found');
    const body = { spec: 'receipt', id: 'theirs', documents: documents('a') };
    problemIn(await api.post('/v1/batches', body, headers), 422, 'invalid-request');
    const hash = api.store.rows[0]?.documentHash;
    const named = { spec: 'receipt', documents: [{ document: { documentHash: hash } }] };
    problemIn(await api.post('/v1/batches', named, headers), 422, 'invalid-request');
    const own = await api.post('/v1/batches', { ...body, id: 'ours' }, headers);
    expect(conforms(Batch, own)).toMatchObject({ tenant: 'globex', verified: 1 });
  });
});
