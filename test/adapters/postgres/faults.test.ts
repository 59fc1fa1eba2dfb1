import { createServer, type Server } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrate } from '../../../src/adapters/postgres/migrate.js';
import { createPostgresStore } from '../../../src/adapters/postgres/store.js';
import { StoreUnavailable } from '../../../src/ports/store.js';
import { accepted, landing, newCall, openRun } from '../../contract/store/fixtures.js';
import {
  createTestDatabase,
  startTestPostgres,
  type TestDatabase,
  type TestPostgres,
} from '../../support/postgres.js';
import { failure } from './failure.js';

let database: TestDatabase;
let secret: string;

beforeAll(async () => {
  database = await createTestDatabase();
  secret = new URL(database.databaseUrl).password;
});
afterAll(() => database.drop());

/** The test database's address with one part changed. */
function changed(change: (url: URL) => void): string {
  const url = new URL(database.databaseUrl);
  change(url);
  return url.href;
}

describe('a store that cannot be used says why in one sentence', () => {
  const empty = () => changed((url) => (url.pathname = '/postgres'));
  it.each([
    [
      'no server',
      () => changed((url) => (url.port = '1')),
      /127\.0\.0\.1:1 refused the connection: start it/,
    ],
    [
      'no server under a name',
      () => changed((url) => (url.host = 'localhost:1')),
      /localhost:1 refused the connection/,
    ],
    [
      'no such host',
      () => changed((url) => (url.hostname = 'db.invalid')),
      /host db\.invalid of DATABASE_URL/,
    ],
    [
      'wrong password',
      () => changed((url) => (url.password = 'nope')),
      /rejected the password of user "endstop"/,
    ],
    ['no password', () => changed((url) => (url.password = '')), /asks for a password|rejected the password/],
    [
      'no such user',
      () => changed((url) => (url.username = 'nobody')),
      /rejected the password of user "nobody"/,
    ],
    [
      'no such database',
      () => changed((url) => (url.pathname = '/nowhere')),
      /no database "nowhere": create it/,
    ],
    ['no encryption', () => `${database.databaseUrl}?sslmode=require`, /disagree about encryption/],
    ['not migrated', empty, /does not have Endstop's tables yet: run "endstop db migrate"/],
  ])('%s', async (_, address, says) => {
    const store = createPostgresStore({ databaseUrl: address() });
    const uses = [
      () => store.ping(),
      () => store.extractions.find('12345678'),
      () => store.extractions.list({}, { limit: 1 }),
      () => store.documents.load('acme', 'x'),
      () => openRun(store),
      () =>
        store.specVersions.register(
          {
            ...{ specId: 's', schemaVersion: '1', schemaHash: 'a', rulesHash: null },
            ...{ promptVersion: '1', promptHash: 'b' },
          },
          1,
        ),
    ];
    for (const use of uses) {
      const error = await failure(use);
      expect(error).toBeInstanceOf(StoreUnavailable);
      expect(error.message).toMatch(says);
      expect(error.message).toMatch(/^[^\n]+\.$/);
      expect(error.message).not.toContain(secret);
      expect(error.message).not.toContain('nope');
    }
    await store.close();
  });

  it.each(['', 'localhost', 'mysql://localhost/x', 'postgres://a b'])(
    'no address: %j',
    async (databaseUrl) => {
      const error = await failure(async () => createPostgresStore({ databaseUrl }));
      expect(error).toBeInstanceOf(StoreUnavailable);
      expect(error.message).toMatch(/^DATABASE_URL is not a Postgres address/);
      expect(await failure(() => migrate(databaseUrl))).toEqual(error);
    },
  );

  it('migrated by a newer Endstop', async () => {
    const own = await createTestDatabase();
    const client = new pg.Client({ connectionString: own.databaseUrl });
    await client.connect();
    await client.query(`insert into kysely_migration values ('9999-future', '2999-01-01')`);
    const store = createPostgresStore({ databaseUrl: own.databaseUrl });
    // It only added something: during a deploy the old side goes on.
    await store.ping();
    expect(await migrate(own.databaseUrl)).toEqual([]);
    await client.query(`update schema_floor set oldest = '9999-future'`);
    await client.end();
    for (const use of [() => store.ping(), () => migrate(own.databaseUrl)])
      expect((await failure(use)).message).toMatch(
        /was migrated by a newer Endstop \(9999-future\): update this one/,
      );
    await store.close();
    await own.drop();
  });

  it('a server that accepts and then says nothing', async () => {
    const silent: Server = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const address = silent.address();
    const silentPort = typeof address === 'object' && address !== null ? String(address.port) : '';
    const store = createPostgresStore({
      databaseUrl: changed((url) => (url.port = silentPort)),
      connectTimeoutMs: 200,
    });
    const error = await failure(() => store.ping());
    expect(error).toBeInstanceOf(StoreUnavailable);
    expect(error.message).toMatch(/did not answer in time/);
    await store.close();
    silent.close();
  });

  it('a statement that takes too long, and a lock that is held too long; and it works again afterwards', async () => {
    const store = createPostgresStore({
      databaseUrl: database.databaseUrl,
      statementTimeoutMs: 300,
      poolSize: 1,
    });
    const ref = await openRun(store);
    const client = new pg.Client({ connectionString: database.databaseUrl });
    await client.connect();
    await client.query('begin');
    await client.query('select 1 from extractions where key = $1 for update', [ref.key]);
    const error = await failure(() => store.attempts.commit(accepted(ref)));
    expect(error).toBeInstanceOf(StoreUnavailable);
    expect(error.message).toMatch(/took too long/);
    await client.query('rollback');
    await client.end();
    expect((await store.attempts.commit(accepted(ref))).report.attempt).toBe(1);
    await store.close();
  });
});

describe('a value that Postgres refuses', () => {
  it('is a fault of ours, named by code and constraint, and never quoted', async () => {
    const store = createPostgresStore({ databaseUrl: database.databaseUrl });
    const ref = await openRun(store);
    const nobody = { ...ref, key: 'private-text', run: 3 };
    const error = await failure(() => store.attempts.beginCall(newCall(nobody)));
    expect(error).not.toBeInstanceOf(StoreUnavailable);
    expect(error.message).toBe('Postgres refused a statement (23503, calls_key_run_fkey).');
    expect(JSON.stringify(error)).not.toContain('private-text');
    expect(error.cause).toBeUndefined();
    await store.close();
  });
});

describe('a server that dies under the store', () => {
  let server: TestPostgres;
  beforeAll(async () => {
    server = await startTestPostgres();
  });
  afterAll(() => server.stop());

  it('is unavailable while it is down, serves again once it is back, and lost nothing it had acknowledged', async () => {
    const databaseUrl = server.databaseUrl('postgres');
    await migrate(databaseUrl);
    const store = createPostgresStore({ databaseUrl });
    const kept = await openRun(store);
    await store.attempts.commit(accepted(kept));
    const open = await openRun(store);

    // Calls are under way while it dies.
    const during = Array.from({ length: 20 }, () =>
      openRun(store).then(
        ({ key }) => key,
        (error: Error) => error,
      ),
    );
    await server.kill();
    const outcomes = await Promise.all(during);
    for (const outcome of outcomes)
      if (typeof outcome !== 'string') expect(outcome).toBeInstanceOf(StoreUnavailable);
    expect(await failure(() => store.ping())).toBeInstanceOf(StoreUnavailable);

    await server.start();
    await store.ping();
    for (const key of outcomes)
      if (typeof key === 'string') expect(await store.extractions.find(key)).not.toBeNull();
    expect((await store.records.current(kept.subject))?.status).toBe('verified');
    expect((await store.extractions.land(landing(open))).route).toBe('dead_letter');
    await store.close();
  });
});
