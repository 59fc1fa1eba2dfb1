import { repair } from './leftovers.js';
import { pause } from './pause.js';
import { claimPorts, type Ports } from './ports.js';
import { isAlive, markProcess, type ProcessMark } from './process-identity.js';
import { differingSettings, digestSettings } from './setting-digests.js';
import { StackError } from './stack-error.js';
import { createHome, readStackFile } from './stack-file.js';
import { releaseLock, takeLock } from './stack-lock.js';
import type { Stack, StackOptions } from './stack-options.js';
import { Start } from './stack-start.js';

/** How long another start or stop of the same stack is waited for. A first start may download 45 MB. */
const othersMs = 600_000;

/**
 * Brings up the whole stack of `home`, or attaches to it when it runs. What an earlier run left behind is ended or
 * taken over first. DATABASE_URL and TEMPORAL_ADDRESS in `env` replace the servers that Endstop would run itself.
 *
 * @param onProgress told in words what happens.
 * @throws StackError when a part cannot be had or does not answer; whatever was started is stopped by then.
 */
export async function startStack(
  options: StackOptions,
  onProgress: (message: string) => void,
): Promise<Stack> {
  createHome(options.home);
  const self = markProcess(process.pid);
  if (self === undefined)
    throw new StackError(
      'Endstop runs its own stack on Linux, macOS and WSL only: this system has neither /proc nor ps.',
    );
  const running = await lockOrAttach(options, self, onProgress);
  if (running !== undefined) return running;

  let ports: Ports;
  try {
    await repair(options.home, onProgress);
    ports = await claimPorts();
  } catch (error) {
    releaseLock(options.home, self);
    throw error;
  }
  const start = new Start(options, ports, self, onProgress);
  try {
    return await start.run();
  } catch (error) {
    throw await start.undo(error);
  }
}

/** Waits for the lock of `home`: undefined once it is ours, or the stack that another process runs there. */
async function lockOrAttach(
  { home, settings, signal }: StackOptions,
  self: ProcessMark,
  onProgress: (message: string) => void,
): Promise<Stack | undefined> {
  const until = Date.now() + othersMs;
  for (let told = false; ; ) {
    const holder = takeLock(home, self);
    if (holder === true) return undefined;
    if (holder !== undefined) {
      const running = attach(home, settings, holder);
      if (running !== undefined) return running;
      if (!told)
        onProgress(`process ${holder.pid} is starting or stopping the stack in ${home}; waiting for it`);
      told = true;
    }
    if (signal?.aborted === true) throw new StackError('The start was stopped.');
    if (Date.now() > until) {
      throw new StackError(
        `Process ${holder?.pid} holds ${home} and does not get ready; stop it and start again.`,
      );
    }
    await pause(100, signal);
  }
}

function attach(home: string, settings: StackOptions['settings'], holder: ProcessMark): Stack | undefined {
  const stack = readStackFile(home);
  if (stack?.state !== 'running' || stack.addresses === undefined || stack.supervisor.pid !== holder.pid)
    return undefined;
  const dead = stack.processes.filter((record) => !isAlive(record)).map(({ name }) => name);
  if (dead.length > 0) {
    throw new StackError(
      `The stack in ${home} is run by process ${holder.pid}, but its ${dead.join(' and ')} ended: stop that process (kill ${holder.pid}) and start again.`,
    );
  }
  const differing = differingSettings(stack.settings ?? {}, digestSettings(settings));
  return {
    ...stack.addresses,
    attached: true,
    differing,
    supervisorPid: holder.pid,
    stop: () => Promise.resolve(),
  };
}
