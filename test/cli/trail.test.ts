import { userInfo } from 'node:os';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import type { CliContext } from '../../src/cli/context.js';
import { createProgram } from '../../src/cli/program.js';
import { exhaustAll } from '../support/fakes/bench.js';
import { type CommandLine, createCommandLine, jsonLines, rowsOf, withOne } from './command-line.js';

const entry = (actor: string, at: number) => ({
  ...{ keyId: '0123456789ab', actor, action: 'cancelExtraction', subject: 'a'.repeat(64) },
  ...{ tenant: 'acme', requestId: 'r', at },
});

describe('endstop trail', () => {
  it('lists who changed what, newest first, narrowed and as JSON', async () => {
    const line = createCommandLine();
    await line.store.trail.add(entry('kim', 1));
    await line.store.trail.add(entry('lou', 2));
    const listed = await line.run('trail');
    expect(rowsOf(listed.out)[1]).toEqual([
      ...['1970-01-01 00:00Z', 'lou', 'cancelExtraction', 'aaaaaaaaaaaa', 'acme'],
    ]);
    const own = jsonLines(await line.run('trail', '--actor', 'kim', '--json'));
    expect(own).toMatchObject([{ actor: 'kim', subject: 'a'.repeat(64) }]);
    expect((await line.run('trail', '--subject', 'bb')).out).toBe('None.\n');
  });
});

const entriesOf = async (line: CommandLine) => (await line.store.trail.list({}, { limit: 50 })).items;
const { username } = userInfo();

describe('what a command changes', () => {
  it('when an extraction is cancelled, then the trail names it by its whole id, and who sat there', async () => {
    const { line, id } = await withOne();
    await line.run('cancel', id.slice(0, 8));
    expect(await entriesOf(line)).toMatchObject([
      {
        keyId: 'cli',
        actor: username,
        action: 'cancelExtraction',
        subject: id,
        tenant: 'acme',
        requestId: null,
      },
    ]);
  });

  it('when it is refused, or there is nothing to change, then no entry stays', async () => {
    const line = createCommandLine();
    const refused = [
      ['cancel', '00000000'],
      ['keys', 'revoke', 'kim'],
      ['tenants', 'unlimit', 'acme'],
      ['retention', 'unset', '--tenant', 'acme'],
      ['review', 'next'],
      ['audit', 'verdict', '00000000', 'wrong'],
    ];
    for (const argv of refused) await line.run(...argv);
    expect(await entriesOf(line)).toEqual([]);
  });

  it('when it fails half way, then its entry stays, since something may have happened', async () => {
    const { line, id } = await withOne();
    line.engine.cancel = async () => {
      throw new Error('The line was lost.');
    };
    expect((await line.run('cancel', id)).code).toBe(1);
    expect(await entriesOf(line)).toMatchObject([{ action: 'cancelExtraction', subject: id }]);
  });

  it('when a key is made and revoked, then its id is kept, and nothing of its secret', async () => {
    const line = createCommandLine();
    const [key] = jsonLines(await line.run('keys', 'create', 'kim', '--role', 'read', '--json'));
    await line.run('keys', 'revoke', 'kim');
    const entries = await entriesOf(line);
    expect(entries).toMatchObject([
      { action: 'revokeKey', subject: key?.['id'], tenant: 'acme' },
      { action: 'createKey', subject: key?.['id'], tenant: 'acme' },
    ]);
    expect(JSON.stringify(entries)).not.toContain(String(key?.['secret']).split('_')[2]);
  });

  it('when a review is decided, then by the name that was given', async () => {
    const { line, id } = await withOne((bench) => exhaustAll(bench, 'human_review'));
    await line.run('review', 'claim', id, '--as', 'kim');
    await line.run('review', 'decide', id, 'reject', '--note', 'A letter.', '--as', 'kim');
    expect(await entriesOf(line)).toMatchObject([
      {
        actor: 'kim',
        action: 'decideReview',
        subject: expect.stringMatching(/^[0-9a-f]{64}$/),
        tenant: 'acme',
      },
      { actor: 'kim', action: 'claimReview' },
    ]);
  });

  it('when documents are handed in, then each of them, and a batch as one', async () => {
    const line = createCommandLine();
    const [a, b] = [line.file('a.txt', 'a'), line.file('b.txt', 'b')];
    await line.run('extract', a, b, '--spec', 'receipt', '--no-wait');
    const manifest = line.file('m.jsonl', '{"text": "c"}\n{"text": "d"}\n');
    const [batch] = jsonLines(await line.run('batch', manifest, '--spec', 'receipt', '--no-wait', '--json'));
    expect(await entriesOf(line)).toMatchObject([
      { action: 'submitBatch', subject: batch?.['id'], tenant: 'acme' },
      { action: 'submitExtraction', tenant: 'acme' },
      { action: 'submitExtraction', tenant: 'acme' },
    ]);
  });
});

