import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { machineUser } from '../../src/application/machine-user.js';
import { submitExtraction } from '../../src/application/submit-extraction.js';
import { createConsole } from '../../src/console/app.js';
import { createBench, exhaustAll, textSubmission } from '../support/fakes/bench.js';

const host = '127.0.0.1:4680';
/** They change nothing that anybody else sees, or say only who somebody is. */
const unnoted = [
  ...['/sign-in', '/sign-out', '/reviews/:id/compare', '/reviews/:id/check', '/reviews/:id/draft'],
  '/reviews/:id/extend',
];

function open() {
  const bench = createBench();
  const site = createConsole({
    ...{ app: bench.app, pages: { layout: async () => null }, apiKey: null, keyless: true, inFlight: 4 },
    ...{ logger: pino({ level: 'silent' }), version: '0.1.0' },
  });
  const post = (path: string, fields: Record<string, string> = {}) =>
    site.request(path, {
      method: 'POST',
      body: new URLSearchParams({ who: machineUser, ...fields }),
      headers: { host, accept: 'text/html', origin: `http://${host}`, 'sec-fetch-site': 'same-origin' },
    });
  const trail = async () => (await bench.store.trail.list({}, { limit: 50 })).items;
  return { bench, site, post, trail };
}

describe('the trail of what is changed on pages', () => {
  it('says who cancelled which extraction, and nothing of what was refused', async () => {
    const { bench, post, trail } = open();
    const { extraction } = await submitExtraction(bench.app, textSubmission('a'));
    expect((await post(`/extractions/${extraction.key}/cancel`)).status).toBe(303);
    expect((await post('/extractions/00000000/cancel')).status).toBe(404);
    expect((await post('/dead-letters/redrive')).status).toBe(422);
    expect(await trail()).toMatchObject([
      { keyId: 'local', actor: machineUser, action: 'cancelExtraction', subject: extraction.key },
    ]);
  });

  it('says who claimed and decided which review', async () => {
    const { bench, post, trail } = open();
    exhaustAll(bench, 'human_review');
    await submitExtraction(bench.app, textSubmission('a'));
    const next = await post('/reviews/next');
    const id = /\/reviews\/([0-9a-f]+)/.exec(next.headers.get('location') ?? '')?.[1] ?? '';
    expect((await post(`/reviews/${id}/decision`, { verb: 'reject' })).status).toBe(422);
    expect(await trail()).toMatchObject([{ action: 'claimNextReview' }]);
    expect((await post(`/reviews/${id}/release`)).status).toBe(303);
    expect(await trail()).toMatchObject([{ action: 'releaseReview', subject: id }, {}]);
  });

  it('has a decision that was sent twice once, and whoever sent it is told that it is done', async () => {
    const { bench, post, trail } = open();
    exhaustAll(bench, 'human_review');
    for (const text of ['a', 'b', 'c']) await submitExtraction(bench.app, textSubmission(text));
    const idOf = (answer: Response) =>
      /\/reviews\/([0-9a-f]+)/.exec(answer.headers.get('location') ?? '')?.[1];
    const id = idOf(await post('/reviews/next')) ?? '';
    const decision = { verb: 'reject', note: 'not ours', version: '1' };
    const first = await post(`/reviews/${id}/decision`, decision);
    const second = await post(`/reviews/${id}/decision`, decision);
    expect(first.headers.get('location')).toMatch(/\?done=reject$/);
    // It leads to the review that the first one gave, and takes no further one.
    expect(second.headers.get('location')).toBe(first.headers.get('location'));
    expect((await trail()).map(({ action }) => action)).toEqual(['decideReview', 'claimNextReview']);
    // Another decision, or another person's, is not theirs.
    for (const other of [{ note: 'other' }, { verb: 'not_in_document' }, { who: 'ada' }])
      expect((await post(`/reviews/${id}/decision`, { ...decision, ...other })).status).toBe(412);
  });

  it('has a word for everything that a page can change', async () => {
    const { bench, site, post } = open();
    const { trail } = bench.store;
    const { add } = trail;
    let words = 0;
    trail.add = (entry) => {
      words += 1;
      return add(entry);
    };
    const paths = site.routes.filter(({ method }) => method === 'POST').map(({ path }) => path);
    const noted = [...new Set(paths)].filter((path) => !unnoted.includes(path));
    expect(noted.length).toBeGreaterThan(8);
    for (const path of noted) {
      const before = words;
      await post(path.replace(/:ids?/, '00000000'));
      expect(words, path).toBe(before + 1);
    }
  });
});
