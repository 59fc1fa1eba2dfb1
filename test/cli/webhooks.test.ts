import { describe, expect, it } from 'vitest';
import type { DeliveryState, WebhookDelivery } from '../../src/ports/webhook-store.js';
import { type CommandLine, createCommandLine, jsonLines, rowsOf } from './command-line.js';

const url = 'https://receiver.example/hook';
const secretForm = /^whsec_[A-Za-z0-9+/]{43}=$/;

/** A command line that was told of one webhook, with the webhook's id and secret. */
async function withWebhook(
  ...more: readonly string[]
): Promise<{ line: CommandLine; id: string; secret: string }> {
  const line = createCommandLine();
  const [added] = jsonLines(await line.run('webhooks', 'add', url, '--json', ...more));
  return { line, id: String(added?.['id']), secret: String(added?.['secret']) };
}

function delivery(endpointId: string, state: DeliveryState, number: number): WebhookDelivery {
  const failed = { at: 1_772_366_400_000, durationMs: 10_000, status: null, error: 'timeout' };
  return {
    deliveryId: `${number}`.padStart(32, 'd'),
    endpointId,
    url: `${url}?token=hidden`,
    state,
    dueAt: state === 'pending' ? 1_772_366_405_000 : null,
    endedAt: state === 'pending' ? null : 1_772_366_405_000,
    tries:
      state === 'delivered' ? [failed, { ...failed, durationMs: 12, status: 204, error: null }] : [failed],
    event: {
      eventId: 'evt_1',
      type: 'extraction.unverified',
      at: 1_772_366_400_000,
      key: 'a'.repeat(64),
      run: 2,
      tenant: 'acme',
      specId: 'receipt',
      outcome: 'unverified',
      reason: 'no_progress',
      route: 'human_review',
      verificationStatus: null,
    },
  };
}

describe('given a URL to tell', () => {
  it('when it is added, then its secret is printed, and never again', async () => {
    const line = createCommandLine();
    const added = await line.run('webhooks', 'add', `${url}?key=hidden`, '--tenant', 'acme');
    expect(added.code).toBe(0);
    const lines = Object.fromEntries(rowsOf(added.out).map(([name = '', value]) => [name, value]));
    expect(lines).toEqual({
      webhook: expect.stringMatching(/^[0-9a-f]{32}$/),
      url: `${url}?…`,
      tenant: 'acme',
      secret: expect.stringMatching(secretForm),
    });
    expect(added.error).toBe('Keep the secret: it is not shown again.\n');
    for (const argv of [['list'], ['list', '--json'], ['deliveries', '--json']]) {
      const ran = await line.run('webhooks', ...argv);
      expect(ran.code).toBe(0);
      expect(`${ran.out}${ran.error}`).not.toMatch(/whsec_|hidden/);
    }
    expect(line.open.store).toBe(0);
  });

  it('when webhooks are listed, then each says whom it is about and how it is', async () => {
    const { line, id } = await withWebhook();
    await line.run('webhooks', 'add', url, '--tenant', 'acme');
    await line.run('webhooks', 'add', '--per-extraction', '--tenant', 'acme');
    const listed = rowsOf((await line.run('webhooks', 'list')).out);
    expect(listed[0]).toEqual(['ID', 'URL', 'TENANT', 'STATE', 'ROTATING UNTIL', 'SINCE']);
    expect(listed.slice(1).map((row) => row.slice(1, 4))).toEqual([
      [url, 'all', 'active'],
      [url, 'acme', 'active'],
      ['(named by submissions)', 'acme', 'active'],
    ]);
    expect(listed[1]?.[0]).toBe(id.slice(0, 12));
    expect(rowsOf((await line.run('webhooks', 'list', '--tenant', 'acme')).out)).toHaveLength(3);
  });

  it('when its secret is rotated, then the new one is printed and the old one signs for a day', async () => {
    const { line, id, secret } = await withWebhook();
    const [rotated] = jsonLines(await line.run('webhooks', 'rotate', id, '--json'));
    expect(rotated?.['secret']).toMatch(secretForm);
    expect(line.store.webhooks.secrets.get(id)).toEqual([rotated?.['secret'], secret]);
    expect(String(rotated?.['rotatingUntil'])).toMatch(/^2026-03-02T12:00:00/);
    const leaked = await line.run('webhooks', 'rotate', id, '--overlap', '0');
    expect(leaked.out).not.toContain('old secret');
    expect(line.store.webhooks.secrets.get(id)).toHaveLength(1);
  });

  it('when it is removed, then it is gone from the list', async () => {
    const { line, id } = await withWebhook();
    expect(await line.run('webhooks', 'remove', id.slice(0, 10))).toEqual({
      code: 0,
      out: `${id.slice(0, 12)} is removed.\n`,
      error: '',
    });
    expect((await line.run('webhooks', 'list')).out).toBe('None.\n');
    const late = await line.run('webhooks', 'rotate', id);
    expect(late).toEqual({ code: 2, out: '', error: 'This webhook is removed: add it anew.\n' });
  });
});

