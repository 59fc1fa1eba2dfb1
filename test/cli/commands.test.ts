import { describe, expect, it } from 'vitest';
import { submitExtraction } from '../../src/application/submit-extraction.js';
import type { Terminal } from '../../src/cli/terminal.js';
import { ConfigError, readConfig } from '../../src/config.js';
import { workflowIds } from '../../src/domain/workflow-id.js';
import { createCatalogue } from '../../src/spec/catalogue.js';
import { exhaustAll, textSubmission, verifyAll } from '../support/fakes/bench.js';
import { runId } from '../support/fakes/memory-store.js';
import { linkOf } from '../support/fakes/scripted-engine.js';
import { type CommandLine, createCommandLine, jsonLines, rowsOf, withOne } from './command-line.js';

const failedCall = (call: { provider: string; faultClass: string; status: number | null }) => ({
  ...{
    callId: '1',
    attempt: 1,
    model: 'm',
    state: 'failed' as const,
    requestId: null,
    tokens: 0,
    known: true,
  },
  ...{ cost: { amount: '0', currency: 'USD' }, startedAt: 0, endedAt: 1, ...call },
});

const silent: Terminal = {
  ...{ out: () => undefined, error: () => undefined, drained: async () => undefined },
  ...{ isColoured: false, showsProgress: false },
};

const unansweredRuns = [
  {
    reason: 'provider_unavailable' as const,
    call: { provider: '127.0.0.1:9', faultClass: 'connection_refused', status: null },
    mend: 'Nothing answered at 127.0.0.1:9 (refused): check ANTHROPIC_BASE_URL and whether that server runs, start again',
  },
  {
    reason: 'provider_unavailable' as const,
    call: { provider: 'anthropic', faultClass: 'unknown_host', status: null },
    mend: 'No host api.anthropic.com was found: check ANTHROPIC_BASE_URL and the network, start again',
  },
  {
    reason: 'provider_unavailable' as const,
    call: { provider: 'stand-in', faultClass: 'overloaded', status: 529 },
    mend: 'The stand-in answered 529, overloaded: wait until it is well',
  },
  {
    reason: 'provider_rejected' as const,
    call: { provider: 'anthropic', faultClass: 'unauthenticated', status: 401 },
    mend: 'api.anthropic.com refused the call (401, unauthenticated): set ANTHROPIC_API_KEY to one that it takes, start again',
  },
];

