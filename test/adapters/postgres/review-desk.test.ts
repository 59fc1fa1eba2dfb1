import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrate } from '../../../src/adapters/postgres/migrate.js';
import { migrations } from '../../../src/adapters/postgres/migrations/index.js';
import { createPostgresStore } from '../../../src/adapters/postgres/store.js';
import type { Store } from '../../../src/ports/store.js';
import {
  accepted,
  askAboutSample,
  decide,
  openRun,
  sameDocument,
  toReview,
} from '../../contract/store/fixtures.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres.js';

let database: TestDatabase;
let client: pg.Client;
let store: Store;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.databaseUrl });
  await client.connect();
  store = createPostgresStore({ databaseUrl: database.databaseUrl });
});
afterAll(async () => {
  await store.close();
  await client.end();
  await database.drop();
});

/** The schema as it was before a migration of this name, in place of the test's own. */
async function rewindTo(name: string): Promise<void> {
  await client.query('drop schema public cascade');
  await client.query('create schema public');
  await client.query(
    'create table kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null)',
  );
  await client.query(
    'create table kysely_migration_lock (id varchar(255) primary key, is_locked integer not null default 0)',
  );
  await client.query("insert into kysely_migration_lock values ('migration_lock', 0)");
  const db = new Kysely<unknown>({
    dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: database.databaseUrl, max: 1 }) }),
  });
  for (const [before, migration] of Object.entries(migrations)) {
    if (before >= name) break;
    await migration.up(db);
    await client.query('insert into kysely_migration values ($1, $2)', [before, new Date().toISOString()]);
  }
  await db.destroy();
}

const openBefore = `
  insert into extractions (key, run, tenant, subject, document_hash, spec_id, schema_version, prompt_version, state,
    outcome, reason, route, policy, tags, provider, started_at, deadline_at, closed_at, attempts)
  values ('k', 1, 't', 'subject-1', 'd', 'claim', '1', 'v1', 'closed', 'unverified', 'refusal', 'human_review', '{}',
    '{}', 'stand-in', 1, 2, 3, 1);
  insert into review_tasks (key, run, tenant, subject, document_hash, spec_id, schema_version, prompt_version, state,
    reason, created_at, due_at, holder, lease_expires_at)
  values ('k', 1, 't', 'subject-1', 'd', 'claim', '1', 'v1', 'open', 'refusal', 3, 9, 'kim', 8);
  insert into review_events (subject, tenant, actor, verb, note, overrides, at)
  values ('subject-1', 't', 'kim', 'reject', 'blurred', '{}', 4), ('subject-1', 't', 'lee', 'not_in_document', null, '{}', 5)
  returning event_id`;

describe('a database that knew reviews before they had a trail', () => {
  it('keeps its open reviews, who holds them and what was said, and goes on from there', async () => {
    await rewindTo('0003-review-desk');
    const results = (await client.query(openBefore)) as unknown as pg.QueryResult<{ event_id: string }>[];
    const [first = '', second = ''] = (results.at(-1)?.rows ?? []).map(({ event_id }) => event_id);
    expect(await migrate(database.databaseUrl)).toContain('0003-review-desk');
    expect(await store.reviews.find('subject-1')).toMatchObject({
      ...{ id: 'subject-1', kind: 'exhausted', state: 'open', version: 1, holder: 'kim', leaseExpiresAt: 8 },
    });
    expect(await store.reviews.steps('subject-1')).toMatchObject([
      { kind: 'decided', actor: 'kim', note: 'blurred', decision: { eventId: first, appliedAt: null } },
      { kind: 'decided', actor: 'lee', version: null, decision: { eventId: second, appliedAt: null } },
    ]);
    // Its workflow may still carry out what was asked for before.
    expect(await store.reviews.apply(first, [], 'v', 10)).toBe('applied');
    expect(await store.reviews.apply(second, [], 'v', 11)).toBe('not_open');
    expect(await store.reviews.find('subject-1')).toMatchObject({ state: 'decided', version: 2 });
    expect(await store.records.ofKey('k')).toMatchObject([{ status: 'rejected' }]);
  });
});

describe('a subject with two reviews', () => {
  it('announces each decision once, as its own', async () => {
    const { ref, id } = await askAboutSample(store);
    const worse = await openRun(store, sameDocument(ref, { promptVersion: 'v8' }));
    await store.extractions.land(toReview(worse, { bestAttempt: null }));
    await decide(store, id, 'approve');
    await decide(store, ref.subject, 'reject');
    const { rows } = await client.query(
      `select key, verification_status from outbox where type = 'review.decided' and subject = $1 order by at, key`,
      [ref.subject],
    );
    expect(rows).toHaveLength(2);
    expect(rows).toContainEqual({ key: ref.key, verification_status: null });
    expect(rows).toContainEqual({ key: worse.key, verification_status: 'rejected' });
  });

  it('withdraws the one that a later success answers, and leaves the other', async () => {
    const { ref, id } = await askAboutSample(store);
    const worse = await openRun(store, sameDocument(ref, { promptVersion: 'v8' }));
    await store.extractions.land(toReview(worse, { bestAttempt: null }));
    const better = await openRun(store, sameDocument(ref, { promptVersion: 'v9' }));
    await store.attempts.commit(accepted(better));
    const { rows } = await client.query('select id, state from review_tasks where subject = $1', [
      ref.subject,
    ]);
    expect(rows).toHaveLength(2);
    expect(rows).toContainEqual({ id, state: 'open' });
    expect(rows).toContainEqual({ id: ref.subject, state: 'withdrawn' });
  });
});
