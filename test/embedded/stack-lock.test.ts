import { existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nodeCommand } from '../../src/embedded/node-command.js';
import { markProcess, type ProcessMark } from '../../src/embedded/process-identity.js';
import { releaseLock, takeLock } from '../../src/embedded/stack-lock.js';
import { run, scratchFolder } from './scratch.js';

const own = (): ProcessMark => {
  const mark = markProcess(process.pid);
  if (mark === undefined) throw new Error('this process has no mark');
  return mark;
};
const dead: ProcessMark = { pid: process.pid, identity: 'of another time' };

describe('the lock of a stack', () => {
  it('has one holder, whom the next one is told', () => {
    const home = scratchFolder();
    expect(takeLock(home, own())).toBe(true);
    expect(takeLock(home, { pid: 1, identity: 'another' })).toEqual(own());
    releaseLock(home, own());
    expect(takeLock(home, own())).toBe(true);
  });

  it('passes on when its holder is dead, also when the pid lives on in a stranger', () => {
    const home = scratchFolder();
    expect(takeLock(home, dead)).toBe(true);
    expect(takeLock(home, own())).toBe(true);
    releaseLock(home, dead);
    expect(takeLock(home, dead)).toEqual(own());
  });

  it('is waited for while it is being written, and cleared when its writer died doing so', () => {
    const home = scratchFolder();
    const path = join(home, 'stack.lock');
    writeFileSync(path, '');
    expect(takeLock(home, own())).toBeUndefined();
    utimesSync(path, new Date(0), new Date(0));
    expect(takeLock(home, own())).toBe(true);
  });

  it('is cleared also when the one who was clearing it died', () => {
    const home = scratchFolder();
    takeLock(home, dead);
    const clearing = join(home, 'stack.lock.clearing');
    writeFileSync(clearing, '');
    expect(takeLock(home, own())).not.toBe(true);
    utimesSync(clearing, new Date(0), new Date(0));
    takeLock(home, own());
    expect(takeLock(home, own())).toBe(true);
    expect(existsSync(clearing)).toBe(false);
  });

  it('never has two holders, however many processes want it and however they end', async () => {
    const home = scratchFolder();
    const journal = join(home, 'journal');
    const contender = ([file = '', ...args]: string[]) => run(file, args).catch((error: unknown) => error);
    const entry = new URL('./lock-contender.ts', import.meta.url);
    const endings = ['die', 'die', 'die', 'end', 'end', 'end'];
    await Promise.all(endings.map((ending) => contender(nodeCommand(entry, home, journal, '15', ending))));
    const events = readFileSync(journal, 'utf8').trim().split('\n');
    expect(events).toHaveLength(endings.length * 15 * 2);
    for (let index = 0; index < events.length; index += 2) {
      const [entered = '', left = ''] = events.slice(index, index + 2);
      expect([entered.split(' ')[0], left]).toEqual(['in', entered.replace('in', 'out')]);
    }
  });
});
