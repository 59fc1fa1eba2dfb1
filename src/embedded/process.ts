import { spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import type { Account } from './account.js';
import { lastLogLines, openLog } from './log-file.js';
import { pause } from './pause.js';
import { isAlive, markProcess, type ProcessMark } from './process-identity.js';
import { errorCode, StackError } from './stack-error.js';

/** What is needed to end a process in order, also by another process that finds it in the stack file. */
export interface StopPlan {
  readonly stopSignal: 'SIGTERM' | 'SIGINT';
  /** How long it may take to end by itself before it is killed. */
  readonly stopGraceMs: number;
}

/** A process of the stack as the stack file records it. */
export interface ProcessRecord extends ProcessMark, StopPlan {
  readonly name: string;
}

/** A process to start. `env` is all the environment it gets; its output goes to `<logFolder>/<name>.log`. */
export interface ProcessSpec extends StopPlan {
  readonly name: string;
  readonly command: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly account?: Account | undefined;
}

/** A process that runs, started or adopted. */
export interface Child {
  readonly record: ProcessRecord;
  readonly logPath: string;
  /** Settles when the process is gone, in words: `exit code 1`, `signal SIGKILL`. Never rejects. */
  readonly exited: Promise<string>;
  /** Its stop signal, a wait, then SIGKILL to its whole group; returns when it is gone. */
  stop(): Promise<void>;
}

/**
 * Starts a process in a session and group of its own, so that Ctrl-C in a terminal reaches the parent only, which then
 * stops its children in order.
 *
 * @throws StackError when the program cannot be started at all.
 */
export async function startProcess(spec: ProcessSpec, logFolder: string): Promise<Child> {
  const [file, ...args] = spec.command;
  if (file === undefined) throw new StackError(`No command is given for ${spec.name}.`);
  const log = openLog(logFolder, spec.name);
  const child = spawn(file, args, {
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
    env: spec.env,
    ...(spec.cwd === undefined ? {} : { cwd: spec.cwd }),
    ...(spec.account === undefined ? {} : { uid: spec.account.uid, gid: spec.account.gid }),
  });
  closeSync(log.fd);
  const exited = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(code === null ? `signal ${signal}` : `exit code ${code}`));
  });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (error) =>
      reject(
        new StackError(
          `${spec.name} could not be started from ${file} (${errorCode(error) ?? error.message}).`,
        ),
      ),
    );
  });
  // A process that ended within this instant has no identity left; its exit is reported like any other.
  const mark = markProcess(child.pid ?? 0) ?? { pid: child.pid ?? 0, identity: 'gone' };
  const { name, stopSignal, stopGraceMs } = spec;
  const record = { name, ...mark, stopSignal, stopGraceMs };
  return { record, logPath: log.path, exited, stop: () => stopProcess(record) };
}

/** Takes over a process that someone else started, so that it is watched and stopped like a child of our own. */
export function adoptProcess(record: ProcessRecord, logPath: string): Child {
  const exited = (async () => {
    while (isAlive(record)) await new Promise((resolve) => setTimeout(resolve, 500).unref());
    return 'an unknown end (it was started by an earlier run)';
  })();
  return { record, logPath, exited, stop: () => stopProcess(record) };
}

/** Ends a recorded process: signal, wait, SIGKILL to its group. A pid that now belongs to a stranger is left alone. */
export async function stopProcess(record: ProcessRecord): Promise<void> {
  if (!isAlive(record)) return;
  signalProcess(record.pid, record.stopSignal);
  if (await isGoneWithin(record, record.stopGraceMs)) return;
  if (!signalProcess(-record.pid, 'SIGKILL')) signalProcess(record.pid, 'SIGKILL');
  await isGoneWithin(record, 5_000);
}

/** Waits until a marked process is gone; false when it still lives after `ms`. */
export async function isGoneWithin(mark: ProcessMark, ms: number): Promise<boolean> {
  const until = Date.now() + ms;
  while (isAlive(mark)) {
    if (Date.now() >= until) return false;
    await pause(20);
  }
  return true;
}

/** Sends a signal to a process, or to a group when `pid` is negative; false when there is none to take it. */
export function signalProcess(pid: number, signal: NodeJS.Signals): boolean {
  try {
    // 0 would be our own group.
    return pid !== 0 && process.kill(pid, signal);
  } catch {
    return false;
  }
}

/** When a process counts as ready, asked again and again; a probe that throws means "not yet". */
export type Probe = () => boolean | Promise<boolean>;

/**
 * Waits until `probe` says yes.
 *
 * @throws StackError with the last log lines when the process ends first or `timeoutMs` passes, and when `signal` aborts.
 */
export async function waitUntilReady(
  child: Child,
  probe: Probe,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<void> {
  const { name } = child.record;
  const until = Date.now() + timeoutMs;
  let end: string | undefined;
  void child.exited.then((how) => {
    end = how;
  });
  for (;;) {
    if (signal?.aborted === true) throw new StackError(`The start was stopped before ${name} was ready.`);
    if (
      await Promise.resolve()
        .then(probe)
        .catch(() => false)
    )
      return;
    if (end !== undefined) throw failure(child, `${name} ended while starting (${end})`);
    if (Date.now() >= until) throw failure(child, `${name} did not answer within ${timeoutMs / 1000} s`);
    await pause(25, signal);
  }
}

function failure(child: Child, what: string): StackError {
  return new StackError(`${what}. Its log is ${child.logPath}.`, lastLogLines(child.logPath));
}
