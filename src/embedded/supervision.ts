import { spawn } from 'node:child_process';
import { Socket } from 'node:net';
import type { StackAddresses } from '../config.js';
import { stopLeftovers } from './leftovers.js';
import { lastLogLines } from './log-file.js';
import { nodeCommand, nodeEnvironment } from './node-command.js';
import type { Child, ProcessRecord } from './process.js';
import { markProcess, type ProcessMark } from './process-identity.js';
import type { SettingDigests } from './setting-digests.js';
import { removeStackFile, type StackFile, writeStackFile } from './stack-file.js';
import { releaseLock } from './stack-lock.js';

/** A process of the stack that ended although nobody asked it to. */
export interface Crash {
  readonly name: string;
  /** In words: `exit code 1`, `signal SIGKILL`. */
  readonly how: string;
  readonly logPath: string;
  readonly logLines: readonly string[];
}

/** Keeps the processes of one stack: records each in the stack file, notices its end, stops all in order. */
export class Supervision {
  readonly #home: string;
  readonly #settings: SettingDigests;
  readonly #self: ProcessMark;
  readonly #onCrash: (crash: Crash) => void;
  readonly #guard: { mark: ProcessMark | undefined; release: () => void };
  readonly #startedAt = Date.now();
  #records: ProcessRecord[] = [];
  #addresses: StackAddresses | undefined;
  #stopped: Promise<void> | undefined;

  /** The caller holds the lock of `home`; {@link stop} gives it back. */
  constructor(home: string, settings: SettingDigests, self: ProcessMark, onCrash: (crash: Crash) => void) {
    this.#home = home;
    this.#settings = settings;
    this.#self = self;
    this.#onCrash = onCrash;
    this.#guard = startGuard(home, self);
    this.#save('starting');
  }

  /** Records a process as soon as it runs, so that it is found should we be killed now. */
  record(record: ProcessRecord): void {
    this.#records = [...this.#records.filter(({ name }) => name !== record.name), record];
    this.#save('starting');
  }

  /** From now on an end of this process that was not asked for is a crash. */
  watch(child: Child): void {
    void child.exited.then((how) => {
      if (this.#stopped !== undefined) return;
      const { logPath } = child;
      this.#onCrash({ name: child.record.name, how, logPath, logLines: lastLogLines(logPath) });
    });
  }

  /** Tells other commands where the stack is. */
  announce(addresses: StackAddresses): void {
    this.#addresses = addresses;
    this.#save('running');
  }

  /** Stops everything, the last started first, and gives the lock back. Further calls wait for the first. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stopAll();
    return this.#stopped;
  }

  async #stopAll(): Promise<void> {
    this.#save('stopping');
    await stopLeftovers(this.#records);
    removeStackFile(this.#home);
    this.#guard.release();
    releaseLock(this.#home, this.#self);
  }

  #save(state: StackFile['state']): void {
    writeStackFile(this.#home, {
      state,
      supervisor: this.#self,
      guard: this.#guard.mark,
      startedAt: this.#startedAt,
      addresses: this.#addresses,
      settings: this.#settings,
      processes: this.#records,
    });
  }
}

/** Starts the guard. Its input closes with `release` or with our own end, whichever comes first. */
function startGuard(home: string, self: ProcessMark): { mark: ProcessMark | undefined; release: () => void } {
  const entry = new URL('./guard.ts', import.meta.url);
  const [file = process.execPath, ...args] = nodeCommand(entry, home, String(self.pid), self.identity);
  const child = spawn(file, args, {
    detached: true,
    env: { PATH: process.env['PATH'], ...nodeEnvironment },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // It must neither hold us nor, should it be killed, take us with it.
  child.on('error', () => undefined);
  child.stdin.on('error', () => undefined);
  child.unref();
  if (child.stdin instanceof Socket) child.stdin.unref();
  return { mark: markProcess(child.pid ?? 0), release: () => child.stdin.end() };
}
