import { statSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive } from './process-identity.js';
import { errorCode } from './stack-error.js';
import { readStackFile, type StackFile } from './stack-file.js';

/** A folder in which a stack has run has its log folder. */
const markOfUse = 'logs';

/**
 * Why no stack of `home` can be used just now, and what to do about it; null when none ever ran there, or when one runs.
 *
 * @param isNamed whether somebody named the folder (ENDSTOP_HOME), and so expects it to be there.
 */
export function whyNoStack(home: string, isNamed: boolean): string | null {
  const found = lookAt(home);
  if (isNamed && found !== 'folder') {
    const what = found === 'nothing' ? 'which does not exist' : 'which is no folder that this user may enter';
    return `ENDSTOP_HOME is "${home}", ${what}: correct it, or start a stack there with "endstop up".`;
  }
  const whose = isNamed ? `of ${home}` : 'of this folder';
  switch (stateOf(readStackFile(home))) {
    case 'running':
      return null;
    case 'starting':
      return `The stack ${whose} is starting: wait until it is up.`;
    case 'stopping':
      return `The stack ${whose} is stopping: once it has, "endstop up" starts it again.`;
    case 'stopped':
      break;
  }
  switch (lookAt(join(home, markOfUse))) {
    case 'nothing':
      return null;
    case 'closed':
      return `The stack ${whose} is another user's: only that user can use it (${home}).`;
    default:
      return `The stack ${whose} is stopped: start it with "endstop up".`;
  }
}

/** Whether a stack ever started in `home`. */
export function wasUsed(home: string): boolean {
  return lookAt(join(home, markOfUse)) !== 'nothing';
}

function lookAt(path: string): 'nothing' | 'folder' | 'file' | 'closed' {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) return 'nothing';
    return found.isDirectory() ? 'folder' : 'file';
  } catch (error) {
    return errorCode(error) === 'EACCES' ? 'closed' : 'nothing';
  }
}

function stateOf(stack: StackFile | undefined): StackFile['state'] | 'stopped' {
  return stack !== undefined && isAlive(stack.supervisor) ? stack.state : 'stopped';
}
