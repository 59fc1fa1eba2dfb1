import { describe, expect, it } from 'vitest';
import { createKeyring } from '../../src/application/api-keys.js';
import { createCommandLine, jsonLines, rowsOf } from './command-line.js';

describe('endstop keys', () => {
  it('creates a key whose secret it shows once, for the configured tenant unless told', async () => {
    const line = createCommandLine();
    const made = await line.run('keys', 'create', 'ci', '--role', 'read,submit', '--json');
    const [key] = jsonLines(made);
    expect(key).toMatchObject({ name: 'ci', tenant: 'acme', roles: ['submit', 'read'], revokedAt: null });
    expect(made.error).toBe('Keep the secret: it is not shown again.\n');
    const principal = await createKeyring(line.app, null).principalOfKey(String(key?.['secret']));
    expect(principal).toEqual({ keyId: key?.['id'], name: 'ci', tenant: 'acme', roles: ['submit', 'read'] });
    const list = await line.run('keys', 'list');
    expect(rowsOf(list.out)[1]?.slice(0, 4)).toEqual([key?.['id'], 'ci', 'acme', 'submit, read']);
    expect(list.out).not.toContain(String(key?.['secret']).slice(21));
  });

  it('revokes one by name, once', async () => {
    const line = createCommandLine();
    await line.run('keys', 'create', 'ops', '--role', 'operate', '--all-tenants');
    expect((await line.run('keys', 'revoke', 'ops')).out).toBe('The key ops is revoked.\n');
    expect(await line.run('keys', 'revoke', 'ops')).toMatchObject({
      code: 2,
      error: 'No active key has this id or name; `endstop keys list` shows them.\n',
    });
    expect(jsonLines(await line.run('keys', 'list', '--json'))[0]).toMatchObject({
      tenant: null,
      revokedAt: expect.any(String),
    });
  });

  it.each([
    [['create', 'ci'], "required option '--role <list>' not specified"],
    [
      ['create', 'ci', '--role', 'admin'],
      'There is no role "admin"; there are submit, read, review, operate, metrics.',
    ],
    [['create', 'prom', '--role', 'metrics'], 'for all of them'],
    [['create', 'ci', '--role', 'read,metrics', '--all-tenants'], 'no role but "metrics"'],
    [['create', 'ci', '--role', 'read', '--all-tenants'], 'Only a key with the role "operate"'],
    [['create', 'ci', '--role', 'operate', '--all-tenants', '--tenant', 'a'], 'cannot be used with'],
  ])('when asked as %j, then one sentence says what is wrong', async (argv, says) => {
    const ran = await createCommandLine().run('keys', ...argv);
    expect(ran.code).toBe(2);
    expect(ran.error).toContain(says);
  });
});