describe('given one extraction', () => {
  it('when it is shown by the beginning of its id, then its sheet has the outcome and the link', async () => {
    const { line, id } = await withOne(verifyAll);
    const ran = await line.run('show', id.slice(0, 8));
    expect(ran.code).toBe(0);
    expect(ran.out).toContain('verified');
    expect(ran.out).toContain(linkOf(id));
    expect(line.open).toEqual({ store: 0, engine: 0 });
  });

  it('when it runs, then until when it does at most', async () => {
    const { line, id } = await withOne();
    expect((await line.run('show', id)).out).toMatch(/time +running, until 2026-03-01 12:01Z at most/);
    expect(jsonLines(await line.run('show', id, '--json'))).toEqual([
      expect.objectContaining({ id, state: 'running', outcome: null }),
    ]);
  });

  it('when two ids begin alike, none is guessed', async () => {
    const { line, id } = await withOne();
    const [row] = line.store.rows;
    if (row !== undefined) line.store.rows.push({ ...row, key: `${id.slice(0, 10)}${'0'.repeat(54)}` });
    expect(await line.run('show', id.slice(0, 9))).toEqual({
      code: 2,
      out: '',
      error: `No single extraction has an id that begins with "${id.slice(0, 9)}".\n`,
    });
    expect((await line.run('show', id.slice(0, 12))).code).toBe(0);
  });

  it('when its attempts are asked for, then each is a line with class, rule and place, ceiling, tokens and calls', async () => {
    const { line, id } = await withOne(exhaustAllToDeadLetters);
    const call = {
      model: 'claude-haiku-5-5',
      provider: 'stand-in',
      state: 'answered',
      faultClass: null,
      status: 200,
      requestId: 'r',
      known: true,
      endedAt: 9,
    } as const;
    const cost = { amount: '0.00017', currency: 'USD' };
    line.store.callRows.set(runId(id, 1), [
      { ...call, callId: '1', attempt: 1, tokens: 900, cost, startedAt: 1 },
      {
        ...call,
        callId: '2',
        attempt: 2,
        tokens: 300,
        cost,
        startedAt: 2,
        state: 'failed',
        faultClass: 'overloaded',
      },
      { ...call, callId: '3', attempt: 2, tokens: 900, cost, startedAt: 3 },
      {
        ...call,
        callId: '4',
        attempt: 3,
        tokens: 300,
        cost,
        startedAt: 4,
        state: 'failed',
        faultClass: 'stalled',
      },
    ]);
    expect(rowsOf((await line.run('attempts', id)).out)).toEqual([
      ['ATTEMPT', 'LANE', 'MODEL', 'RESULT', 'PROBLEMS', 'CEILING', 'TOKENS', 'CALLS', 'TIME'],
      [
        '1',
        'first',
        'claude-haiku-5-5 from stand-in',
        'constraint',
        'sum @ /total',
        '1500',
        '900',
        '1',
        '1.2 s',
      ],
      [
        '2',
        'repair',
        'claude-haiku-5-5 from stand-in',
        'constraint',
        'sum @ /total',
        '1500',
        '900',
        '2',
        '1.2 s',
      ],
      ['3', '-', '-', 'stalled', '-', '300', '1', '-'],
    ]);
    const [first] = jsonLines(await line.run('attempts', id, '--json'));
    expect(first).toMatchObject({
      attempt: 1,
      result: 'rejected',
      failureClass: 'constraint',
      maxTokens: 1500,
    });
  });

  it('when its attempts are asked for, then what each repair was told is there in full', async () => {
    const { line, id } = await withOne(exhaustAllToDeadLetters);
    const [first, second] = line.store.attemptRows.get(runId(id, 1)) ?? [];
    if (first === undefined || second === undefined) throw new Error('two attempts');
    const feedback = 'Your answer broke rules:\n- sum: The amounts add up to 4.50.';
    line.store.attemptRows.set(runId(id, 1), [first, { ...second, feedback }]);
    const { out } = await line.run('attempts', id);
    expect(out).toContain(
      '\nAttempt 2 was told:\n  Your answer broke rules:\n  - sum: The amounts add up to 4.50.\n',
    );
    expect(out).not.toContain('Attempt 1 was told');
  });

  it('when the stack has other specs than this process, then whatever asks for specs says so first', async () => {
    const { line } = await withOne();
    const strange = 'The stack that runs keeps the specs it was started with; ENDSTOP_SPECS differs here.';
    line.changes = { strangeSpecs: () => strange };
    for (const argv of [
      ['spec', 'list'],
      ['redrive', '--all', '--dry-run'],
      ['extract', line.file('a.txt', 'x'), '--spec', 'receipt', '--no-wait'],
    ])
      expect((await line.run(...argv)).error).toContain(`${strange}\n`);
    const [specs] = jsonLines(await line.run('doctor', '--json')).filter(({ name }) => name === 'specs');
    expect(specs).toMatchObject({ ok: true, says: `receipt v2, receipt v1. ${strange}` });
  });

  it('when no worker has its spec, then it says what to do', async () => {
    const { line, id } = await withOne();
    line.store.end(id, { outcome: 'unverified', reason: 'spec_unavailable', route: 'dead_letter' });
    const { out } = await line.run('show', id);
    expect(out).toContain('No worker knows receipt schema 1, prompt v2: ');
    expect(out).toContain(
      `(ENDSTOP_SPECS=FILE endstop up), then "ENDSTOP_SPECS=FILE endstop redrive ${id.slice(0, 12)}".`,
    );
    line.changes = { catalogue: async () => createCatalogue([]) };
    expect(await line.run('redrive', id)).toMatchObject({
      code: 2,
      error:
        'Spec "receipt" with prompt version "v2" is not known here (the examples; ENDSTOP_SPECS is not set here).\n',
    });
  });

  it.each(unansweredRuns)(
    'when its calls failed ($call.faultClass), then it says what to do',
    async ({ reason, call, mend }) => {
      const { line, id } = await withOne();
      line.store.end(id, { outcome: 'unverified', reason, route: 'dead_letter' });
      line.store.callRows.set(`${id}/1`, [failedCall(call)]);
      const redrive = `then "endstop redrive ${id.slice(0, 12)}".`;
      expect((await line.run('show', id)).out).toContain(`to do      ${mend}, ${redrive}`);
      const doctor = await line.run('doctor', '--json');
      expect(jsonLines(doctor).find(({ name }) => name === 'calls')).toEqual({
        ...{ name: 'calls', ok: false },
        says: `The newest run got no reply (${reason}). ${mend}, ${redrive}`,
      });
    },
  );

  it('when the stand-in left a field empty, then it says what that reads; of a wrong value or another model nothing is said', async () => {
    const { line, id } = await withOne(exhaustAllToDeadLetters);
    const reads = /stand-in +It reads lines such as "Label: value"/;
    expect((await line.run('show', id)).out).not.toMatch(reads);
    const empty = { rule: 'schema/format', pointer: '/total', message: '', expected: null, found: '' };
    const rows = line.store.attemptRows.get(runId(id, 1)) ?? [];
    line.store.attemptRows.set(
      runId(id, 1),
      rows.map((row) => ({ ...row, problems: [empty] })),
    );
    expect((await line.run('show', id)).out).toMatch(reads);
    line.store.end(id, { outcome: 'unverified', reason: 'contradiction' });
    expect((await line.run('show', id)).out).not.toMatch(reads);
    line.store.end(id, { outcome: 'unverified', reason: 'no_progress', provider: 'anthropic' });
    expect((await line.run('show', id)).out).not.toMatch(reads);
  });

  it('when no attempt was made yet, then that is said', async () => {
    const { line, id } = await withOne();
    expect((await line.run('attempts', id)).out).toBe('No attempt was made yet.\n');
  });

  it('when it is cancelled, then it is asked to stop; when it had ended, then it stays so', async () => {
    const { line, id } = await withOne();
    expect((await line.run('cancel', id)).out).toBe(`${id.slice(0, 12)} is asked to stop.\n`);
    expect((await line.run('cancel', id)).out).toBe(
      `${id.slice(0, 12)} had ended before (unverified) and stays so.\n`,
    );
  });

  it('when the engine carries no run of it, then cancelling says so', async () => {
    const { line, id } = await withOne();
    line.engine.cancel = async () => false;
    const ran = await line.run('cancel', id);
    expect(ran.code).toBe(1);
    expect(ran.error).toContain('is open but the engine carries no run of it');
  });
});

