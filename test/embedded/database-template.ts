import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { otherPort } from '../../src/embedded/ports.js';
import { openPostgresFolder } from '../../src/embedded/postgres-folder.js';
import { startPostgres } from '../../src/embedded/postgres-server.js';
import { run } from './scratch.js';

/**
 * Creates a database once for all tests of a file, and stops it in order: to create one takes ten times as long as to
 * copy one.
 *
 * @returns puts a copy in place for a state folder.
 */
export function databaseTemplate(): (home: string, rootFolder: string) => Promise<void> {
  let folder = '';
  const places = () => ({ home: join(folder, '.endstop'), rootFolder: join(folder, 'var') });
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'endstop-embedded-template-'));
    chmodSync(folder, 0o755);
    const ignore = () => undefined;
    mkdirSync(places().home);
    const started = {
      ...places(),
      env: process.env,
      port: await otherPort(),
      onProgress: ignore,
      onStarted: ignore,
    };
    await (await startPostgres(started)).child.stop();
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return async (home, rootFolder) => {
    const from = openPostgresFolder(places().home, places().rootFolder);
    await run('cp', ['-a', from.data, from.passwordFile, openPostgresFolder(home, rootFolder).path]);
  };
}
