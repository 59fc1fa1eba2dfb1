import { describe, expect, it } from 'vitest';
import { createApi, problemIn, submission } from './api.js';

const path = '/v1/extractions';
const json = { 'content-type': 'application/json' };
const send = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string>) =>
  createApi().request(path, { method: 'POST', body, headers });

describe('a body', () => {
  it.each([
    ['gzip', { ...json, 'content-encoding': 'gzip' }],
    ['Latin 1', { 'content-type': 'application/json; charset=iso-8859-1' }],
    ['plain text', { 'content-type': 'text/plain' }],
    ['another JSON', { 'content-type': 'application/merge-patch+json' }],
    ['no type', { 'content-type': '' }],
  ])('when it comes as %s, then 415 says what it must be', async (_what, headers) => {
    const problem = problemIn(
      await send(JSON.stringify(submission()), headers),
      415,
      'unsupported-media-type',
    );
    expect(problem.detail).toMatch(/^The body must/);
  });

  it.each(['application/json; charset=UTF-8', 'Application/JSON;charset="utf-8"'])(
    'when its type is written %s, then it is taken',
    async (type) => {
      expect((await send(JSON.stringify(submission()), { 'content-type': type })).status).toBe(202);
    },
  );

  it.each<[string, string | Uint8Array<ArrayBuffer>, string]>([
    ['broken JSON', '{"spec": ', 'is not valid JSON'],
    ['bytes that are no UTF-8', new Uint8Array([0x22, 0xff, 0x22]), 'UTF-8'],
    ['half a character', '{"spec": "\\ud83d"}', 'half of a character'],
    ['NUL', '{"spec": "\\u0000"}', 'NUL'],
    [
      'a name that is given twice',
      '{"spec": "claim", "a": [{"spec": 1}], "sp\\u0065c": "other"}',
      '"spec" twice',
    ],
    ['nesting without end', '['.repeat(100_000), 'deeper than 64'],
    ['nothing', '', 'is not valid JSON'],
  ])('when it is %s, then 400 says so', async (_what, body, says) => {
    expect(problemIn(await send(body, json), 400, 'malformed-body').detail).toContain(says);
  });

  it.each<[string, object, readonly { pointer: string; detail: string }[]]>([
    [
      'a field is missing',
      { document: { text: 'a' } },
      [{ pointer: '/spec', detail: 'It is needed, and missing.' }],
    ],
    [
      'a field is of another kind',
      submission({ tags: 'a' }),
      [{ pointer: '/tags', detail: 'It must be a list.' }],
    ],
    [
      'a field is empty',
      submission({ spec: '' }),
      [{ pointer: '/spec', detail: 'It must have at least 1 character.' }],
    ],
    [
      'a field is none',
      submission({ 'a/b~c': 1 }),
      [{ pointer: '/a~1b~0c', detail: 'There is no field "a/b~c" here.' }],
    ],
    [
      'base64 is none',
      submission({ document: { base64: '?', mediaType: 'application/pdf' } }),
      [{ pointer: '/document/base64', detail: 'It must be base64.' }],
    ],
    [
      'a document is two at once',
      submission({ document: { text: 'a', base64: 'YQ==', mediaType: 'text/plain' } }),
      // Closest to base64 with mediaType, and the text is what is too much.
      [{ pointer: '/document/text', detail: 'There is no field "text" here.' }],
    ],
    [
      'a document is as much a text as stored',
      submission({ document: { text: 'a', sha256: '0'.repeat(64) } }),
      [{ pointer: '/document', detail: 'It must hold either text, or base64 with mediaType, or sha256.' }],
    ],
    [
      'a document is none of the three',
      submission({ document: { hash: '0'.repeat(64) } }),
      [{ pointer: '/document', detail: 'It must hold either text, or base64 with mediaType, or sha256.' }],
    ],
    [
      'a document is no object',
      submission({ document: 'a' }),
      [{ pointer: '/document', detail: 'It must hold either text, or base64 with mediaType, or sha256.' }],
    ],
  ])('when %s, then one sentence in plain words says so', async (_what, body, errors) => {
    const answer = await createApi().post(path, body);
    expect(problemIn(answer, 422, 'invalid-request').errors).toEqual(errors);
  });
});

describe('a query', () => {
  it.each([
    ['limit=NaN', 'It must be a whole number from 1 to 200.'],
    ['limit=', 'It must be a whole number from 1 to 200.'],
    ['limit=1.5', 'It must be a whole number from 1 to 200.'],
    ['limit=1e999', 'It must be a whole number from 1 to 200.'],
    ['limit=-1', 'It must be a whole number from 1 to 200.'],
    ['limit=1&limit=2', 'It must be given once.'],
    ['reason=bad', /^It must be one of cancelled, attempt_cap, /],
    ['colour=red', 'There is no parameter "colour" here.'],
    ['tag=%ff', 'It holds bytes that are no text.'],
    ['tag=%00', 'It holds bytes that are no text.'],
    ['since=yesterday', 'It must be an instant such as 2026-03-01T00:00:00Z.'],
  ])('when it is %s, then 400 says so in plain words', async (query, says) => {
    const { errors, detail } = problemIn(await createApi().get(`${path}?${query}`), 400, 'invalid-parameter');
    expect(errors).toEqual([{ pointer: `/${query.split('=')[0]}`, detail: expect.stringMatching(says) }]);
    expect(detail).not.toMatch(/NaN|undefined|expected|zod/i);
  });
});

describe('every answer', () => {
  it('then says that it is not kept, framed, run or told', async () => {
    for (const asked of ['/healthz', '/v1/extractions', '/nothing']) {
      expect(Object.fromEntries((await createApi().get(asked)).headers)).toMatchObject({
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'referrer-policy': 'no-referrer',
        'x-frame-options': 'DENY',
      });
    }
  });
});