describe('given deliveries', () => {
  async function withDeliveries(): Promise<{ line: CommandLine; id: string }> {
    const { line, id } = await withWebhook();
    for (const [index, state] of (['pending', 'delivered', 'given_up'] as const).entries()) {
      const one = delivery(id, state, index + 1);
      line.store.webhooks.sent.set(one.deliveryId, one);
    }
    return { line, id };
  }

  it('then the list says what became of each, with its last try', async () => {
    const { line } = await withDeliveries();
    const [titles, ...rows] = rowsOf((await line.run('webhooks', 'deliveries')).out);
    expect(titles).toEqual(['ID', 'EVENT', 'EXTRACTION', 'URL', 'STATE', 'TRIES', 'LAST', 'NEXT']);
    expect(rows.map((row) => row.slice(1))).toEqual([
      [
        'extraction.unverified',
        'aaaaaaaaaaaa',
        `${url}?…`,
        'pending',
        '1',
        'timeout after 10.0 s',
        '2026-03-01 12:00Z',
      ],
      ['extraction.unverified', 'aaaaaaaaaaaa', `${url}?…`, 'delivered', '2', '204 after 12 ms'],
      ['extraction.unverified', 'aaaaaaaaaaaa', `${url}?…`, 'given_up', '1', 'timeout after 10.0 s'],
    ]);
  });

  it('then those that failed can be asked for, and JSON has the whole log and the status of the record', async () => {
    const { line, id } = await withDeliveries();
    const failed = jsonLines(await line.run('webhooks', 'deliveries', '--failed', '--webhook', id, '--json'));
    expect(failed.map(({ state }) => state)).toEqual(['pending', 'given_up']);
    expect(failed[0]).toMatchObject({
      webhook: id,
      eventId: 'evt_1',
      outcome: 'unverified',
      verificationStatus: null,
      tries: [{ at: '2026-03-01T12:00:00.000Z', durationMs: 10_000, status: null, error: 'timeout' }],
    });
    const delivered = await line.run(
      'webhooks',
      'deliveries',
      '--state',
      'delivered',
      '--tenant',
      'acme',
      '--json',
    );
    expect(jsonLines(delivered)).toHaveLength(1);
  });

  it('then one can be sent again, unless its webhook is gone', async () => {
    const { line, id } = await withDeliveries();
    const given = '3'.padStart(32, 'd');
    expect(await line.run('webhooks', 'resend', given)).toEqual({
      code: 0,
      out: 'dddddddddddd is on its way again.\n',
      error: '',
    });
    expect(line.store.webhooks.sent.get(given)?.state).toBe('pending');
    await line.run('webhooks', 'remove', id);
    const refused = await line.run('webhooks', 'resend', given);
    expect(refused.code).toBe(2);
    expect(refused.error).toMatch(/^The webhook of this delivery is not active any more: add it anew;/);
  });
});

