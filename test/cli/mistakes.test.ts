import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import bundled from '../../specs/index.js';
import { createCatalogue } from '../../src/spec/catalogue.js';
import { goodReceipt } from '../support/fakes/receipt-spec.js';
import { createCommandLine, rowsOf, withOne } from './command-line.js';

describe('given a misspelt spec', () => {
  it.each([
    ['list'],
    ['review', 'list'],
    ['records', 'export', '--out', 'nowhere/y.jsonl'],
    ['records', 'list'],
    ['dead-letters'],
    ['report'],
    ['batch', 'list'],
    ['redrive'],
  ])('when %s selects by it, then it is named, and nothing is listed', async (...argv) => {
    const { line } = await withOne();
    const ran = await line.run(...argv, '--spec', 'recipt');
    expect(ran).toMatchObject({ code: 2, out: '' });
    expect(ran.error).toMatch(/^There is no spec "recipt"; known: receipt/);
    expect(line.open).toEqual({ store: 0, engine: 0 });
  });

  it('when its file is gone but runs are not, then they are listed', async () => {
    const { line } = await withOne();
    line.changes = { catalogue: async () => createCatalogue([]) };
    expect((await line.run('list', '--spec', 'receipt')).code).toBe(0);
  });

  it.each([['extract', 'a.txt'], ['batch', 'scans'], ['list'], ['spec', 'eval']])(
    'when %s is given a file instead, then it says how files are named',
    async (...argv) => {
      const isArgument = argv[1] === 'eval';
      const ran = await createCommandLine().run(...argv, ...(isArgument ? [] : ['--spec']), 'my/shop.ts');
      expect(ran.code).toBe(2);
      expect(ran.error).toContain(
        'take --spec-file my/shop.ts, everything else knows it by ENDSTOP_SPECS=my/shop.ts',
      );
    },
  );
});

describe('given a truth set', () => {
  it('when it holds nothing of the spec, then that is no pass', async () => {
    const line = createCommandLine();
    const ran = await line.run('spec', 'check', 'receipt', '--truth', 'samples');
    expect(ran).toMatchObject({ code: 2, out: '' });
    expect(ran.error).toMatch(
      /^There is no truth record of receipt in samples; those in there are of claim, /,
    );
  });

  it('when it holds some, then they are counted apart from the examples', async () => {
    const line = createCommandLine();
    line.file('a.json', JSON.stringify({ spec: 'receipt', record: goodReceipt }));
    const ran = await line.run('spec', 'check', 'receipt', '--truth', line.folder);
    expect(ran.out).toContain('accepts all 1 records (1 of the truth set)');
  });
});

describe('given the example specs', () => {
  it('when the one that is wrong on purpose is refused, then that is said, in the list as well', async () => {
    const line = createCommandLine();
    line.changes = { catalogue: async () => createCatalogue(bundled.slice(1, 2)) };
    const list = await line.run('spec', 'list');
    expect(rowsOf(list.out)[1]?.at(-1)).toMatch(/^wrong on purpose/);
  });

  it('when an example of an author is wrong, then no document is blamed', async () => {
    const line = createCommandLine();
    const path = line.file(
      'till.js',
      `import { defineSpec, list, money, sumEqualsTotal } from ${JSON.stringify(resolve('src/spec/index.ts'))};
      export default defineSpec({
        id: 'till', title: 'Till receipt', schemaVersion: '1', prompt: { version: '1', text: 'Read it.' },
        fields: { rows: list('Rows', { amount: money('Amount') }), total: money('Total') },
        constraints: [sumEqualsTotal({ id: 'sum', addends: ['/rows/*/amount'], total: '/total' })],
        examples: () => [{ rows: [{ amount: '12' }], total: '13' }],
      });`,
    );
    const ran = await line.run('spec', 'check', path);
    expect(ran.code).toBe(1);
    expect(ran.out).toContain('The amounts add up to 12, which is not the total. (expected 12, found 13)\n');
    expect(ran.out).toContain('  Correct the record that is named, or the rule that refuses it.\n');
    expect(ran.out).not.toContain('a person has to look');
  });
});

describe('given redrives', () => {
  it('when none is named, then they are listed', async () => {
    const { line } = await withOne();
    const queries: string[] = [];
    line.changes = {
      openEngine: async () => ({
        ...line.engine,
        list: async (query) => {
          queries.push(query);
          return [
            {
              workflowId: 'redrive/8c41d0aa72e3',
              type: 'redrive',
              closedAt: null,
              status: 'completed',
              startedAt: Date.UTC(2026, 2, 1, 12),
              url: null,
            },
          ];
        },
      }),
    };
    const ran = await line.run('redrive', 'status');
    expect(rowsOf(ran.out)).toEqual([
      ['ID', 'STATUS', 'STARTED'],
      ['8c41d0aa72e3', 'completed', '2026-03-01 12:00'],
    ]);
    expect(queries).toEqual(["WorkflowId STARTS_WITH 'redrive/'"]);
  });
});
