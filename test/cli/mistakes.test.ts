import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import bundled from '../../specs/index.js';
import { problemLine } from '../../src/cli/format.js';
import { programName } from '../../src/cli/terminal.js';
import { createCatalogue } from '../../src/spec/catalogue.js';
import { exhaustAll } from '../support/fakes/bench.js';
import { goodReceipt } from '../support/fakes/receipt-spec.js';
import { createCommandLine, jsonLines, rowsOf, withOne } from './command-line.js';

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
      ['8c41d0aa72e3', 'completed', '2026-03-01 12:00Z'],
    ]);
    expect(queries).toEqual(["WorkflowId STARTS_WITH 'redrive/'"]);
  });
});

describe('given words of a command line that are not known', () => {
  it.each([
    [['help', 'extrac'], 'There is no command "extrac"; did you mean "extract"?\n'],
    [['help', 'review', 'shwo'], 'There is no command "review shwo"; did you mean "show"?\n'],
    [['help', 'extract', 'now'], 'endstop extract has no commands of its own.\n'],
  ])('when %j is asked for, then the nearest is named', async (argv, error) => {
    expect(await createCommandLine().run(...argv)).toEqual({ code: 2, out: '', error });
  });

  it('when help is asked for a command, then it is that of --help', async () => {
    const line = createCommandLine();
    expect((await line.run('help', 'review', 'show')).out).toBe(
      (await line.run('review', 'show', '--help')).out,
    );
  });

  it('when words are asked for, then every word, class and reason has a meaning', async () => {
    const { out, code } = await createCommandLine().run('help', 'words');
    expect(code).toBe(0);
    for (const word of ['engine', 'lane', 'slot', 'ceiling', 'constraint', 'no_progress', 'batch_budget'])
      expect(out).toMatch(new RegExp(`^${word} +\\S`, 'm'));
  });

  it('when an argument is missing, then the usage stands below', async () => {
    const ran = await createCommandLine().run('redrive', 'cancel');
    expect(ran.error).toMatch(
      /missing required argument 'id'\s+Usage: endstop redrive cancel \[options\] <id>/,
    );
  });

  it('when it was called by npx, then commands are written so that they can be typed', async () => {
    expect(programName({ npm_command: 'exec' }, '/root/.npm/_npx/1/node_modules/.bin/endstop')).toBe(
      'npx endstop',
    );
    expect(programName({}, '/usr/bin/endstop')).toBe('endstop');
    expect(programName({ npm_lifecycle_event: 'endstop' }, '/x/bin/endstop.mjs')).toBe('npm run endstop --');
    const { line, id } = await withOne((line) => exhaustAll(line, 'human_review'));
    line.terminal = { program: 'npx endstop' };
    const { out } = await line.run('show', id);
    expect(out).toContain(`next       npx endstop review show ${id.slice(0, 12)}\n`);
    expect((await line.run('spec', 'check', '--help')).out).toContain('\n  npx endstop spec check claim\n');
  });
});

describe('given one that ended', () => {
  it('when a value was empty, then nothing is said of what was found', () => {
    const problem = {
      rule: 'schema/format',
      pointer: '/shop',
      message: 'Shop is empty.',
      expected: 'a word',
    };
    expect(problemLine({ ...problem, found: '' })).toBe('schema/format @ /shop: Shop is empty.');
    expect(problemLine({ ...problem, found: 'x' })).toContain('(expected a word, found x)');
  });

  it('when it is shown, then its reason is said in words, and what comes next', async () => {
    const { line, id } = await withOne((line) => exhaustAll(line, 'human_review'));
    const { out } = await line.run('show', `${id.slice(0, 4)} ${id.slice(4, 12)}`);
    expect(out).toContain('no_progress (constraint): the model gave the same answer again\n');
    expect(out).toContain(`next       endstop review show ${id.slice(0, 12)}\n`);
    expect(out).toContain('would cost 0 USD (stand-in)');
  });

  it('when its file cannot be read, then another file is asked for', async () => {
    const { line, id } = await withOne();
    line.store.end(id, {
      ...{ outcome: 'unverified', reason: 'unreadable_document', route: 'dead_letter' },
      diagnosis: { kind: 'unreadable', fault: 'empty' },
    });
    expect((await line.run('show', id)).out).toMatch(
      /to do +receipt\.txt is empty: hand in the right file\.\n/,
    );
  });

  it('when its dead letter was recovered, then nobody has anything to do', async () => {
    const { line, id } = await withOne();
    const row = line.store.end(id, {
      outcome: 'unverified',
      reason: 'spec_unavailable',
      route: 'dead_letter',
    });
    line.changes = {
      openStore: async () => ({
        ...line.store,
        deadLetters: {
          ...line.store.deadLetters,
          find: async () => ({ ...row, state: 'recovered' }) as never,
        },
        close: async () => undefined,
      }),
    };
    const { out } = await line.run('show', id);
    expect(out).toContain('dead_letter (recovered since)\n');
    expect(out).not.toMatch(/^(to do|next) /m);
  });

  it('when a list is longer than a page, then all of it can be asked for', async () => {
    const { line } = await withOne();
    const [row] = line.store.rows;
    for (let run = 2; row !== undefined && run <= 250; run += 1) line.store.rows.push({ ...row, run });
    expect(jsonLines(await line.run('list', '--json', '--limit', '1'))).toHaveLength(1);
    const ran = await line.run('list', '--json', '--all');
    expect(jsonLines(ran)).toHaveLength(250);
    expect(ran.error).toBe('');
  });

  it('when the screen is narrow, then columns that say least are left out', async () => {
    const { line } = await withOne();
    const titles = async () => rowsOf((await line.run('list')).out)[0];
    expect(await titles()).toContain('MODEL');
    line.terminal = { columns: 70 };
    expect(await titles()).not.toContain('MODEL');
    expect(await titles()).toContain('OUTCOME');
  });
});

describe('given switches', () => {
  it('when no limit is named, then none is taken away', async () => {
    const line = createCommandLine();
    const ran = await line.run('tenants', 'limit', 'acme');
    expect(ran).toMatchObject({ code: 2, out: '' });
    expect(ran.error).toContain('"endstop tenants unlimit acme"');
  });

  it('when repairs are paused, then what that means and how it is undone is said', async () => {
    const line = createCommandLine();
    expect((await line.run('repairs', 'pause', '--spec', 'receipt')).error).toBe(
      'Runs of receipt that need a repair end as repair_budget from now on; "endstop repairs resume --spec receipt" undoes this.\n',
    );
  });
});

describe('given a stack that knows a label', () => {
  it('when its spec was changed since, then the check says so before a worker does', async () => {
    const line = createCommandLine();
    line.file('a.json', JSON.stringify({ spec: 'receipt', record: goodReceipt }));
    line.changes = {
      openStore: async () => ({
        ...line.store,
        specVersions: {
          ...line.store.specVersions,
          check: async () => ({ kind: 'changed', label: 'schema', version: '1' }),
        },
        close: async () => undefined,
      }),
    };
    const ran = await line.run('spec', 'check', 'receipt', '--truth', line.folder);
    expect(ran.code).toBe(1);
    expect(ran.out).toContain(
      'The schema or the rules of spec "receipt" changed but schemaVersion is still "1"',
    );
  });
});