describe('given a command that cannot be carried out', () => {
  it.each([
    [['add'], 'Name one URL, or say --per-extraction.'],
    [['add', url, '--per-extraction'], 'Name one URL, or say --per-extraction.'],
    [['add', 'receiver'], 'The webhook URL is no URL; write it whole, as in https://example.com/hook.'],
    [
      ['add', 'http://receiver.example/'],
      'The webhook URL must begin with https://; http:// is for ENDSTOP_WEBHOOK_ALLOW_PRIVATE=1.',
    ],
    [
      ['add', 'https://10.0.0.7/'],
      'The webhook URL leads to a private network, which only ENDSTOP_WEBHOOK_ALLOW_PRIVATE=1 allows.',
    ],
    [
      ['add', url, '--tenant', 'a b'],
      'A tenant is 1 to 64 letters, digits, ".", "_" or "-", starting with a letter or digit.',
    ],
    [['rotate', 'abcdefabcdef'], 'No single webhook has an id that begins with "abcdefabcdef".'],
    [
      ['rotate', 'abc'],
      'Give an id, or at least the first 8 of its digits (0 to 9, a to f), as lists show them.',
    ],
    [['rotate', 'abcdefabcdef', '--overlap', '-1'], 'It must be a whole number of hours from 0 to 720.'],
    [['remove', 'abcdefabcdef'], 'No single webhook has an id that begins with "abcdefabcdef".'],
    [['resend', 'abcdefabcdef'], 'No single delivery has an id that begins with "abcdefabcdef".'],
    [['deliveries', '--state', 'lost'], 'Allowed choices are pending, delivered, given_up, dropped.'],
    [
      ['deliveries', '--webhook', 'abcdefabcdef'],
      'No single webhook has an id that begins with "abcdefabcdef".',
    ],
  ])('%j then it says why in one sentence and ends with 2', async (argv, says) => {
    const ran = await createCommandLine().run('webhooks', ...argv);
    expect(ran.code).toBe(2);
    expect(ran.out).toBe('');
    expect(ran.error).toContain(says);
  });

  it('when the webhook is there already, then its secret stays as it was', async () => {
    const { line, id, secret } = await withWebhook();
    const again = await line.run('webhooks', 'add', url);
    expect(again).toMatchObject({ code: 2, out: '' });
    expect(again.error).toBe('There is such a webhook already: rotate its secret, or remove it first.\n');
    expect(line.store.webhooks.secrets.get(id)).toEqual([secret]);
  });
});

describe('given a document with a URL to tell', () => {
  const extract = async (line: CommandLine, hook: string) =>
    line.run('extract', line.file('a.txt', 'a'), '--spec', 'receipt', '--no-wait', '--webhook', hook);

  it('when something signs for it, then the URL is told of everything about the document', async () => {
    const line = createCommandLine();
    await line.run('webhooks', 'add', '--per-extraction');
    expect((await extract(line, url)).code).toBe(0);
    expect([...line.store.webhooks.named]).toEqual([`${line.store.rows[0]?.subject} ${url}`]);
  });

  it.each([
    [
      url,
      [],
      'There is no secret to sign for this URL with: run `endstop webhooks add --per-extraction` once.',
    ],
    [
      url,
      ['add', '--per-extraction', '--tenant', 'umbrella'],
      'There is no secret to sign for this URL with',
    ],
    ['https://[::1]/', ['add', '--per-extraction'], 'The webhook URL leads to a private network'],
    ['hook', ['add', '--per-extraction'], 'The webhook URL is no URL'],
  ])('when it cannot be used (%s after %j), then nothing is written', async (hook, before, says) => {
    const line = createCommandLine();
    if (before.length > 0) await line.run('webhooks', ...before);
    const ran = await extract(line, hook);
    expect(ran.code).toBe(2);
    expect(ran.error).toContain(says);
    expect([line.store.rows.length, line.store.documentRows.size]).toEqual([0, 0]);
  });
});
