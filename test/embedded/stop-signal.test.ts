import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { nodeCommand } from '../../src/embedded/node-command.js';
import { until } from './scratch.js';

/** A process that says "stopping" when it is asked to stop, and takes its time. */
async function started(ms: number) {
  const [file = '', ...args] = nodeCommand(new URL('./slow-to-stop.ts', import.meta.url), String(ms));
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines: string[] = [];
  createInterface(child.stdout).on('line', (line) => lines.push(line));
  await until('it runs', () => lines.includes('up'));
  return { child, lines };
}

describe('a process that was asked to stop', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)('by %s does so in order', async (signal) => {
    const { child, lines } = await started(50);
    child.kill(signal);
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(lines).toEqual(['up', `stopping for ${signal}`, 'stopped']);
  });

  it('is not hurried by the same Ctrl-C passed on by npm, but by a second one', async () => {
    const { child, lines } = await started(20_000);
    child.kill('SIGINT');
    await until('it stops', () => lines.length > 1);
    child.kill('SIGINT');
    await pause(1_100);
    expect(child.exitCode).toBeNull();
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([130, null]);
    expect(lines).not.toContain('stopped');
  });
});
