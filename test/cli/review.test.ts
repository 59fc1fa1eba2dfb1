import { describe, expect, it } from 'vitest';
import { leaseMs } from '../../src/application/claim-review.js';
import { createCatalogue } from '../../src/spec/catalogue.js';
import { exhaustAll, rejectedAttempt, sampleAll, storedRecord } from '../support/fakes/bench.js';
import { runId } from '../support/fakes/memory-store.js';
import { badReceipt, goodReceipt } from '../support/fakes/receipt-spec.js';
import { jsonLines, rowsOf, withOne } from './command-line.js';

const waiting = async () => {
  const one = await withOne((line) => exhaustAll(line, 'human_review'));
  const review = (...argv: readonly string[]) => one.line.run('review', ...argv);
  return { ...one, short: one.subject.slice(0, 12), review };
};

describe('given a review', () => {
  it('when reviews are listed, then each shows its amount, reason and due time, and the queue what it takes', async () => {
    const { id, short, review } = await waiting();
    const [, row, ...footer] = rowsOf((await review('list')).out);
    expect(row).toEqual([
      ...[short, id.slice(0, 12), 'receipt.txt', 'receipt', '5.50 EUR', 'no_progress (constraint)', 'open'],
      '2026-03-01 13:00Z',
    ]);
    expect(footer).toEqual([
      ['queue', '1 open, 1 free, 0 held'],
      ['takes', '1 a day x 2.4 min each (assumed: too few were measured) = 0.04 reviewer-hours a day'],
      ['backlog', '0.04 reviewer-hours'],
    ]);
  });

  it('when all are held, then the list says when the first is free; when none is open, then that', async () => {
    const { subject, review } = await waiting();
    await review('claim', subject, '--as', 'ada');
    expect((await review('list', '--free')).out).toMatch(
      /^None\.\nqueue +all 1 open ones are held; the first is free at 2026-03-01 12:15Z\n/,
    );
    expect((await review('next', '--as', 'grace')).out).toMatch(
      /^All 1 open reviews are held; the first is free at 2026-03-01 12:15Z\.\n$/,
    );
    await review('decide', subject, 'not_in_document', '--as', 'ada');
    expect((await review('list')).out).toMatch(/^None\.\nqueue +nothing is open\n/);
    expect((await review('next', '--as', 'grace')).out).toBe('No review is open.\n');
    expect(jsonLines(await review('next', '--as', 'grace', '--json'))).toEqual([{ kind: 'none' }]);
  });

  it('when it is listed by options, then they hold', async () => {
    const { line, subject, review } = await waiting();
    await review('claim', subject, '--as', 'ada');
    const count = async (...options: readonly string[]) =>
      jsonLines(await review('list', '--json', ...options)).length;
    expect(await count('--held-by', 'ada')).toBe(1);
    expect(await count('--held-by', 'grace')).toBe(0);
    expect(await count('--overdue')).toBe(0);
    expect(await count('--escalated')).toBe(0);
    expect(await count('--kind', 'sample')).toBe(0);
    expect(await count('--reason', 'no_progress', '--class', 'constraint', '--tenant', 'acme')).toBe(1);
    line.pass(3_600_001);
    expect(await count('--overdue', '--free')).toBe(1);
    expect((await review('list')).out).toContain('(overdue)');
    expect(jsonLines(await review('queue', '--json'))).toMatchObject([{ open: 1, overdue: 1 }]);
  });

  it("when it is shown by its extraction's id, then why comes first, then fields beside their print, then changes", async () => {
    const { line, id, review } = await waiting();
    const evidence = [{ pointer: '/total', page: 1, start: 0, end: 4, printed: 'EUR 5,50' }];
    const first = rejectedAttempt(1, { candidate: { ...badReceipt, total: '9.99' } });
    line.store.attemptRows.set(runId(id, 1), [first, rejectedAttempt(2, { evidence })]);
    const { out } = await review('show', id.slice(0, 8), '--as', 'ada');
    expect(out.split('\n').slice(0, 5)).toEqual([
      'receipt.txt  open',
      'why    It was not verified: the model gave the same answer again.',
      'unmet  Total',
      '         sum @ /total: The lines add up to 4.50. (expected 4.50, found 5.50)',
      'sums   sum: /total should be 4.50 and is 5.50',
    ]);
    const rows = rowsOf(out);
    expect(rows).toContainEqual(['Total', '5.50', '"EUR 5,50" p. 1', 'sum']);
    expect(rows).toContainEqual(['CHANGED', 'ATTEMPT 1', 'ATTEMPT 2']);
    expect(rows).toContainEqual(['Total', '9.99', '5.50']);
  });

  it('when it is claimed, then others are told by whom, unless they steal it and say why', async () => {
    const { short, review } = await waiting();
    expect((await review('claim', short, '--as', 'ada')).out).toMatch(
      new RegExp(`^${short} is held by ada until 2026-03-01 12:15Z\\.\\n$`),
    );
    const other = await review('claim', short, '--as', 'grace');
    expect(other.code).toBe(1);
    expect(other.error).toContain('is held by ada');
    expect((await review('claim', short, '--as', 'grace', '--steal', '')).code).toBe(2);
    expect((await review('claim', short, '--as', 'grace', '--steal', 'ada is ill')).out).toContain(
      'held by grace',
    );
    const { out } = await review('show', short, '--as', 'ada');
    expect(out).toMatch(/grace stolen from ada until 2026-03-01 12:15Z: ada is ill\n/);
  });

  it('when it is held on to, let go or taken next, then it says so; a lease that ran out is lost', async () => {
    const { line, short, review } = await waiting();
    expect((await review('next', '--as', 'ada')).out).toContain(`${short} is held by ada until`);
    expect((await review('extend', short, '--as', 'ada')).out).toContain(`${short} is held by ada until`);
    expect((await review('release', short, '--as', 'ada')).out).toBe(`${short} is free.\n`);
    expect(jsonLines(await review('next', '--as', 'ada', '--json'))).toMatchObject([
      { kind: 'claimed', review: { holder: 'ada' } },
    ]);
    line.pass(leaseMs);
    expect(await review('extend', short, '--as', 'ada')).toEqual({
      code: 1,
      out: '',
      error: 'You do not hold this review (any more); nobody holds it: claim it again. Drafts are kept.\n',
    });
  });

  it('when values are checked, then it says what they come to, and the exit code whether they hold', async () => {
    const { line, short, review } = await waiting();
    const good = await review(
      'check',
      short,
      '--values',
      line.file('good.json', JSON.stringify(goodReceipt)),
    );
    expect(good).toMatchObject({ code: 0, out: expect.stringMatching(/^check +every rule holds\n/) });
    const bad = await review('check', short);
    expect(bad.code).toBe(3);
    expect(rowsOf(bad.out)).toContainEqual(['to override', 'sum']);
    expect(bad.out).toMatch(/unmet +sum @ \/total: .*\(expected 4\.50, found 5\.50\)/);
    expect(jsonLines(await review('check', short, '--json'))).toMatchObject([{ kind: 'unmet' }]);
    expect(line.store.reviews.stored).toEqual([]);
  });

  it('when a draft is kept, then it is printed again, for its author only', async () => {
    const { line, short, review } = await waiting();
    const path = line.file('draft.json', '{"total": "4."}');
    expect((await review('draft', short, '--as', 'ada')).error).toBe('You have no draft here.\n');
    const kept = await review('draft', short, '--as', 'ada', '--values', path, '--note', 'half');
    expect(kept.out).toBe('Kept for ada until they decide.\n');
    expect(JSON.parse((await review('draft', short, '--as', 'ada')).out)).toEqual({ total: '4.' });
    expect((await review('show', short, '--as', 'ada')).out).toMatch(/draft +yours of/);
    expect((await review('draft', short, '--as', 'grace')).code).toBe(1);
  });

  it('when it is corrected with a file of values, then it is decided', async () => {
    const { line, subject, short, review } = await waiting();
    const path = line.file('values.json', JSON.stringify(goodReceipt));
    const ran = await review(
      'decide',
      subject,
      'correct',
      '--values',
      path,
      '--as',
      'ada',
      '--if-version',
      '1',
    );
    expect(ran).toEqual({ code: 0, out: `${short} is decided: correct.\n`, error: '' });
    expect(line.store.reviews.stored[0]).toMatchObject({ actor: 'ada', values: goodReceipt });
    const stale = await review(
      'decide',
      subject,
      'reject',
      '--note',
      'x',
      '--as',
      'kim',
      '--if-version',
      '1',
    );
    expect(stale.code).toBe(1);
    expect(stale.error).toMatch(
      /^This review changed since you looked at it \(version 1, now 2\)\. It was decided on \S+ by ada: correct\.\n$/,
    );
  });

  it('when single values are set, then they are checked and decided with the rest of the candidate', async () => {
    const { line, id, short, review } = await waiting();
    expect((await review('check', short)).code).toBe(3);
    expect((await review('check', short, '--set', '/total=4.50')).code).toBe(0);
    expect((await review('check', short, '--set', '/lines=[{"amount": "5.50"}]')).code).toBe(0);
    expect((await review('check', short, '--set', '/lines/-={"amount": "1.00"}')).code).toBe(0);
    const moved = await review('check', short, '--set', '/totals/0=4.50');
    expect(moved).toMatchObject({
      code: 2,
      error:
        'The record has no field /totals/0; did you mean /total/0? (A field that it really lacks is given with --values.)\n',
    });
    expect((await review('check', short, '--set', 'total=4.50')).code).toBe(2);
    const wrong = await review('decide', short, 'approve', '--override', 'summ', '--note', 'x');
    expect(wrong).toMatchObject({ code: 2, error: 'There is no rule "summ"; unmet: sum.\n' });
    const ran = await review('decide', short, 'correct', '--set', '/total=4.50', '--as', 'ada');
    expect(ran).toMatchObject({ code: 0 });
    expect(line.store.reviews.stored[0]).toMatchObject({ verb: 'correct', values: { total: '4.50' } });
    expect(id).toBeDefined();
  });

  it('when the next one is taken, then it is told what it is about and what to do; unknown specs are passed over', async () => {
    const { line, short, review } = await waiting();
    const taken = await review('next', '--as', 'ada');
    expect(rowsOf(taken.out).slice(1, 5)).toEqual([
      ['document', 'receipt.txt'],
      ['spec', 'receipt'],
      ['why', 'no_progress (constraint)'],
      ['next', `endstop review show ${short} --as ada`],
    ]);
    await review('release', short, '--as', 'ada');
    line.changes = { catalogue: async () => createCatalogue([]) };
    expect((await review('next', '--as', 'ada')).out).toBe(
      'No review is open of a spec that is known here; there are some of receipt (ENDSTOP_SPECS).\n',
    );
  });

  it('when a person decided it, then show, list and another redrive say so', async () => {
    const { line, id, review } = await waiting();
    await review('decide', id, 'approve', '--override', 'sum', '--note', 'as printed', '--as', 'ada');
    const row = line.store.rows.find(({ key }) => key === id);
    if (row === undefined) throw new Error('No row.');
    line.store.recordRows.push(storedRecord(row, 'human_verified', badReceipt));
    const shown = await line.run('show', id);
    expect(shown.out).toMatch(/^receipt\.txt {2}human_verified \(run 1: unverified\)\n/);
    expect(shown.out).toMatch(/settled +human_verified by .* on 2026-03-01 12:/);
    expect(shown.out).toMatch(/\nrecord +\{/);
    expect(shown.out).not.toMatch(/^(next|to do) /m);
    const again = await line.run('redrive', id);
    expect(again).toMatchObject({
      code: 2,
      error: 'A person settled this document (human_verified by ada); there is nothing to run again.\n',
    });
    expect((await line.run('list')).out).toMatch(/PERSON/);
    expect(jsonLines(await line.run('list', '--json'))).toMatchObject([{ humanStatus: 'human_verified' }]);
  });

  it('when rules do not hold, then each is named with its place and nothing is stored', async () => {
    const { line, subject, review } = await waiting();
    const ran = await review('decide', subject, 'approve', '--as', 'ada');
    expect(ran.code).toBe(2);
    expect(ran.error).toMatch(
      /^These rules do not hold: sum; correct the values, or override each by name with a note\.\n {2}\/total sum: /,
    );
    expect(line.store.reviews.stored).toEqual([]);
    const overridden = await review(
      ...['decide', subject, 'approve', '--as', 'ada', '--override', 'sum', '--note', 'as printed'],
    );
    expect(overridden.code).toBe(0);
  });

  it('when another run is asked for, then it is under way', async () => {
    const { line, subject, review } = await waiting();
    line.engine.script = () => null;
    expect((await review('decide', subject, 'redrive', '--as', 'ada')).out).toContain('Run 2 is under way.');
  });

  it('when the file of values is no JSON, then it says only that', async () => {
    const { line, subject, review } = await waiting();
    const path = line.file('values.json', '{"total": Ada Lovelace}');
    expect(await review('decide', subject, 'correct', '--values', path)).toEqual({
      code: 2,
      out: '',
      error: `${path} does not hold JSON.\n`,
    });
  });
});

describe('given a sampled record', () => {
  it('when it is listed, shown and decided, then it reads as a sample', async () => {
    const { line, id } = await withOne(sampleAll);
    const [, row] = rowsOf((await line.run('review', 'list', '--kind', 'sample')).out);
    expect(row?.slice(1, 8)).toEqual([
      id.slice(0, 12),
      'receipt.txt',
      'receipt',
      '5.50 EUR',
      'sample',
      'open',
      '-',
    ]);
    expect((await line.run('review', 'show', id, '--as', 'ada')).out).toContain(
      'It verified, and is in the sample',
    );
    const agreed = await line.run('review', 'decide', id, 'approve', '--as', 'ada');
    expect(agreed.out).toMatch(/ is decided: approve\.\n$/);
    line.store.reviews.verdicts = [{ attempts: 1, decided: 20, defects: 1 }];
    expect((await line.run('review', 'queue')).out).toContain(
      '1 of 20 sampled records were wrong: 5.0 % (0.9 to 23.6 % at 95 %)',
    );
  });
});