/** Every command that changes something, as it is told to, and the word that the trail has for it. */
const changing: readonly (readonly [readonly string[], string])[] = [
  [['extract', 'FILE', '--spec', 'receipt', '--no-wait'], 'submitExtraction'],
  [['batch', 'MANIFEST', '--spec', 'receipt', '--no-wait'], 'submitBatch'],
  [['batch', 'cancel', 'march'], 'cancelBatch'],
  [['cancel', '00000000'], 'cancelExtraction'],
  [['redrive', '--all', '--no-wait'], 'redrive'],
  [['redrive', 'cancel', 'monday'], 'cancelRedrive'],
  [['repairs', 'pause'], 'pauseRepairs'],
  [['repairs', 'resume'], 'resumeRepairs'],
  [['tenants', 'limit', 'acme', '--most-open', '7'], 'setTenantLimits'],
  [['tenants', 'unlimit', 'acme'], 'setTenantLimits'],
  [['review', 'next'], 'claimNextReview'],
  [['review', 'claim', '00000000'], 'claimReview'],
  [['review', 'release', '00000000'], 'releaseReview'],
  [['review', 'decide', '00000000', 'approve'], 'decideReview'],
  [['webhooks', 'add', 'https://example.com/hook'], 'addWebhook'],
  [['webhooks', 'rotate', '00000000'], 'rotateWebhook'],
  [['webhooks', 'remove', '00000000'], 'removeWebhook'],
  [['webhooks', 'resend', '00000000'], 'resendWebhookDelivery'],
  [['keys', 'create', 'kim', '--role', 'read'], 'createKey'],
  [['keys', 'revoke', 'kim'], 'revokeKey'],
  [['audit', 'sample'], 'drawAudit'],
  [['audit', 'verdict', '00000000', 'wrong'], 'judgeRecord'],
  [['erase', 'ID', '--yes'], 'eraseDocument'],
  [['retention', 'set', '--tenant', 'acme', '--days', '9'], 'setRetention'],
  [['retention', 'unset', '--tenant', 'acme'], 'unsetRetention'],
  [['retention', 'sweep'], 'sweepRetention'],
];
/** They read, or change only what is their user's own: a lease that goes on, a draft, files. */
const reading = [
  ...[
    'batch show',
    'help',
    'batch list',
    'batch results',
    'show',
    'attempts',
    'list',
    'records list',
    'records export',
  ],
  ...['dead-letters', 'redrive status'],
  ...['repairs status', 'tenants report', 'review list', 'review show', 'review extend', 'review check'],
  ...[
    'review draft',
    'review queue',
    'spec list',
    'spec check',
    'spec eval',
    'spec explain',
    'webhooks list',
  ],
  ...[
    'webhooks deliveries',
    'keys list',
    'trail',
    'report',
    'audit show',
    'plan',
    'simulate',
    'retention list',
  ],
  ...['views', 'doctor', 'completion'],
];

function* leaves(command: Command, above = ''): Generator<string> {
  for (const inner of command.commands) {
    const name = `${above}${inner.name()}`;
    const isGroup = inner.commands.length > 0;
    // Some do something of their own, and have others below them.
    if (!isGroup || inner.registeredArguments.length > 0) yield name;
    if (isGroup) yield* leaves(inner, `${name} `);
  }
}

describe('every command', () => {
  it('either changes something and is in the trail, or does not', async () => {
    const program = await createProgram({ terminal: {} } as CliContext, { version: '0', checks: [] });
    const names = [...leaves(program)].sort();
    const noted = changing.map(
      ([argv]) => names.findLast((name) => argv.join(' ').startsWith(name)) ?? argv[0],
    );
    expect([...new Set([...noted, ...reading])].sort()).toEqual(names);
  });

  it.each(changing)('%j is written down before it is carried out', async (argv, action) => {
    const { line, id } = await withOne();
    const seen: string[] = [];
    const { trail } = line.store;
    const { add } = trail;
    trail.add = (change) => {
      seen.push(change.action);
      return add(change);
    };
    const files = {
      FILE: line.file('a.txt', 'b'),
      MANIFEST: line.file('m.jsonl', '{"text": "c"}\n'),
      ID: id,
    };
    await line.run(...argv.map((word) => files[word as keyof typeof files] ?? word));
    expect(seen).toEqual([action]);
  });
});
