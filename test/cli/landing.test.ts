import { describe, expect, it } from 'vitest';
import { redriveStep } from '../../src/application/redrive-step.js';
import { submitExtraction } from '../../src/application/submit-extraction.js';
import { createCatalogue } from '../../src/spec/catalogue.js';
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

  it('when one is redriven under the table it kept, then it is said once that the present one differs', async () => {
    const line = await three();
    const said = /^It keeps the routing table it was started with, which is no longer that of receipt\. /;
    const id = line.store.rows[0]?.key ?? '';
    expect((await line.run('redrive', id)).error).toBe('');
    const [row] = line.store.rows;
    if (row === undefined) throw new Error('a run');
    const letter = line.store.letters.get(id);
    if (letter === undefined) throw new Error('a letter');
    const policy = { ...letter.policy, routes: [{ to: 'best_effort' } as const] };
    line.store.letters.set(id, { ...letter, policy });
    const again = await line.run('redrive', id);
    expect(again.error).toMatch(said);
    expect(again.error).toContain('"endstop extract FILE --redrive"');
  });

  it('when one is asked for, then the bounds it ran under are there', async () => {
    const line = await three();
    const id = line.store.rows[0]?.key ?? '';
    const { out } = await line.run('dead-letters', id.slice(0, 12));
    expect(out).toMatch(/reason +no_progress \(constraint\)/);
    expect(out).toContain('"attemptCap": 3');
    const [detail] = jsonLines(await line.run('dead-letters', id, '--json'));
    expect(detail).toMatchObject({ id, redrivenInto: null, policy: { tokenCap: 60_000 } });
    expect(await line.run('dead-letters', '00000000')).toMatchObject({
      code: 2,
      error: 'No single dead letter has an id that begins with "00000000".\n',
    });
  });

  it('when it is a dry run, then it only counts, by why they failed', async () => {
    const line = await three();
    const { out } = await line.run('redrive', '--all', '--dry-run');
    expect(rowsOf(out)[1]?.slice(0, 5)).toEqual(['3', 'receipt', '1', 'v2', 'no_progress (constraint)']);
    expect(out).toMatch(/\n3 parked runs would be redriven\.\n$/);
    expect(jsonLines(await line.run('redrive', '--class', 'refusal', '--dry-run', '--json'))).toEqual([
      { parked: 0, groups: [] },
    ]);
    expect(line.engine.started).toHaveLength(3);
  });

  it('when all verify now, then the exit code is 0; when one does not, then it is 3', async () => {
    const line = await three();
    const again = await line.run('redrive', '--reason', 'no_progress', '--max', '1', '--json');
    expect(again.code).toBe(3);
    expect(jsonLines(again)).toEqual([
      expect.objectContaining({ state: 'finished', selected: 1, started: 1, returned: 1 }),
    ]);
    verifyAll(line);
    const ran = await line.run('redrive', '--all');
    expect(ran.code).toBe(0);
    expect(ran.out).toMatch(/state +finished/);
    expect(ran.out).toMatch(/recovered +3\nreturned +0\n/);
    expect(ran.error).toMatch(/^Redrive [0-9a-f]{16}: 3 parked runs\. To stop it: endstop redrive cancel /);
    expect(line.open).toEqual({ store: 0, engine: 0 });
  });

  it('when some come back, then the report says why, and the same again changes nothing', async () => {
    const line = await three();
    const ran = await line.run('redrive', '--failed-under', 'v2', '--with', 'v1', '--class', 'constraint');
    expect(ran.code).toBe(3);
    expect(ran.out).toMatch(/returned +3\n {2}no_progress +3\n/);
    const started = line.engine.started.length;
    const again = await line.run('redrive', '--failed-under', 'v2', '--with', 'v1', '--class', 'constraint');
    expect(again.code).toBe(0);
    expect(again.out).toMatch(/selected +0\nstarted +0\n/);
    expect(again.error).not.toContain('--name');
    expect(line.engine.started).toHaveLength(started);
    // Under the version they failed with, they are parked again and would be selected again.
    expect((await line.run('redrive', '--all')).code).toBe(3);
    const twice = await line.run('redrive', '--all');
    expect(twice.code).toBe(0);
    expect(twice.error).toContain(
      'This redrive has run them before; give it a --name to run them once more.',
    );
  });

  it('when it is not waited for, then its id is printed, and it can be looked at and stopped', async () => {
    const line = await three();
    line.engine.script = () => null;
    const ran = await line.run('redrive', '--all', '--no-wait', '--name', 'monday', '--rate', '5/s');
    expect(ran).toEqual({ code: 0, out: 'Redrive monday of 3 parked runs is under way.\n', error: '' });
    const [status] = jsonLines(await line.run('redrive', 'status', 'monday', '--json'));
    expect(status).toMatchObject({ id: 'monday', state: 'running', started: 3, underWay: 3 });
    const sheet = await line.run('redrive', 'status', 'monday');
    expect(sheet.out).toMatch(/under way +3\n/);
    expect(sheet.error).toBe('It goes on by itself: endstop redrive status monday\n');
    const [twice] = jsonLines(await line.run('redrive', '--all', '--no-wait', '--name', 'monday', '--json'));
    expect(twice).toMatchObject({ id: 'monday', kind: 'running' });
    expect(await line.run('redrive', 'cancel', 'monday')).toEqual({
      code: 0,
      out: 'Redrive monday runs no further letter.\n',
      error: '',
    });
    expect((await line.run('redrive', 'status', 'monday')).error).toBe('3 runs go on by themselves.\n');
    expect(await line.run('redrive', 'status', 'tuesday')).toMatchObject({
      code: 2,
      error: 'There is no redrive "tuesday".\n',
    });
    expect(line.open).toEqual({ store: 0, engine: 0 });
  });

  it.each(['0', '0/s', 'fast', '1.5/s'])('when the rate is "%s", then it is refused', async (rate) => {
    const line = await three();
    const ran = await line.run('redrive', '--all', '--rate', rate);
    expect(ran.code).toBe(2);
    expect(ran.error).toContain('It must be a whole number of starts in a second, such as 5/s.');
  });

  it('when no worker knows their version, then they stay parked and it says so', async () => {
    const line = await three();
    line.engine.step = (step) => redriveStep({ ...line.app, catalogue: createCatalogue([]) }, step);
    const ran = await line.run('redrive', '--all');
    expect(ran.code).toBe(0);
    expect(ran.out).toMatch(/refused +3\n/);
    expect(ran.error).toContain(
      '3 stay parked: the workers do not know the spec version they would run under',
    );
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