describe('given many extractions', () => {
  it('when they are listed, then the newest is first, filters hold and a page leads to the next', async () => {
    const line = createCommandLine();
    verifyAll(line);
    for (const text of ['a', 'b', 'c']) {
      await submitExtraction(line.app, textSubmission(text, { fileName: `${text}.txt`, tags: [text] }));
    }
    const first = await line.run('list', '--limit', '2', '--json');
    expect(jsonLines(first).map(({ fileName }) => fileName)).toEqual(['c.txt', 'b.txt']);
    expect(first.error).toBe('There are more (--all prints them): --cursor 2\n');
    expect(jsonLines(await line.run('list', '--cursor', '2', '--json'))).toEqual([
      expect.objectContaining({ fileName: 'a.txt' }),
    ]);
    expect(rowsOf((await line.run('list', '--tag', 'b')).out)).toHaveLength(2);
    expect(rowsOf((await line.run('list', '--file', 'scans/B.tx')).out)[1]?.[2]).toBe('b.txt');
    expect((await line.run('list', '--file', '.txt')).out).toBe('None.\n');
    expect((await line.run('list', '--running')).out).toBe('None.\n');
    expect((await line.run('list', '--outcome', 'unverified')).out).toBe('None.\n');
  });

  it('when the cursor is none of ours, then that is the sentence', async () => {
    expect(await createCommandLine().run('list', '--cursor', 'x')).toEqual({
      code: 2,
      out: '',
      error: 'This cursor is not one that this list gave out: start again without one.\n',
    });
  });
});

