import { describe, expect, it } from 'vitest';
import specs from '../../specs/index.js';
import { createCatalogue } from '../../src/spec/catalogue.js';
import { exhaustAll } from '../support/fakes/bench.js';
import { createCommandLine, jsonLines, rowsOf, withOne } from './command-line.js';

function withClaims() {
  const line = createCommandLine();
  line.changes = { catalogue: async () => createCatalogue(specs) };
  return line;
}

describe('endstop spec explain', () => {
  it('prints every line of the table, what fails in it, and where the case goes; without any database', async () => {
    const line = withClaims();
    const facts = { spec: 'claim', reason: 'no_progress', failureClass: 'constraint', hasCandidate: true };
    const path = line.file('case.json', JSON.stringify({ ...facts, tags: ['urgent'] }));
    line.changes = {
      ...line.changes,
      openStore: async () => {
        throw new Error('opened');
      },
    };
    const { code, out, error } = await line.run('spec', 'explain', path);
    expect({ code, error }).toEqual({ code: 0, error: '' });
    const [head = '', lines = ''] = out.split('\n\n');
    expect(head.split('\n').map((row) => row.trim())).toEqual([
      ...['table  of claim, as it is now', 'facts  reason: no_progress', 'class: constraint'],
      ...[
        'template recognised: no',
        'candidate: yes',
        'amount: none',
        'pages: none',
        'tenant: acme',
        'tags: urgent',
      ],
    ]);
    const many = 'token_ceiling, no_progress, attempt_cap, oscillation, not_repairable, empty_reply';
    const wrongReason = 'does not match: reason is no_progress';
    expect(rowsOf(lines)).toEqual([
      ['LINE', 'TO', 'RESULT', 'WHEN'],
      ['1', 'human_review', wrongReason, 'reason in contradiction'],
      [
        ...['2', 'fallback', 'does not match: template recognised is no'],
        `reason in ${many}; template recognised: yes`,
      ],
      ['3', 'human_review', wrongReason, 'reason in refusal'],
      ['4', 'dead_letter', wrongReason, 'reason in unreadable_document'],
      ['5', 'human_review', 'matches: it decides', 'candidate: yes'],
      ['6', 'dead_letter', 'matches, but line 5 comes first', 'always'],
      ['It goes to human_review.'],
    ]);
  });

  it.each([
    [{ reason: 'internal_error' }, 'the table has no say', 'matches, but has no say'],
    [{ reason: 'deadline', repliesRead: 0 }, 'the table has no say', 'deadline before any reply was read'],
    [{ reason: 'cancelled' }, 'It goes nowhere', 'matches, but has no say'],
    [
      { reason: 'no_progress', templateRecognised: true, tried: ['fallback'] },
      'It goes to dead_letter',
      'was tried before',
    ],
  ])('of %j says so', async (facts, verdict, line) => {
    const command = withClaims();
    const path = command.file('case.json', JSON.stringify(facts));
    const { out } = await command.run('spec', 'explain', path, '--spec', 'claim');
    expect(out).toContain(verdict);
    expect(out).toContain(line);
  });

  it('explains an extraction by its id, and says when it went elsewhere', async () => {
    const { line, id } = await withOne((bench) => exhaustAll(bench, 'best_effort'));
    const { code, out } = await line.run('spec', 'explain', id.slice(0, 12));
    expect(code).toBe(0);
    expect(out).toContain('table  that it was started with');
    // The fake keeps its best effort; the receipt's table has no line for that.
    expect(out).toContain('It really went to best_effort.');
    expect(jsonLines(await line.run('spec', 'explain', id, '--json'))).toMatchObject([
      {
        facts: { reason: 'no_progress' },
        went: 'best_effort',
        explanations: [{ decidedBy: expect.any(String) }],
      },
    ]);
    expect(line.open).toEqual({ store: 0, engine: 0 });
  });

  it.each([
    [['nowhere.json'], /^There is no file nowhere\.json that can be read\.\n$/],
    [['00000000'], /^No single extraction has an id that begins with "00000000"\.\n$/],
  ])('refuses %j in one sentence', async (names, message) => {
    const ran = await withClaims().run('spec', 'explain', ...names);
    expect(ran).toMatchObject({ code: 2, out: '' });
    expect(ran.error).toMatch(message);
  });

  it.each([
    ['{', [], /is not JSON\.\n$/],
    ['{}', ['--spec', 'claim'], /^A case needs a "reason"/],
    ['{"reason":"refusal"}', [], /^Name the spec whose table is asked/],
    ['{"reason":"refusal"}', ['--spec', 'nil'], /^There is no spec "nil"/],
  ])('refuses a file that holds %s', async (content, options, message) => {
    const line = withClaims();
    const ran = await line.run('spec', 'explain', line.file('case.json', content), ...options);
    expect(ran).toMatchObject({ code: 2, out: '' });
    expect(ran.error).toMatch(message);
  });
});
