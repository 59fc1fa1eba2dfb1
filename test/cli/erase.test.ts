import { describe, expect, it } from 'vitest';
import { submitExtraction } from '../../src/application/submit-extraction.js';
import { exhaustAll, textSubmission, verifyAll } from '../support/fakes/bench.js';
import { jsonLines, rowsOf, withOne } from './command-line.js';

describe('endstop erase', () => {
  it('without --yes says what would go and does nothing', async () => {
    const { line, id } = await withOne(verifyAll);
    const ran = await line.run('erase', id);
    expect(ran.code).toBe(2);
    expect(ran.error).toBe('Nothing was erased; --yes erases it for good.\n');
    expect(rowsOf(ran.out)).toEqual([
      ['document', line.store.rows[0]?.documentHash],
      ['tenant', 'acme'],
      ['handed in', '1970-01-01 00:00Z'],
      ['extractions', '1, of which 0 run'],
      ['records', '1'],
      ['open reviews', '0'],
    ]);
    expect(jsonLines(await line.run('erase', id.slice(0, 8), '--json'))).toMatchObject([
      { tenant: 'acme', records: 1, erasedAt: null },
    ]);
    expect(line.store.documentRows.size).toBe(1);
    expect(line.open).toEqual({ store: 0, engine: 0 });
  });

  it('with --yes erases, by hash or by extraction, and says so again', async () => {
    const { line, id } = await withOne((bench) => exhaustAll(bench, 'human_review'));
    const hash = line.store.rows[0]?.documentHash ?? '';
    const short = hash.slice(0, 12);
    expect(await line.run('erase', hash, '--yes')).toEqual({
      code: 0,
      out: `${short} is erased: 1 extractions, 0 records, 1 open reviews withdrawn. Their counts stay.\n`,
      error: '',
    });
    expect(line.store.documentRows.size).toBe(0);
    const again = await line.run('erase', id, '--yes');
    expect(again.out).toMatch(
      new RegExp(`^${short} was erased on 2026-03-01 12:00Z; nothing was left\\.\n$`),
    );
    expect(jsonLines(await line.run('erase', id, '--yes', '--json'))).toMatchObject([
      { documentHash: hash, bytes: false, extractions: 0, erasedAt: expect.stringMatching(/^2026-03-01T/) },
    ]);
  });

  it('of another tenant finds nothing', async () => {
    const { line, id } = await withOne(verifyAll);
    const ran = await line.run('erase', id, '--tenant', 'bolt', '--yes');
    expect(ran).toMatchObject({ code: 2, out: '' });
    expect(ran.error).toMatch(
      /^It is held by tenant acme: --tenant acme\nTenant "bolt" has no document, and no single extraction, of the name /,
    );
    expect(line.store.documentRows.size).toBe(1);
  });

  it('of one tenant says who else holds the same bytes; --all-tenants erases them all', async () => {
    const { line, id } = await withOne(verifyAll);
    await submitExtraction(line.app, textSubmission('a', { tenant: 'bolt' }));
    await submitExtraction(line.app, textSubmission('a', { tenant: 'eval-1', isEvaluation: true }));
    const others =
      'Also held by tenant bolt: --tenant bolt\nAlso held by tenant eval-1: --tenant eval-1\n' +
      'All of them at once: --all-tenants\n';
    expect((await line.run('erase', id)).error).toBe(
      `${others}Nothing was erased; --yes erases it for good.\n`,
    );
    expect(await line.run('erase', id, '--yes')).toMatchObject({ code: 0, error: others });
    const everywhere = await line.run('erase', id, '--all-tenants', '--yes');
    expect(everywhere).toMatchObject({ code: 0, error: '' });
    const short = line.store.rows[0]?.documentHash.slice(0, 12);
    expect(everywhere.out.split('\n').map((said) => said.slice(0, 40))).toEqual([
      `${short} of bolt is erased: 1 extraction`.slice(0, 40),
      `${short} of eval-1 is erased: 1 extractions`.slice(0, 40),
      '',
    ]);
    expect(line.store.documentRows.size).toBe(0);
    expect((await line.run('erase', id, '--all-tenants', '--yes')).out).toMatch(
      / was erased on .*nothing was left/,
    );
    expect((await line.run('erase', id, '--all-tenants', '--tenant', 'bolt')).code).toBe(2);
  });

  it('is seen in lists, and makes the extraction gone', async () => {
    const { line, id } = await withOne(verifyAll);
    await line.run('erase', id, '--yes');
    const hash = line.store.rows[0]?.documentHash.slice(0, 12);
    expect((await line.run('list')).out).toContain(`${hash} (erased)`);
    expect(jsonLines(await line.run('list', '--json'))).toMatchObject([
      { fileName: null, erasedAt: expect.stringMatching(/^2026-03-01T/), outcomeKind: 'verified' },
    ]);
    const shown = await line.run('show', id);
    expect(shown).toMatchObject({ code: 1, out: '' });
    expect(shown.error).toMatch(/ended verified; it was erased on .*, and only its counts are left\.\n$/);
  });
});