describe('given the engine', () => {
  it('when views are asked for, then each has its name and meaning; links come one at a time, or as JSON', async () => {
    const ran = await createCommandLine().run('views');
    expect(ran.out).toBe(
      'exhausted  Every run that ended unverified.\n' +
        'endstop views NAME prints its link and what is behind it; --json prints all links.\n',
    );
    expect(jsonLines(await createCommandLine().run('views', '--json'))).toMatchObject([
      { name: 'exhausted', url: 'http://ui.test/namespaces/default/workflows' },
    ]);
  });

  it('when one is named, then the runs behind its query are listed', async () => {
    const line = createCommandLine();
    line.engine.list = async (query, limit) => {
      expect([query, limit]).toEqual(['EndstopOutcome = "x"', 50]);
      const run = {
        workflowId: 'extraction/1',
        type: 'extraction',
        status: 'COMPLETED',
        closedAt: null,
        url: null,
      };
      return [{ ...run, startedAt: 0 }];
    };
    const rows = rowsOf((await line.run('views', 'exhausted')).out);
    expect(rows[1]).toEqual(['http://ui.test/namespaces/default/workflows']);
    expect(rows[4]).toEqual(['extraction/1', 'COMPLETED', '1970-01-01 00:00Z']);
    const unknown = await line.run('views', 'lost');
    expect(unknown.code).toBe(2);
    expect(unknown.error).toBe('There is no view "lost"; there are exhausted.\n');
  });
});

describe('given a doctor', () => {
  it('when all is well, then every check says what it found', async () => {
    const line = createCommandLine({ checks: [{ name: 'workers', run: async () => 'polling' }] });
    const ran = await line.run('doctor');
    expect(ran.code).toBe(0);
    expect(rowsOf(ran.out).map((row) => row.slice(0, 2))).toEqual([
      ['CHECK', 'STATE'],
      ['settings', 'ok'],
      ['specs', 'ok'],
      ['database', 'ok'],
      ['labels', 'ok'],
      ['repairs', 'ok'],
      ['breakers', 'ok'],
      ['calls', 'ok'],
      ['engine', 'ok'],
      ['workers', 'ok'],
      ['runs', 'ok'],
    ]);
    expect(line.open).toEqual({ store: 0, engine: 0 });
  });

  it('when something is wrong, then the rest is checked all the same and the exit code is 1', async () => {
    const line = createCommandLine();
    line.engine.down = true;
    const ran = await line.run('doctor', '--json');
    expect(ran.code).toBe(1);
    expect(jsonLines(ran).filter(({ ok }) => ok === false)).toEqual([
      { name: 'engine', ok: false, says: 'No Temporal server answers at localhost:7233.' },
    ]);
    expect(jsonLines(ran)).toHaveLength(8);
  });

  it('when the settings cannot be read, then that is said once and nothing else is asked', async () => {
    const line = createCommandLine();
    line.changes = { config: () => readConfig({ ENDSTOP_TENANT: '-' }, undefined, line.folder) };
    const ran = await line.run('doctor', '--json');
    expect(ran.code).toBe(1);
    expect(jsonLines(ran)).toEqual([expect.objectContaining({ name: 'settings', ok: false })]);
  });

  it('when a worker holds calls back, then it says whose, which, since when and why', async () => {
    const line = createCommandLine();
    const told = { worker: '7@a', provider: 'p', model: 'm', cause: 'overloaded', nextProbeAt: null };
    line.store.breakers.list = async () => [
      { ...told, state: 'open', since: Date.UTC(2026, 2, 1, 11), seenAt: Date.UTC(2026, 2, 1, 12) },
      { ...told, worker: '8@b', state: 'open', since: 0, seenAt: 0 },
    ];
    expect(jsonLines(await line.run('doctor', '--json')).filter(({ ok }) => ok === false)).toEqual([
      {
        ...{ name: 'breakers', ok: false },
        says: 'Calls to m are held back by 7@a since 2026-03-01T11:00:00.000Z (overloaded).',
      },
    ]);
  });

  it('when a label stands for something else than it was first used for, then it says which', async () => {
    const line = createCommandLine();
    line.store.specVersions.check = async () => ({ kind: 'changed', label: 'prompt', version: '1' });
    expect(jsonLines(await line.run('doctor', '--json')).filter(({ ok }) => ok === false)).toEqual([
      expect.objectContaining({
        name: 'labels',
        says: expect.stringContaining('prompt.version is still "1"'),
      }),
    ]);
  });
});

