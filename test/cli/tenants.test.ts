import { expect, it } from 'vitest';
import { createCommandLine, jsonLines } from './command-line.js';

it('endstop tenants sets limits, shows them beside what was used, and takes them away', async () => {
  const line = createCommandLine();
  const used = {
    extractions: 3,
    open: 1,
    verified: 2,
    unverified: 0,
    calls: 4,
    unknownCalls: 0,
    tokens: 900,
  };
  line.store.tenants.usageRows.push({ tenant: 'acme', ...used, cost: [{ amount: '0.1', currency: 'USD' }] });
  const set = await line.run('tenants', 'limit', 'acme', '--most-open', '5', '--per-second', '0.5');
  expect(set).toEqual({ code: 0, out: 'Tenant acme: at most 5 open, 0.5 a second.\n', error: '' });
  const { out } = await line.run('tenants', '--since', '2026-02-01');
  expect(out.split('\n')[1]?.split(/ {2,}/)).toEqual([
    'acme',
    '3',
    '1',
    '2',
    '0',
    '4',
    '900',
    '0.1 USD',
    'at most 5 open, 0.5 a second',
  ]);
  expect(jsonLines(await line.run('tenants', '--json'))).toMatchObject([{ tenant: 'acme', calls: 4 }]);
  expect((await line.run('tenants', 'unlimit', 'acme')).code).toBe(0);
  expect(await line.run('tenants', 'unlimit', 'acme')).toEqual({
    code: 2,
    out: '',
    error: 'Tenant acme has no limits of its own.\n',
  });
});