describe('a document erased while it ran', () => {
  it('is gone like any other erased one for who looks at it later', async () => {
    const { line, id } = await withOne();
    await line.run('erase', id, '--yes');
    line.store.end(id, { outcome: 'unverified', reason: 'unreadable_document' });
    const shown = await line.run('show', id);
    expect(shown).toMatchObject({ code: 1, out: '' });
    expect(shown.error).toMatch(
      /ended unverified \(unreadable_document\); it was erased on .*, and only its counts are left\.\n$/,
    );
  });
});

describe('endstop retention', () => {
  it('is set, listed and unset', async () => {
    const { line } = await withOne();
    expect((await line.run('retention', 'list')).out).toBe('None.\n');
    expect((await line.run('retention', 'set', '--tenant', 'acme', '--days', '30')).out).toBe(
      'Documents of acme are kept for 30 days, verified records for ever.\n',
    );
    await line.run('retention', 'set', '--tenant', 'bolt', '--days', '7', '--records', '365');
    expect(rowsOf((await line.run('retention', 'list')).out).map((row) => row.slice(0, 3))).toEqual([
      ['TENANT', 'DOCUMENTS', 'RECORDS'],
      ['acme', '30 days', 'for ever'],
      ['bolt', '7 days', '365 days'],
    ]);
    expect((await line.run('retention', 'unset', '--tenant', 'acme')).out).toBe(
      'Documents of acme are kept for ever.\n',
    );
    expect(await line.run('retention', 'unset', '--tenant', 'acme')).toEqual({
      ...{ code: 2, out: '', error: 'Tenant acme has no retention.\n' },
    });
    expect(jsonLines(await line.run('retention', 'list', '--json'))).toMatchObject([
      { tenant: 'bolt', documentDays: 7, recordDays: 365, setAt: expect.stringMatching(/^2026-03-01T/) },
    ]);
  });

  it('sweeps now and says what went', async () => {
    const { line } = await withOne();
    await line.run('retention', 'set', '--tenant', 'acme', '--days', '30', '--records', '90');
    const { store } = line;
    line.changes = {
      openStore: async () => ({
        ...store,
        retention: {
          ...store.retention,
          forgetDocuments: async () => ({ erased: 12, kept: 3, next: null }),
          forgetRecords: async () => ({ erased: 4, kept: 0, next: null }),
        },
      }),
    };
    expect(rowsOf((await line.run('retention', 'sweep')).out)).toEqual([
      ['TENANT', 'ERASED', 'IN USE', 'RECORDS REMOVED'],
      ['acme', '12', '3', '4'],
    ]);
    expect(jsonLines(await line.run('retention', 'sweep', '--json'))).toEqual([
      { tenant: 'acme', documents: 12, inUse: 3, records: 4 },
    ]);
  });

  it.each([
    [['set', '--days', '3'], /required option '--tenant <name>'/],
    [['set', '--tenant', 'acme', '--days', '0'], /whole number of at least 1/],
    [['set', '--tenant', 'acme', '--days', '9', '--records', '3'], /at least as long as the documents/],
  ])('refuses %j', async (options, message) => {
    const { line } = await withOne();
    const ran = await line.run('retention', ...options);
    expect(ran.code).toBe(2);
    expect(ran.error).toMatch(message);
  });
});
