import { statSync } from 'node:fs';
import { join } from 'node:path';
import { otherPort } from '../../src/embedded/ports.js';
import { findPostgres } from '../../src/embedded/postgres-binaries.js';
import { startPostgres } from '../../src/embedded/postgres-server.js';

// Started by root: drops every right, then runs Postgres in the given folder as a normal user would. The binaries are
// looked for before that, since this checkout may lie where no normal user can read it.
const [home = ''] = process.argv.slice(2);
const account = { name: 'nobody', uid: 65_534, gid: 65_534 };
const copyFolder = join(home, '..', 'copy');
const binaries = await findPostgres({ env: process.env, account, copyFolder, dataMajor: undefined });
process.setgroups?.([]);
process.setgid?.(account.gid);
process.setuid?.(account.uid);
const onProgress = () => undefined;
const { child } = await startPostgres({
  port: await otherPort(),
  home,
  env: process.env,
  binaries,
  onProgress,
  onStarted: onProgress,
});
const owner = statSync(join(home, 'postgres', 'data')).uid;
await child.stop();
process.stdout.write(JSON.stringify({ uid: process.getuid?.(), owner, end: await child.exited }));
