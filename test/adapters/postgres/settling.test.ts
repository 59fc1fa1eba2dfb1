import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPostgresStore } from '../../../src/adapters/postgres/store.js';
import type { RunRef } from '../../../src/domain/extraction-input.js';
import type { Store } from '../../../src/ports/store.js';
import {
  accepted,
  exhausted,
  landing,
  openRun,
  sameDocument,
  takeLetter,
} from '../../contract/store/fixtures.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres.js';

let database: TestDatabase;
let store: Store;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  store = createPostgresStore({ databaseUrl: database.databaseUrl });
  client = new pg.Client({ connectionString: database.databaseUrl });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await store.close();
  await database.drop();
});

async function parked(): Promise<RunRef> {
  const ref = await openRun(store);
  await store.extractions.land(landing(ref));
  return ref;
}

const stateOf = async ({ key }: RunRef) => (await store.deadLetters.find(key))?.state;

/** What a letter says that was taken just after whatever ended its run had looked at it. */
const missed = `update dead_letters set state = 'redriven', taken_at = 5, redriven_key = $2, redriven_run = $3
  where key = $1`;

describe('a redriven letter that was missed when its run ended', () => {
  it('is parked again when the run was cancelled', async () => {
    const letter = await parked();
    const run = await takeLetter(store, letter);
    const ending = { ...exhausted, reason: 'cancelled' } as const;
    await store.extractions.land(landing(run, { ending, route: null }));
    await client.query(missed, [letter.key, run.key, run.run]);
    expect(await store.deadLetters.settle(6)).toEqual({ parked: 1, recovered: 0, more: false });
    expect(await stateOf(letter)).toBe('parked');
  });

  it('is closed when the run verified', async () => {
    const letter = await parked();
    const run = await openRun(store, sameDocument(letter, { promptVersion: 'v8' }));
    await store.attempts.commit(accepted(run));
    await client.query(missed, [letter.key, run.key, run.run]);
    expect(await store.deadLetters.settle(6)).toEqual({ parked: 0, recovered: 1, more: false });
    expect(await stateOf(letter)).toBe('recovered');
  });

  it('is parked again when there never was a run', async () => {
    const letter = await parked();
    await client.query(missed, [letter.key, letter.key, 2]);
    expect(await store.deadLetters.settle(5)).toEqual({ parked: 0, recovered: 0, more: false });
    expect(await store.deadLetters.settle(6)).toEqual({ parked: 1, recovered: 0, more: false });
    expect(await store.deadLetters.settle(6)).toEqual({ parked: 0, recovered: 0, more: false });
    expect(await stateOf(letter)).toBe('parked');
  });

  it('is looked at a thousand at a time', async () => {
    await client.query(`insert into dead_letters (key, run, tenant, subject, document_hash, spec_id, schema_version,
        prompt_version, reason, policy, tags, at, state, taken_at)
      select md5(n::text), 1, 'many', md5('s' || n), md5('d' || n), 'claim', '1', 'v7', 'refusal', '{}', '{}', n,
        'redriven', 1
      from generate_series(1, 1500) n`);
    expect(await store.deadLetters.settle(2)).toEqual({ parked: 1_000, recovered: 0, more: true });
    expect(await store.deadLetters.settle(2)).toEqual({ parked: 500, recovered: 0, more: false });
  });
});
