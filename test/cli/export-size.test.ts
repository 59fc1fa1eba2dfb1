import { execFile } from 'node:child_process';
import { createReadStream, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

const records = 100_000;
/** The program itself needs about a third of it; the records alone are several times as much. */
const heapMiB = 160;

const fill = `
  insert into records (key, run, tenant, subject, document_hash, spec_id, schema_version, prompt_version, source,
    verification_status, record, evidence, ungrounded, unmet, normalisations, verifier_version, at)
  select md5(n::text) || md5('k' || n), 1, 'big', md5('s' || n), md5('d' || n), 'claim', '1', '1', 'model', 'verified',
    jsonb_build_object('claim_number', 'CL-' || n, 'claimant', 'Ada Lund', 'currency', 'EUR', 'total_claimed', n || '.50',
      'line_items', jsonb_build_array(jsonb_build_object('description', repeat('Repair of lamp ', 8), 'amount', n || '.50'))),
    jsonb_build_array(jsonb_build_object('pointer', '/claimant', 'page', 1, 'start', 1, 'end', 9, 'printed',
      repeat('Ada Lund ', 60))),
    '{}', '[]', '[]', 'claim@1', n
  from generate_series(1, ${records}) n`;

describe('an export of a hundred thousand records', () => {
  const folder = mkdtempSync(join(tmpdir(), 'endstop-export-'));
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
    const client = new pg.Client({ connectionString: database.databaseUrl });
    await client.connect();
    await client.query(fill);
    await client.query('analyze records');
    await client.end();
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await database.drop();
  });

  it('fits a process that could not hold them, and is whole', async () => {
    const path = join(folder, 'records.csv');
    const argv = ['records', 'export', '--format', 'csv', '--spec', 'claim', '--out', path];
    const env = { ...process.env, DATABASE_URL: database.databaseUrl, ENDSTOP_HOME: folder };
    const ran = await promisify(execFile)(
      process.execPath,
      [`--max-old-space-size=${heapMiB}`, resolve('bin/endstop.mjs'), ...argv],
      { env: { ...env, NODE_OPTIONS: `--max-old-space-size=${heapMiB}` } },
    );
    expect(ran.stderr).toBe(`${records} records are in ${path}.\n`);
    expect(readdirSync(folder).filter((name) => name.startsWith('records'))).toEqual(['records.csv']);
    let lines = 0;
    for await (const _line of createInterface({ input: createReadStream(path) })) lines += 1;
    expect(lines).toBe(records + 1);
    expect(statSync(path).size).toBeGreaterThan(records * 200);
  });
});
