import { describe, expect, it } from 'vitest';
import { submitExtraction } from '../../src/application/submit-extraction.js';
import { exhaustAll, textSubmission, verifyAll } from '../support/fakes/bench.js';
import { type CommandLine, createCommandLine, jsonLines, rowsOf } from './command-line.js';

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

function exhaustAllToDeadLetters(line: CommandLine): void {
  exhaustAll(line, 'dead_letter');
}
