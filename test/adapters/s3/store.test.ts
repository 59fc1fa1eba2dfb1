import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createPostgresStore } from '../../../src/adapters/postgres/store.js';
import { createS3Storage } from '../../../src/adapters/s3/object-storage.js';
import { type Store, StoreUnavailable } from '../../../src/ports/store.js';
import { storeContract } from '../../contract/store.suite.js';
import { type ObjectServer, startObjectServer } from '../../support/object-server.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres.js';

let server: ObjectServer;
let database: TestDatabase;
let client: pg.Client;
let store: Store;

const hour = 3_600_000;
const storage = (prefix = 'endstop/') => createS3Storage({ bucket: server.bucket, prefix });
const document = (text: string, at = 1) => ({
  tenant: 'acme',
  mediaType: 'text/plain',
  bytes: new TextEncoder().encode(text),
  at,
});

beforeAll(async () => {
  [server, database] = await Promise.all([startObjectServer(), createTestDatabase()]);
  vi.stubEnv('AWS_ENDPOINT_URL_S3', server.url);
  vi.stubEnv('AWS_REGION', 'eu-west-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'known');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
  client = new pg.Client({ connectionString: database.databaseUrl });
  await client.connect();
  store = createPostgresStore({ databaseUrl: database.databaseUrl, objects: storage() });
});
afterEach(() => {
  server.down = false;
  server.onUploaded = () => undefined;
});
afterAll(async () => {
  await store.close();
  await client.end();
  await Promise.all([database.drop(), server.close()]);
  vi.unstubAllEnvs();
});

const looseObjects = async () => (await client.query('select 1 from loose_objects')).rowCount;

describe('a store whose documents lie in object storage', () => {
  storeContract(() => store);
});

describe('given documents in object storage', () => {
  it('when one is stored, then the database holds where, and not a byte of it', async () => {
    const hash = await store.documents.put(document('Total 12.500'));
    const { rows } = await client.query('select bytes, object_key from documents where hash = $1', [hash]);
    expect(rows).toEqual([{ bytes: null, object_key: expect.stringMatching(new RegExp(`^acme/${hash}/`)) }]);
    expect(server.objects.get(`endstop/${rows[0]?.object_key}`)?.toString()).toBe('Total 12.500');
  });

  it('when many store the same at once, then one object is named and the others go', async () => {
    while ((await store.retention.removeLooseObjects(hour * 9)) > 0);
    const before = server.objects.size;
    await Promise.all(Array.from({ length: 8 }, () => store.documents.put(document('the same bytes'))));
    await store.retention.removeLooseObjects(0);
    expect(server.objects.size).toBe(before + 1);
    expect(await looseObjects()).toBe(0);
  });

  it('when one is erased, then its object goes too; while the storage is down, it stays on the list', async () => {
    const hash = await store.documents.put(document('to be erased'));
    const keys = () => [...server.objects.keys()].filter((key) => key.includes(hash));
    expect(keys()).toHaveLength(1);
    await store.retention.erase('acme', hash, 2);
    server.down = true;
    await expect(store.retention.removeLooseObjects(2)).rejects.toThrow(StoreUnavailable);
    server.down = false;
    expect(await store.documents.load('acme', hash)).toBeNull();
    expect(await store.retention.removeLooseObjects(2)).toBe(1);
    expect(keys()).toEqual([]);
  });

  it('when it is handed in again before its object went, then the new one is safe from the sweep', async () => {
    const hash = await store.documents.put(document('again'));
    await store.retention.erase('acme', hash, 2);
    await store.documents.put(document('again'));
    expect(await store.retention.removeLooseObjects(2)).toBe(1);
    expect(Buffer.from((await store.documents.load('acme', hash))?.bytes ?? []).toString()).toBe('again');
  });

  it('when the process dies between upload and row, then the object is removed an hour later, not sooner', async () => {
    server.onUploaded = () => new Promise(() => undefined);
    const hung = store.documents.put(document('cut off', 1_000)).catch(() => undefined);
    await vi.waitFor(() => expect([...server.objects.values()].map(String)).toContain('cut off'));
    expect(await store.retention.removeLooseObjects(1_000 + hour - 1)).toBe(0);
    expect(await store.retention.removeLooseObjects(1_000 + hour)).toBe(1);
    expect([...server.objects.values()].map(String)).not.toContain('cut off');
    void hung;
  });

  it('when an object was lost or changed, then no run reads it as the document', async () => {
    const hash = await store.documents.put(document('as it was'));
    const [key = ''] = [...server.objects.keys()].filter((each) => each.includes(hash));
    server.objects.set(key, Buffer.from('as it was not'));
    await expect(store.documents.load('acme', hash)).rejects.toThrow('holds other bytes');
    server.objects.delete(key);
    await expect(store.documents.load('acme', hash)).rejects.toThrow('has lost the bytes');
  });

  it('when it was stored in the database before, then it is read from there, and the other way round it says why not', async () => {
    const inDatabase = createPostgresStore({ databaseUrl: database.databaseUrl });
    try {
      const old = await inDatabase.documents.put(document('older than the bucket'));
      expect((await store.documents.load('acme', old))?.mediaType).toBe('text/plain');
      const newer = await store.documents.put(document('newer than the bucket'));
      await expect(inDatabase.documents.load('acme', newer)).rejects.toThrow('set ENDSTOP_DOCUMENTS_URL');
    } finally {
      await inDatabase.close();
    }
  });
});

describe('given object storage that cannot be used', () => {
  it.each([
    ['is down', () => (server.down = true), storage, /ENDSTOP_DOCUMENTS_URL cannot be used \(/],
    [
      'has no such bucket',
      () => undefined,
      () => createS3Storage({ bucket: 'nowhere', prefix: '' }),
      /"nowhere" of ENDSTOP_DOCUMENTS_URL does not exist/,
    ],
  ])('when it %s, then a store says so in one sentence', async (_, given, objects, says) => {
    const other = createPostgresStore({ databaseUrl: database.databaseUrl, objects: objects() });
    given();
    await expect(other.documents.put(document('never stored'))).rejects.toThrow(says);
    await expect(other.ping()).rejects.toThrow(StoreUnavailable);
    await other.close();
  });

  it('when it does not know the credentials, then the sentence names them and not the secret', async () => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'unknown');
    const error = await storage()
      .put('a', new Uint8Array())
      .catch((thrown: unknown) => thrown);
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'known');
    expect(String(error)).toContain('AWS_ACCESS_KEY_ID');
    expect(String(error)).not.toContain('secret');
  });
});
