import { describe, expect, it } from 'vitest';
import { submitExtraction } from '../../src/application/submit-extraction.js';
import { exhaustAll, textSubmission, verifyAll } from '../support/fakes/bench.js';
import { goodReceipt } from '../support/fakes/receipt-spec.js';
import { type CommandLine, createCommandLine, jsonLines, rowsOf, withOne } from './command-line.js';

describe('given dead letters', () => {
  const three = async () => {
    const line = createCommandLine();
    exhaustAllToDeadLetters(line);
    for (const text of ['a', 'b', 'c']) {
      await submitExtraction(line.app, textSubmission(text, { fileName: `${text}.txt` }));
    }
    return line;
  };

  it('when they are listed, then the oldest is first, and groups count them by why', async () => {
    const line = await three();
    expect(rowsOf((await line.run('dead-letters')).out).map((row) => row[1])).toEqual([
      'DOCUMENT',
      'a.txt',
      'b.txt',
      'c.txt',
    ]);
    expect(rowsOf((await line.run('dead-letters', '--groups')).out)[1]?.slice(0, 5)).toEqual([
      '3',
      'receipt',
      '1',
      'v2',
      'no_progress (constraint)',
    ]);
    expect((await line.run('dead-letters', '--class', 'schema')).out).toBe('None.\n');
  });

  it('when a redrive selects nothing, then it is not taken for all', async () => {
    const line = await three();
    expect(await line.run('redrive')).toEqual({
      code: 2,
      out: '',
      error: 'Name an id, or select by options, or say --all.\n',
    });
  });

  it('when it is a dry run, then it only counts', async () => {
    const line = await three();
    expect((await line.run('redrive', '--all', '--dry-run')).out).toBe('3 parked runs would be redriven.\n');
    expect(jsonLines(await line.run('redrive', '--class', 'refusal', '--dry-run', '--json'))).toEqual([
      { parked: 0 },
    ]);
    expect(line.engine.started).toHaveLength(3);
  });

  it('when all verify now, then the exit code is 0; when one does not, then it is 3', async () => {
    const line = await three();
    const again = await line.run('redrive', '--reason', 'no_progress', '--limit', '1', '--json');
    expect(again.code).toBe(3);
    expect(jsonLines(again)).toEqual([expect.objectContaining({ selected: 1, started: 1, unverified: 1 })]);
    verifyAll(line);
    const ran = await line.run('redrive', '--all');
    expect(ran.code).toBe(0);
    expect(ran.out).toMatch(/already verified +0/);
    expect(ran.out).toMatch(/verified +3/);
  });

  it('when one is named, then it alone runs again and is shown', async () => {
    const line = await three();
    verifyAll(line);
    const id = line.store.rows[1]?.key ?? '';
    const ran = await line.run('redrive', id.slice(0, 16));
    expect(ran.code).toBe(0);
    expect(ran.out).toMatch(/^b\.txt {2}verified\n/);
    expect(line.engine.started).toHaveLength(4);
    expect((await line.run('redrive', id)).error).toBe(
      'This extraction is verified; there is nothing to run again.\n',
    );
    expect((await line.run('redrive', id, '--all')).code).toBe(2);
  });
});

describe('given a review', () => {
  const waiting = () => withOne((line) => exhaustAll(line, 'human_review'));

  it('when reviews are listed, then each shows its amount, reason and when it is due', async () => {
    const { line, id, subject } = await waiting();
    expect(rowsOf((await line.run('review', 'list')).out)[1]).toEqual([
      subject.slice(0, 12),
      id.slice(0, 12),
      'receipt',
      '5.50 EUR',
      'no_progress (constraint)',
      'open',
      '2026-03-01T13:00:00.000Z',
    ]);
  });

  it("when it is shown by its extraction's id, then it says what does not hold and offers the candidate", async () => {
    const { line, id } = await waiting();
    const { out } = await line.run('review', 'show', id.slice(0, 8));
    expect(out).toContain('sum @ /total: The lines add up to 4.50.');
    expect(out).toContain('"total": "5.50"');
  });

  it('when it is claimed, then others are told by whom, unless they steal it', async () => {
    const { line, subject } = await waiting();
    const short = subject.slice(0, 12);
    expect((await line.run('review', 'claim', short, '--as', 'ada')).out).toMatch(
      new RegExp(`^${short} is held by ada until 2026-03-01T12:15:00\\.\\d{3}Z\\.\\n$`),
    );
    const other = await line.run('review', 'claim', short, '--as', 'grace');
    expect(other.code).toBe(1);
    expect(other.error).toContain('is held by ada');
    expect((await line.run('review', 'claim', short, '--as', 'grace', '--steal')).out).toContain(
      'held by grace',
    );
  });

  it('when it is corrected with a file of values, then it is decided', async () => {
    const { line, subject } = await waiting();
    const path = line.file('values.json', JSON.stringify(goodReceipt));
    const ran = await line.run('review', 'decide', subject, 'correct', '--values', path, '--as', 'ada');
    expect(ran).toEqual({ code: 0, out: `${subject.slice(0, 12)} is decided: correct.\n`, error: '' });
    expect(line.store.reviews.stored[0]).toMatchObject({ actor: 'ada', values: goodReceipt });
  });

  it('when rules do not hold, then each is named with its place and nothing is stored', async () => {
    const { line, subject } = await waiting();
    const ran = await line.run('review', 'decide', subject, 'approve', '--as', 'ada');
    expect(ran.code).toBe(2);
    expect(ran.error).toMatch(
      /^These rules do not hold: sum; correct the values, or override each by name with a note\.\n {2}\/total sum: /,
    );
    expect(line.store.reviews.stored).toEqual([]);
    const overridden = await line.run(
      ...['review', 'decide', subject, 'approve', '--as', 'ada', '--override', 'sum', '--note', 'as printed'],
    );
    expect(overridden.code).toBe(0);
  });

  it('when another run is asked for, then it is under way', async () => {
    const { line, subject } = await waiting();
    line.engine.script = () => null;
    expect((await line.run('review', 'decide', subject, 'redrive', '--as', 'ada')).out).toContain(
      'Run 2 is under way.',
    );
  });

  it('when the file of values is no JSON, then it says only that', async () => {
    const { line, subject } = await waiting();
    const path = line.file('values.json', '{"total": Ada Lovelace}');
    expect(await line.run('review', 'decide', subject, 'correct', '--values', path)).toEqual({
      code: 2,
      out: '',
      error: `${path} does not hold JSON.\n`,
    });
  });
});

function exhaustAllToDeadLetters(line: CommandLine): void {
  exhaustAll(line, 'dead_letter');
}
