import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { createKey, revokeKey } from '../../src/application/api-keys.js';
import { machineUser } from '../../src/application/machine-user.js';
import { submitExtraction } from '../../src/application/submit-extraction.js';
import { createConsole } from '../../src/console/app.js';
import { createBench, textSubmission } from '../support/fakes/bench.js';

const host = '127.0.0.1:4680';

function open(apiKey: string | null, keyless: boolean) {
  const bench = createBench();
  const site = createConsole({
    ...{ app: bench.app, pages: { layout: async () => null }, apiKey, keyless, inFlight: 4 },
    ...{ logger: pino({ level: 'silent' }), version: '0.1.0' },
  });
  const ask = (path: string, init: RequestInit = {}) =>
    site.request(path, { ...init, headers: { host, accept: 'text/html', ...(init.headers as object) } });
  const send = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
    ask(path, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { origin: `http://${host}`, 'sec-fetch-site': 'same-origin', ...headers },
    });
  const signIn = async (key: string, name = '', then = '') => {
    const answer = await send('/sign-in', { key, name, then });
    return { answer, cookie: (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '' };
  };
  return { bench, ask, send, signIn };
}

describe('who may see the console', () => {
  it('given no key at all, is whoever is on this machine, and nobody who comes by another name', async () => {
    const { ask } = open(null, true);
    expect((await ask('/specs')).status).toBe(200);
    expect((await ask('/specs', { headers: { host: 'evil.example' } })).status).toBe(403);
  });

  it('given a first key, is not whoever is on this machine any more', async () => {
    const { bench, ask } = open(null, true);
    await createKey(bench.app, { name: 'ada', tenant: 'acme', roles: ['read'] });
    expect((await ask('/specs')).headers.get('location')).toBe('/console/sign-in?then=%2Fspecs');
  });

  it('given a key, is who signs in with it, until it is revoked', async () => {
    const { bench, ask, signIn } = open('the-key-of-the-setting', false);
    const { secret } = await createKey(bench.app, { name: 'ada', tenant: 'acme', roles: ['read'] });
    const { answer, cookie } = await signIn(secret);
    expect(answer.status).toBe(303);
    expect(answer.headers.get('set-cookie')).toMatch(/HttpOnly; SameSite=Strict/);
    expect((await ask('/specs', { headers: { cookie } })).status).toBe(200);
    await revokeKey(bench.app, 'ada');
    expect((await ask('/specs', { headers: { cookie } })).status).toBe(303);
  });

  it.each(['', 'wrong', `endstop_000000000000_${'x'.repeat(43)}`])('is not who says %j', async (key) => {
    const { signIn } = open('the-key-of-the-setting', false);
    const { answer, cookie } = await signIn(key, 'ada');
    expect({ status: answer.status, cookie }).toEqual({ status: 422, cookie: '' });
  });

  it.each(['https://evil.example', '//evil.example', '/console\\@evil.example', '/elsewhere'])(
    'is not sent on to %s',
    async (then) => {
      const { signIn } = open('the-key-of-the-setting', false);
      const { answer } = await signIn('the-key-of-the-setting', 'ada', then);
      expect(answer.headers.get('location')).toBe('/console');
    },
  );

  it('changes nothing from a page of another site', async () => {
    const { send } = open(null, true);
    const elsewhere = [
      { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'null', 'sec-fetch-site': 'same-origin' },
    ];
    for (const headers of elsewhere) expect((await send('/reviews/next', {}, headers)).status).toBe(403);
    expect((await send('/reviews/next', { who: 'ada' })).status).toBe(303);
  });

  it('is asked for a name once, before the first review is taken, and goes on with what it was about to do', async () => {
    const { send } = open(null, true);
    const asked = await send('/reviews/next', { spec: 'claim' });
    expect(asked.status).toBe(200);
    const page = await asked.text();
    expect(page).toContain(`value="${machineUser}"`);
    expect(page).toContain('<input type="hidden" name="spec" value="claim"/>');
    expect((await send('/reviews/next', { who: ' ' })).status).toBe(422);
    const named = await send('/reviews/next', { spec: 'claim', who: 'ada' });
    const cookie = (named.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    expect(named.status).toBe(303);
    expect((await send('/reviews/next', { spec: 'claim' }, { cookie })).status).toBe(303);
  });

  it.each([
    ['/reviews/next', ['read'], 403],
    ['/reviews/next', ['read', 'review'], 303],
    ['/dead-letters/redrive', ['read', 'review'], 403],
    ['/dead-letters/redrive', ['read', 'operate'], 422],
  ] as const)('asks %s of a key with %j', async (path, roles, status) => {
    const { bench, send, signIn } = open('the-key-of-the-setting', false);
    const { secret } = await createKey(bench.app, { name: 'ada', tenant: 'acme', roles });
    const { cookie } = await signIn(secret);
    expect((await send(path, {}, { cookie })).status).toBe(status);
  });

  it('is asked for a name only with the key that is nobody’s in particular, and keeps what was typed', async () => {
    const { bench, ask, signIn } = open('the-key-of-the-setting', false);
    const { secret } = await createKey(bench.app, { name: 'ada', tenant: 'acme', roles: ['read'] });
    const wrong = await (await signIn('wrong', 'Grace')).answer.text();
    expect(wrong).toContain('value="Grace"');
    expect(wrong).toMatch(/<input name="name"(?! required)/);
    const nameless = await signIn('the-key-of-the-setting');
    expect(nameless.answer.status).toBe(422);
    expect(await nameless.answer.text()).toContain('the key of ENDSTOP_API_KEY, which is nobody’s');
    expect((await signIn(secret)).answer.status).toBe(303);
    // Whoever says another name than their key has is told which one counts.
    const named = await signIn(secret, 'Grace', '/console/specs');
    expect(await named.answer.text()).toMatch(
      /you act as <b>ada<\/b>, not as <bdi>Grace<\/bdi>.*href="\/console\/specs"/s,
    );
    const page = await (await ask('/specs', { headers: { cookie: named.cookie } })).text();
    expect(page).toContain('<bdi class="who">ada</bdi>');
  });

  it('sees nothing with a key that may not read', async () => {
    const { bench, signIn } = open('the-key-of-the-setting', false);
    const { secret } = await createKey(bench.app, { name: 'in', tenant: 'acme', roles: ['submit'] });
    expect((await signIn(secret)).answer.status).toBe(422);
  });
});

describe('the finder', () => {
  it('leads to the one with this id, else to a tag, else to a file name', async () => {
    const { bench, ask } = open(null, true);
    const named = { fileName: 'R-kwd.txt', tags: ['march'] };
    const { extraction } = await submitExtraction(bench.app, textSubmission('a', named));
    const found = async (text: string) =>
      (await ask(`/find?q=${encodeURIComponent(text)}`)).headers.get('location');
    const list = '/console/extractions';
    expect(await found(extraction.key.slice(0, 12))).toBe(`${list}/${extraction.key}`);
    expect(await found('march')).toBe(`${list}?tag=march`);
    expect(await found('r-kwd.txt')).toBe(`${list}?file=r-kwd.txt`);
    expect(await found('kwd')).toBe(`${list}?tag=kwd`);
    const page = await (await ask('/extractions?file=r-k')).text();
    expect(page).toContain('R-kwd.txt');
    expect(await (await ask('/extractions?file=kwd')).text()).toContain('No extractions under these filters');
  });
});
