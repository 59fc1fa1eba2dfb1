import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import pg from 'pg';
import { createTestDatabase } from '../test/support/postgres.js';
import { judge } from './medians.js';

/**
 * What a command line takes from the processor before it does anything, beside Node doing nothing. Processor time of the
 * whole process, all its threads together, so that a neighbour does not count; contenders in turns, the median of each.
 */
const goals = { '--version': 3, '--help': 70, 'show ID': 100 };
const rounds = 5;
const program = resolve(import.meta.dirname, '../bin/endstop.mjs');

const row = `
  insert into extractions (key, run, tenant, subject, document_hash, spec_id, schema_version, prompt_version, state,
    outcome, reason, route, policy, tags, started_at, deadline_at, closed_at, attempts)
  values (repeat('7', 64), 1, 'default', 's', 'd', 'claim', '1', '1', 'closed', 'unverified', 'attempt_cap',
    'dead_letter', '{}', '{}', 1, 2, 2, 1)`;

const database = await createTestDatabase();
const client = new pg.Client({ connectionString: database.databaseUrl });
await client.connect();
await client.query(row);
await client.end();

const contenders: Readonly<Record<string, readonly string[]>> = {
  nothing: ['-e', '0'],
  '--version': [program, '--version'],
  '--help': [program, '--help'],
  'show ID': [program, 'show', '77777777'],
};
const seconds: Record<string, number[]> = {};
// The first round fills the caches that every later call finds.
for (let round = 0; round <= rounds; round += 1) {
  for (const [name, argv] of Object.entries(contenders)) {
    const taken = await userSeconds(argv);
    if (round > 0) seconds[name] = [...(seconds[name] ?? []), taken];
  }
}
await database.drop();

const median = (name: string) => (seconds[name] ?? []).sort((a, b) => a - b)[rounds >> 1] ?? Number.NaN;
for (const name of Object.keys(contenders)) console.log(`     ${median(name).toFixed(2)} s  ${name}`);
for (const [name, most] of Object.entries(goals))
  judge(`endstop ${name} / node -e 0, processor time`, median(name) / median('nothing'), most);

async function userSeconds(argv: readonly string[]): Promise<number> {
  const timed = 'TIMEFORMAT="user %U"; time "$0" "$@" > /dev/null';
  const child = spawn('bash', ['-c', timed, process.execPath, ...argv], {
    cwd: tmpdir(),
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env['PATH'], HOME: tmpdir(), DATABASE_URL: database.databaseUrl },
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString('utf8');
  });
  const [code] = (await once(child, 'close')) as [number | null];
  const told = /^user (\d+\.\d+)$/m.exec(said)?.[1];
  if (code !== 0 || told === undefined) throw new Error(`${argv.join(' ')} ended with ${code}: ${said}`);
  return Number(told);
}