describe('given runs that no workflow carries any more', () => {
  const astray = async () => {
    const { line, id } = await withOne();
    line.engine.gone.set(workflowIds.extraction(id), 'ended');
    line.pass(20_000);
    return { line, id };
  };

  it('when the doctor is asked, then it counts them, changes nothing and says what to do', async () => {
    const { line, id } = await astray();
    const ran = await line.run('doctor', '--json');
    expect(ran.code).toBe(1);
    expect(jsonLines(ran).filter(({ ok }) => ok === false)).toEqual([
      {
        name: 'runs',
        ok: false,
        says:
          'To be put right by "endstop doctor --repair": ' +
          '1 open run without a workflow closed as internal_error.',
      },
    ]);
    expect((await line.store.extractions.find(id))?.state).toBe('open');
  });

  it('when it may repair, then they are closed and parked, and the next time all is well', async () => {
    const { line, id } = await astray();
    const ran = await line.run('doctor', '--repair');
    expect(ran.code).toBe(0);
    expect(ran.out).toContain('put right: 1 open run without a workflow closed as internal_error');
    expect(await line.store.extractions.find(id)).toMatchObject({ reason: 'internal_error' });
    expect(line.store.letters.get(id)).toMatchObject({ state: 'parked' });
    expect((await line.run('doctor')).code).toBe(0);
    expect(line.open).toEqual({ store: 0, engine: 0 });
  });
});

describe('given a run that was closed on a route that there is not', () => {
  it('when the doctor is asked, then it says so, and parks it when it may', async () => {
    const { line, id } = await withOne();
    line.store.end(id, { outcome: 'unverified', reason: 'contradiction', route: 'human_reveiw' as never });
    const ran = await line.run('doctor', '--json');
    expect(jsonLines(ran).filter(({ ok }) => ok === false)).toEqual([
      {
        name: 'runs',
        ok: false,
        says: 'To be put right by "endstop doctor --repair": 1 closed run on a route that there is not parked.',
      },
    ]);
    expect((await line.run('doctor', '--repair')).code).toBe(0);
    expect(line.store.letters.get(id)).toMatchObject({ state: 'parked', reason: 'contradiction' });
    expect((await line.run('doctor')).code).toBe(0);
  });
});

describe('given a stack that is stopped', () => {
  it('when the doctor is asked, then that is said once, and not by what stands on it', async () => {
    const says = 'The stack of this folder is stopped: start it with "endstop up".';
    const stopped = async () => {
      throw new ConfigError(says);
    };
    const checks = [
      { name: 'model', run: stopped },
      { name: 'models', needs: 'model', run: async () => 'fine' },
    ];
    const line = createCommandLine({ checks });
    line.changes = { openStore: stopped, openEngine: stopped };
    const ran = await line.run('doctor', '--json');
    expect(ran.code).toBe(1);
    expect(jsonLines(ran).map(({ name }) => name)).toEqual(['settings', 'specs', 'database']);
    expect(jsonLines(ran)[2]).toEqual({ name: 'database', ok: false, says });
    const printed: string[] = [];
    const terminal = { ...silent, program: 'npx endstop', out: (text: string) => void printed.push(text) };
    line.changes = { ...line.changes, terminal };
    await line.run('doctor');
    expect(printed.join('')).toContain('start it with "npx endstop up".');
  });
});

describe('given specs', () => {
  it('when they are listed, then every version is there and one of each is current', async () => {
    expect(
      rowsOf((await createCommandLine().run('spec', 'list')).out).map((row) => row.slice(0, 5)),
    ).toMatchObject([
      ['SPEC', 'TITLE', 'SCHEMA', 'PROMPT', 'CURRENT'],
      ['receipt', 'Receipt', '1', 'v2', 'yes'],
      ['receipt', 'Receipt', '1', 'v1', expect.stringMatching(/^\d+$/)],
    ]);
  });
});

function exhaustAllToDeadLetters(line: CommandLine): void {
  exhaustAll(line, 'dead_letter');
}
