import { chmodSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { submitExtraction } from '../../src/application/submit-extraction.js';
import { EngineUnavailable } from '../../src/ports/engine.js';
import { StoreUnavailable } from '../../src/ports/store.js';
import { SpecError } from '../../src/spec/spec-error.js';
import { png } from '../adapters/pdf/documents.js';
import { exhaustAll, textSubmission, verifyAll } from '../support/fakes/bench.js';
import { goodReceipt } from '../support/fakes/receipt-spec.js';
import { type CommandLine, createCommandLine, jsonLines, type Ran, rowsOf } from './command-line.js';

/** One sentence on the error stream, nothing else, and nothing written anywhere. */
function refused(line: CommandLine, ran: Ran, code: number, message: string): void {
  expect(ran).toEqual({ code, out: '', error: `${message}\n` });
  expect(line.store.rows).toEqual([]);
  expect(line.store.documentRows.size).toBe(0);
  expect(line.open).toEqual({ store: 0, engine: 0 });
}

describe('given documents of several tenants', () => {
  it('when they are listed, then a column says whose they are, and evaluations are left out', async () => {
    const line = createCommandLine();
    await submitExtraction(line.app, textSubmission('a'));
    await submitExtraction(line.app, textSubmission('c', { tenant: 'eval-1', isEvaluation: true }));
    expect(rowsOf((await line.run('list')).out)[0]).not.toContain('TENANT');
    await submitExtraction(line.app, textSubmission('b', { tenant: 'bolt' }));
    const [titles, ...rows] = rowsOf((await line.run('list')).out);
    expect(titles?.slice(0, 4)).toEqual(['ID', 'RUN', 'DOCUMENT', 'TENANT']);
    expect(rows.map((row) => row[3])).toEqual(['bolt', 'acme']);
    expect(jsonLines(await line.run('list', '--tenant', 'eval-1', '--json'))).toHaveLength(1);
    expect((await line.run('list', '--help')).out).toContain('(default: all, without evaluations)');
  });

  it('when it has ended before, then that is said, and bounds are only spoken of when some were given', async () => {
    const line = createCommandLine();
    exhaustAll(line, 'dead_letter');
    const path = line.file('a.txt', 'a');
    const extract = (...more: string[]) => line.run('extract', path, '--spec', 'receipt', ...more);
    expect((await extract()).error).toBe('');
    const again = await extract();
    expect(again.code).toBe(3);
    expect(again.error).toMatch(
      /^\S*a\.txt ended 2026-03-01 12:\S+ \(run 1\); nothing was run again: --redrive runs it again\.\n$/,
    );
    expect((await extract('--attempts', '1')).error).toContain("this request's are not used");
    expect(jsonLines(await extract('--json'))).toMatchObject([{ started: 'ended' }]);
    expect((await extract('--redrive')).error).toBe('');
    expect(line.store.rows).toHaveLength(2);
  });

  it('when a file is an office document by its bytes, then it is refused before anything is stored', async () => {
    const line = createCommandLine();
    const good = line.file('a.txt', 'a');
    for (const [name, bytes] of [
      ['letter.docx', 'PK\x03\x04rest'],
      ['letter.doc', '\xd0\xcf\x11\xe0rest'],
    ] as const) {
      const path = line.file(name, Buffer.from(bytes, 'latin1'));
      const kind = name.slice(6);
      refused(
        line,
        await line.run('extract', good, path, '--spec', 'receipt'),
        2,
        `${path}: A ${kind} is not read; hand in PDF, text, PNG, JPEG or WebP.`,
      );
    }
    // A name alone says nothing.
    const named = line.file('text.docx', 'plain text');
    expect((await line.run('extract', named, '--spec', 'receipt', '--no-wait')).code).toBe(0);
  });

  it('when one is handed in under the name of an evaluation, then it is refused', async () => {
    const line = createCommandLine();
    const path = line.file('a.txt', 'a');
    const ran = await line.run('extract', path, '--spec', 'receipt', '--tenant', 'eval-mine');
    expect(ran).toMatchObject({ code: 2, out: '' });
    expect(ran.error).toContain('Tenants that begin with "eval-" are those of evaluations');
    const batch = await line.run('batch', line.folder, '--spec', 'receipt', '--tenant', 'eval-mine');
    expect(batch).toMatchObject({ code: 2, out: '' });
    expect(line.store.rows).toEqual([]);
  });
});

describe('given documents', () => {
  it('when one verifies, then its record is shown and the exit code is 0', async () => {
    const line = createCommandLine();
    verifyAll(line);
    const ran = await line.run('extract', line.file('a.txt', 'a'), '--spec', 'receipt');
    expect(ran.code).toBe(0);
    expect(ran.error).toBe('');
    expect(ran.out).toMatch(/^a\.txt {2}verified\n/);
    expect(ran.out).toContain('"total": "4.50"');
    expect(ran.out).toContain('from stand-in');
    expect(ran.out).toContain(`extraction%2F${line.store.rows[0]?.key}`);
    expect(line.open).toEqual({ store: 0, engine: 0 });
  });

  it('when one does not, then its rules and reason are shown and the exit code is 3', async () => {
    const line = createCommandLine();
    exhaustAll(line, 'dead_letter');
    const ran = await line.run('extract', line.file('a.txt', 'a'), '--spec', 'receipt');
    expect(ran.code).toBe(3);
    expect(ran.out).toContain('no_progress (constraint)');
    expect(ran.out).toContain('sum @ /total: The lines add up to 4.50.');
    expect(ran.out).toContain('dead_letter');
  });

  it('when there are several, then a table shows them in the order they were named', async () => {
    const line = createCommandLine();
    verifyAll(line);
    const paths = ['b.txt', 'a.pdf', 'c'].map((name) =>
      line.file(name, name === 'a.pdf' ? '%PDF-1.7' : name),
    );
    const ran = await line.run('extract', ...paths, '--spec', 'receipt', '--tag', 'march', '--tag', 'till 4');
    const rows = ran.out.trimEnd().split('\n');
    expect(rows).toHaveLength(4);
    expect(rows[0]).toMatch(
      /^ID +RUN +DOCUMENT +SPEC +OUTCOME +WHY +WENT TO +ATTEMPTS +CALLS +TOKENS +TIME +MODEL$/,
    );
    expect(rows.slice(1).map((row) => row.split(/ {2,}/)[2])).toEqual(['b.txt', 'a.pdf', 'c']);
    expect(line.engine.started[0]?.tags).toEqual(['march', 'till 4']);
    expect([...line.store.documentRows.values()].map(({ mediaType }) => mediaType).sort()).toEqual([
      'application/pdf',
      'text/plain',
      'text/plain',
    ]);
  });

  it('when JSON is asked for, then each is one line with its outcome', async () => {
    const line = createCommandLine();
    verifyAll(line);
    const path = line.file('a.txt', 'a');
    const [view] = jsonLines(await line.run('extract', path, '--spec', 'receipt', '--json'));
    expect(view).toMatchObject({
      file: path,
      fileName: 'a.txt',
      policyDiffers: false,
      tenant: 'acme',
      outcome: { kind: 'verified', record: goodReceipt },
    });
  });

  it('when nobody waits, then they are started and shown as running', async () => {
    const line = createCommandLine();
    const ran = await line.run('extract', line.file('a.txt', 'a'), '--spec', 'receipt', '--no-wait');
    expect(ran.code).toBe(0);
    expect(ran.out).toMatch(/a\.txt +receipt +running/);
  });

  it('when budgets are tighter, then they hold; when looser, then they are refused by name', async () => {
    const line = createCommandLine();
    const path = line.file('a.txt', 'a');
    await line.run('extract', path, '--spec', 'receipt', '--no-wait', '--attempts', '1', '--deadline', '5s');
    expect(line.engine.started[0]?.policy).toMatchObject({ attemptCap: 1, deadlineMs: 5_000 });
    const other = createCommandLine();
    refused(
      other,
      await other.run('extract', path, '--spec', 'receipt', '--attempts', '9'),
      2,
      "attemptCap 9 is above the spec's 3. A request may only tighten what the spec allows.",
    );
  });

  it('when it runs already under other bounds, then that is said', async () => {
    const line = createCommandLine();
    const path = line.file('a.txt', 'a');
    await line.run('extract', path, '--spec', 'receipt', '--no-wait');
    const ran = await line.run('extract', path, '--spec', 'receipt', '--no-wait', '--attempts', '1');
    expect(ran.error).toContain(
      "runs under the bounds it was first started with; this request's are not used.",
    );
  });

  it('when content is at fault, then it is started: an empty document is an outcome', async () => {
    const line = createCommandLine();
    exhaustAll(line, 'dead_letter');
    expect((await line.run('extract', line.file('empty.pdf', ''), '--spec', 'receipt')).code).toBe(3);
    expect(line.engine.started).toHaveLength(1);
  });

  it('when it has more than 20 MiB, then it is refused by its name, and nothing is stored', async () => {
    const line = createCommandLine();
    const path = line.file('large.txt', new Uint8Array(20 * 1024 * 1024 + 1));
    const says = `${path} has 20,971,521 bytes; a document may have 20 MiB (20,971,520).`;
    refused(line, await line.run('extract', path, '--spec', 'receipt'), 2, says);
    expect(line.store.documentRows.size).toBe(0);
  });

  it('when a name says what the bytes are not, then it is refused, and its true name is taken', async () => {
    const line = createCommandLine();
    verifyAll(line);
    const path = line.file('scan.pdf', png(10, 10));
    const says = `${path} is said to be a PDF (application/pdf), but its bytes are those of a PNG image: send it under its true type.`;
    refused(line, await line.run('extract', path, '--spec', 'receipt'), 2, says);
    const ran = await line.run('extract', line.file('scan.png', png(10, 10)), '--spec', 'receipt');
    expect(ran.code).toBe(0);
  });
});

describe('given a file that cannot be taken', () => {
  it.each([
    ['is missing', (line: CommandLine) => join(line.folder, 'gone.txt'), 'does not exist.'],
    [
      'is a folder',
      (line: CommandLine) => line.folder,
      'is a folder; name the files in it, or hand it in by "endstop batch".',
    ],
    ['lies below a file', (line: CommandLine) => join(line.file('a.txt', ''), 'b.txt'), 'does not exist.'],
    ['is a device', () => '/dev/null', 'is not a file.'],
  ])('when it %s, then one sentence says so and no row is written', async (_what, pathOf, says) => {
    const line = createCommandLine();
    const good = line.file('good.txt', 'x');
    const path = pathOf(line);
    refused(line, await line.run('extract', good, path, '--spec', 'receipt'), 2, `${path} ${says}`);
  });

  // A superuser may read everything, so the fault cannot be produced as one.
  it.skipIf(process.getuid?.() === 0)('when it may not be read, then it says so', async () => {
    const line = createCommandLine();
    const path = line.file('secret.txt', 'x');
    chmodSync(path, 0);
    refused(
      line,
      await line.run('extract', path, '--spec', 'receipt'),
      2,
      `${path} may not be read by this user.`,
    );
  });

  it('when its name holds control characters, then they do not reach the screen', async () => {
    const line = createCommandLine();
    verifyAll(line);
    mkdirSync(join(line.folder, 'in'));
    const path = line.file('in/a\u001b[2J\u0007.txt', 'a');
    const ran = await line.run('extract', path, '--spec', 'receipt');
    expect(ran.out.startsWith('a[2J.txt')).toBe(true);
  });
});

describe('given that something is not there', () => {
  const extract = async (change: CommandLine['changes']) => {
    const line = createCommandLine();
    line.changes = change;
    return { line, ran: await line.run('extract', line.file('a.txt', 'a'), '--spec', 'receipt') };
  };

  it('when the spec is unknown, then the known ones are named', async () => {
    const line = createCommandLine();
    const ran = await line.run('extract', line.file('a.txt', 'a'), '--spec', 'recipe');
    refused(
      line,
      ran,
      2,
      'There is no spec "recipe"; known: receipt (the examples; ENDSTOP_SPECS is not set here).',
    );
  });

  it('when the spec file is at fault, then its sentence is shown', async () => {
    const { line, ran } = await extract({
      catalogue: async () => {
        throw new SpecError('x.ts has no default export; add "export default defineSpec({ ... })".');
      },
    });
    refused(line, ran, 2, 'x.ts has no default export; add "export default defineSpec({ ... })".');
  });

  it('when no Temporal server answers, then the exit code is 1', async () => {
    const { line, ran } = await extract({
      openEngine: async () => {
        throw new EngineUnavailable('No Temporal server answers at localhost:7233.');
      },
    });
    refused(line, ran, 1, 'No Temporal server answers at localhost:7233.');
  });

  it('when the database is dead, then the exit code is 1 and the engine is closed again', async () => {
    const { line, ran } = await extract({
      openStore: async () => {
        throw new StoreUnavailable('Postgres at localhost:5432 does not answer.');
      },
    });
    refused(line, ran, 1, 'Postgres at localhost:5432 does not answer.');
  });

  it('when something unexpected throws, then neither its text nor a stack is shown', async () => {
    const { ran } = await extract({
      openStore: async () => {
        throw new TypeError('Unexpected token in "patient Ada Lovelace"');
      },
    });
    expect(ran.code).toBe(1);
    expect(ran.error).toMatch(/^Something unexpected went wrong \(TypeError at [^\s()]+:\d+:\d+\)\.\n$/);
  });

  it('when a run fails to start in the middle, then what had ended is shown before the fault', async () => {
    const line = createCommandLine();
    verifyAll(line);
    line.changes = { config: () => ({ ...baseConfig(line), inFlight: 1 }) };
    const start = line.engine.start;
    line.engine.start = async (input) => {
      if (line.engine.started.length === 1) throw new EngineUnavailable('The server went away.');
      await start(input);
    };
    const paths = ['a.txt', 'b.txt', 'c.txt'].map((name) => line.file(name, name));
    const ran = await line.run('extract', ...paths, '--spec', 'receipt');
    expect(ran.code).toBe(1);
    expect(ran.out).toContain('a.txt');
    expect(ran.error).toBe('The server went away.\n');
    expect(line.store.rows).toHaveLength(2);
  });
});

describe('given no spec by name', () => {
  const specFile = (line: CommandLine, ...ids: readonly string[]) => {
    const authoring = JSON.stringify(resolve('src/spec/index.ts'));
    const specs = ids.map(
      (id) =>
        `defineSpec({ id: '${id}', title: 'A', schemaVersion: '1', prompt: { version: '1', text: 'Read.' }, fields: { total: money('Total') }, constraints: [] })`,
    );
    return line.file(
      `${ids.join('-')}.ts`,
      `import { defineSpec, money } from ${authoring};\nexport default [${specs.join(',')}];`,
    );
  };

  it('when the spec file has only one, then it is that one', async () => {
    const line = createCommandLine();
    const ran = await line.run(
      'extract',
      line.file('a.txt', 'a'),
      '--spec-file',
      specFile(line, 'receipt'),
      '--no-wait',
    );
    expect(ran.error).toBe('');
    expect(line.store.rows.map(({ specId }) => specId)).toEqual(['receipt']);
  });

  it('when there are several or none to choose from, then it asks which', async () => {
    const line = createCommandLine();
    const document = line.file('a.txt', 'a');
    const several = await line.run('extract', document, '--spec-file', specFile(line, 'one', 'two'));
    expect(several).toEqual({
      code: 2,
      out: '',
      error: 'Say with --spec which of these to extract: one, two.\n',
    });
    const none = await line.run('extract', document);
    expect(none.code).toBe(2);
    expect(none.error).toContain('Say what to extract with --spec');
  });
});

describe('given a command line that is not one', () => {
  it.each([
    [['extract', '--spec', 'receipt'], "missing required argument 'files'"],
    [['extract', 'a', '--spec', 'x', '--attempts', '0'], 'It must be a whole number of at least 1.'],
    [['frobnicate'], "unknown command 'frobnicate'"],
    [['down'], 'unknown command \'down\'; Ctrl-C where "endstop up" runs stops the stack\n'],
    [['list', '--port', '5000'], 'the port is that of ENDSTOP_API_PORT\n'],
    [['list', '--reason', 'atempt_cap'], 'Did you mean "attempt_cap"?\n'],
    [['list', '--reason', 'bad luck'], 'Allowed choices are cancelled, attempt_cap'],
    [['list', '--colour'], "unknown option '--colour'"],
  ])('%j then the exit code is 2 and it says what is wrong', async (argv, says) => {
    const ran = await createCommandLine().run(...argv);
    expect(ran.code).toBe(2);
    expect(ran.out).toBe('');
    expect(ran.error).toContain(says);
  });

  it('when help or the version is asked for, then nothing is opened and the exit code is 0', async () => {
    const line = createCommandLine();
    line.changes = {
      config: () => {
        throw new Error('Help must not need settings.');
      },
    };
    const help = await line.run('--help');
    expect(help.code).toBe(0);
    expect(help.out).toContain('Exit codes: 0 verified or done, 3 unverified, 2 usage, 1 fault.');
    expect(await line.run('--version')).toEqual({ code: 0, out: '0.1.0\n', error: '' });
    expect((await line.run('extract', '--help')).code).toBe(0);
  });
});

function baseConfig(line: CommandLine) {
  return {
    databaseUrl: null,
    temporal: { address: null, namespace: 'default', uiUrl: null, access: null, codecKeys: [] },
    deployment: null,
    model: { provider: 'stand-in', baseUrl: null, apiKey: null },
    documents: null,
    home: line.folder,
    isHomeNamed: false,
    api: { host: '127.0.0.1', port: 0, key: null, perMinute: 0 },
    specFiles: [],
    tenant: 'acme',
    slots: { first: 1, repair: 1, store: 1 },
    shutdownGraceMs: 60_000,
    tenantLimits: { mostOpen: null, perSecond: null },
    inFlight: 20,
    reviewSlaMs: 1,
    allowPrivateWebhooks: false,
    metrics: null,
    logLevel: 'info' as const,
  };
}
