import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A process as it can be found again later: a pid alone may by then belong to a stranger. */
export interface ProcessMark {
  readonly pid: number;
  readonly identity: string;
}

/**
 * A token that tells apart two processes that had the same pid, or undefined when none lives (a zombie is dead).
 * On Linux: boot id and start time in clock ticks (`proc(5)`, field 22 of `stat`); elsewhere what `ps` says.
 */
export function processIdentity(pid: number): string | undefined {
  return process.platform === 'linux' ? identityFromProc(pid) : identityFromPs(pid);
}

/** Marks a process that lives now; undefined when it is gone already. */
export function markProcess(pid: number): ProcessMark | undefined {
  const identity = processIdentity(pid);
  return identity === undefined ? undefined : { pid, identity };
}

/** True while the very process that was marked lives. */
export function isAlive(mark: ProcessMark): boolean {
  return processIdentity(mark.pid) === mark.identity;
}

function identityFromProc(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The command name stands in brackets and may hold blanks and brackets itself; state is the next field.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const state = fields[0];
    const startTicks = fields[19];
    if (startTicks === undefined || state === 'Z' || state === 'X') return undefined;
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').slice(0, 8);
    return `${boot}:${startTicks}`;
  } catch {
    return undefined;
  }
}

function identityFromPs(pid: number): string | undefined {
  try {
    const line = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C' },
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
    const [state = '', ...started] = line.split(/\s+/);
    return line === '' || state.startsWith('Z') ? undefined : started.join(' ');
  } catch {
    return undefined;
  }
}
