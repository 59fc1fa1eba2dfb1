import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createStandin } from '../../src/standin/server.js';
import { claimSchema, extraction, post, startStandin } from './asking.js';

const paper = 'Claim No.: CL-9\nCurrency: EUR';
const sha256 = (bytes: string): string => createHash('sha256').update(bytes).digest('hex');

describe('while it runs', () => {
  test('requests are counted in all and by the hash of the document', async () => {
    const { client, url } = await startStandin();
    await client.messages.create(extraction(claimSchema, paper));
    await client.messages.create(extraction(claimSchema, paper, { maxTokens: 5 }));
    await client.messages.create(extraction(claimSchema, 'Claim No.: CL-10'));
    const stats = await (await fetch(`${url}/standin/stats`)).json();
    expect(stats).toMatchObject({
      requests: 3,
      inFlight: 0,
      outcomes: { answered: 2, truncated: 1 },
      documents: { [sha256(paper)]: { requests: 2, outcomes: { answered: 1, truncated: 1 } } },
    });
  });

  test('behaviour can be changed and put back', async () => {
    const { client, url, standin } = await startStandin();
    await post(url, '/standin/behaviour', { rate529: 1 });
    await expect(client.messages.create(extraction(claimSchema, paper))).rejects.toMatchObject({
      status: 529,
    });
    expect(await post(url, '/standin/reset')).toMatchObject({ rate529: 0 });
    await client.messages.create(extraction(claimSchema, paper));
    expect(standin.stats()).toMatchObject({ requests: 1, outcomes: { answered: 1 } });
  });

  test.each([
    [{ rate_529: 1 }, 'There is no setting "rate_529"'],
    [{ rate529: 2 }, 'between 0 and 1'],
    [{ latencyMs: -1 }, 'a number from 0'],
    [{ latencyMs: 'soon' }, 'a number from 0'],
    [[1], 'JSON object'],
  ])('%j is refused in one sentence and changes nothing', async (changes, sentence) => {
    const { url } = await startStandin();
    const before = await (await fetch(`${url}/standin/behaviour`)).json();
    const answer = await post(url, '/standin/behaviour', changes);
    expect((answer['error'] as { message: string }).message).toContain(sentence);
    expect(await (await fetch(`${url}/standin/behaviour`)).json()).toEqual(before);
  });

  test('a reset keeps requests in flight, so that counts never turn negative', async () => {
    const { client, url, standin } = await startStandin({ latencyMs: 150 });
    const running = client.messages.create(extraction(claimSchema, paper));
    await expect.poll(() => standin.stats().inFlight).toBe(1);
    await post(url, '/standin/reset');
    expect(standin.stats().inFlight).toBe(1);
    await running;
    await expect.poll(() => standin.stats().inFlight).toBe(0);
  });
});

test('a taken port is an error', async () => {
  const { url } = await startStandin();
  await expect(createStandin().listen(Number(new URL(url).port), '127.0.0.1')).rejects.toThrow(/EADDRINUSE/);
});

test('a fixed key is asked for when one is set', async () => {
  const standin = createStandin({ apiKey: 'right' });
  const url = await standin.listen(0, '127.0.0.1');
  const status = async (key: string): Promise<number> =>
    (await fetch(`${url}/v1/models`, { headers: { 'x-api-key': key, 'anthropic-version': '2026-10-21' } }))
      .status;
  expect([await status('right'), await status('wrong')]).toEqual([200, 401]);
  await standin.close();
});

test('closing cuts open connections', async () => {
  const standin = createStandin({ behaviour: { latencyMs: 60_000 } });
  const url = await standin.listen(0, '127.0.0.1');
  const pending = fetch(`${url}/v1/messages`, {
    method: 'POST',
    headers: { 'x-api-key': 'k', 'anthropic-version': '2026-10-21' },
    body: JSON.stringify(extraction(claimSchema, paper)),
  });
  await expect.poll(() => standin.stats().inFlight).toBe(1);
  await Promise.all([standin.close(), expect(pending).rejects.toThrow()]);
});
