import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { markProcess } from '../../src/embedded/process-identity.js';
import { whyNoStack } from '../../src/embedded/stack-absence.js';
import { type StackFile, writeStackFile } from '../../src/embedded/stack-file.js';
import { scratchHome } from './scratch.js';

const self = markProcess(process.pid) ?? { pid: 0, identity: '' };

function used(state?: StackFile['state'], supervisor = self): string {
  const home = scratchHome();
  mkdirSync(join(home, 'logs'), { recursive: true });
  const file = { guard: undefined, startedAt: 0, addresses: undefined, processes: [] };
  if (state !== undefined) writeStackFile(home, { ...file, state, supervisor });
  return home;
}

it('a folder that was named and is not there, or is none, is said', () => {
  const home = join(scratchHome(), 'nowhere');
  expect(whyNoStack(home, true)).toBe(
    `ENDSTOP_HOME is "${home}", which does not exist: correct it, or start a stack there with "endstop up".`,
  );
  expect(whyNoStack(home, false)).toBeNull();
  const file = join(used(), 'file');
  writeFileSync(file, '');
  expect(whyNoStack(file, true)).toContain('which is no folder that this user may enter');
});

it('a stack that ran is stopped, also when its supervisor is gone', () => {
  const stopped = 'The stack of this folder is stopped: start it with "endstop up".';
  expect(whyNoStack(used(), false)).toBe(stopped);
  expect(whyNoStack(used('running', { ...self, identity: 'another' }), false)).toBe(stopped);
  const home = used();
  expect(whyNoStack(home, true)).toBe(`The stack of ${home} is stopped: start it with "endstop up".`);
});

it('one that comes or goes is waited for, and one that runs is no reason', () => {
  expect(whyNoStack(used('starting'), false)).toBe(
    'The stack of this folder is starting: wait until it is up.',
  );
  expect(whyNoStack(used('stopping'), false)).toBe(
    'The stack of this folder is stopping: once it has, "endstop up" starts it again.',
  );
  expect(whyNoStack(used('running'), false)).toBeNull();
});
