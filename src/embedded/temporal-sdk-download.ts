import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { lastLine } from './command.js';
import { nodeCommand, nodeEnvironment } from './node-command.js';
import { pause } from './pause.js';
import { signalProcess } from './process.js';
import type { Download } from './temporal-wheel.js';

/** The download is given up when it brought no byte for this long. */
const idleMs = 10_000;
/** What the SDK calls a file that is not complete. */
const incomplete = '.downloading';
const downloader = new URL('./sdk-downloader.ts', import.meta.url);

/**
 * Lets the Temporal SDK download the server it would use for tests. Its function can be neither stopped nor bounded,
 * so it runs in a process of its own.
 *
 * @returns undefined on success, else why not, as the end of a sentence.
 */
export async function downloadBySdk(
  download: Download,
  command = nodeCommand(downloader),
  giveUpMs = idleMs,
): Promise<string | undefined> {
  const work = mkdtempSync(join(download.folder, 'sdk-'));
  try {
    const reason = await fetchInto(work, download, command, giveUpMs);
    const file = readdirSync(work).find((name) => !name.endsWith(incomplete));
    if (file === undefined) return reason;
    renameSync(join(work, file), download.target);
    return undefined;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Runs the downloader until the file is complete, it gave up, or nothing came for `giveUpMs`; says why it ended. */
async function fetchInto(
  work: string,
  { env, signal }: Download,
  [file = process.execPath, ...args]: string[],
  giveUpMs: number,
): Promise<string> {
  // A group of its own, so that the server it starts goes with it.
  const child = spawn(file, [...args, work], {
    detached: true,
    env: { ...env, ...nodeEnvironment },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said = `${said}${chunk.toString('utf8')}`.slice(-2_000);
  });
  let ended = false;
  child.once('error', () => {
    ended = true;
  });
  child.once('close', () => {
    ended = true;
  });
  let progress = '';
  let progressAt = Date.now();
  while (!ended && signal?.aborted !== true && Date.now() - progressAt < giveUpMs) {
    await pause(100, signal);
    const state = describeFolder(work);
    if (state.isComplete) break;
    if (state.text !== progress) progressAt = Date.now();
    progress = state.text;
  }
  if (ended) return lastLine(said) || 'it ended without a file';
  signalProcess(-(child.pid ?? 0), 'SIGKILL');
  return `nothing came for ${giveUpMs / 1000} s`;
}

function describeFolder(work: string): { text: string; isComplete: boolean } {
  const names = readdirSync(work);
  const sizes = names.map((name) => `${name} ${statSync(join(work, name), { throwIfNoEntry: false })?.size}`);
  return { text: sizes.join(), isComplete: names.some((name) => !name.endsWith(incomplete)) };
}
