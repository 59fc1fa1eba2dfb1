import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { audit, type HandedIn } from './audit.js';

/**
 * Six documents that ended well, each in another place: a verified, b to the dead letters, c to a person, d to a
 * fallback, e cancelled, f redriven under another prompt and verified.
 */
const healthy = `
  insert into webhook_endpoints (tenant, url, created_at) values (null, 'https://receiver.example/', 1);
  insert into documents (tenant, hash, media_type, bytes, stored_at)
  select 'acme', 'doc-' || n, 'text/plain', '', 1 from unnest(array['a', 'b', 'c', 'd', 'e', 'f']) n;
  insert into extractions (key, run, tenant, subject, document_hash, spec_id, schema_version, prompt_version, state,
    policy, tags, batch_id, provider, started_at, deadline_at)
  select name, 1, 'acme', 'subject-' || left(name, 1), 'doc-' || left(name, 1), 'claim', '1', 'v7', 'open', '{}', '{}',
    case name when 'f2' then 'redrive/monday' end, 'stand-in', case name when 'f2' then 20 else 10 end, 99
  from unnest(array['a', 'b', 'c', 'd', 'e', 'f', 'f2']) name;
  insert into attempts (key, run, attempt, tenant, report, problems, candidate, evidence, ungrounded, verifier_version, at)
  select key, 1, 1, tenant, '{}', '[]', '{}', '[]', '{}', 'v', started_at + 2 from extractions;
  insert into calls (key, run, attempt, tenant, lane, model, activity_id, state, tokens, cost, currency, known, started_at)
  select key, 1, 1, tenant, 'first', 'm', '1', 'answered', 10, 0.001, 'USD', true, started_at + 1 from extractions;
  insert into records (key, run, tenant, subject, document_hash, spec_id, schema_version, prompt_version, source,
    verification_status, record, evidence, ungrounded, unmet, normalisations, verifier_version, at)
  select key, 1, tenant, subject, document_hash, spec_id, '1', 'v7', 'model', 'verified', '{}', '[]', '{}', '[]', '[]', 'v', 13
  from extractions where key in ('a', 'f2');
  insert into dead_letters (key, run, tenant, subject, document_hash, spec_id, schema_version, prompt_version, reason,
    policy, tags, at, state, redriven_key, redriven_run)
  select key, 1, tenant, subject, document_hash, spec_id, '1', 'v7', 'refusal', '{}', '{}', 13,
    case key when 'f' then 'recovered' else 'parked' end, case key when 'f' then 'f2' end, case key when 'f' then 1 end
  from extractions where key in ('b', 'f');
  insert into review_tasks (id, key, run, tenant, subject, document_hash, spec_id, schema_version, prompt_version, state,
    reason, created_at, due_at)
  select subject, key, 1, tenant, subject, document_hash, spec_id, '1', 'v7', 'open', 'refusal', 13, 99
  from extractions where key = 'c';
  update extractions set state = 'closed', outcome = 'verified', attempts = 1, closed_at = 13 where key in ('a', 'f2');
  update extractions set state = 'closed', outcome = 'unverified', attempts = 1, closed_at = 13,
    reason = case key when 'e' then 'cancelled' else 'refusal' end,
    route = case key when 'c' then 'human_review' when 'd' then 'fallback' when 'e' then null else 'dead_letter' end
  where key in ('b', 'c', 'd', 'e', 'f');
  insert into records (key, run, tenant, subject, document_hash, spec_id, schema_version, prompt_version, source,
    verification_status, record, evidence, ungrounded, unmet, normalisations, verifier_version, at)
  select key, 1, tenant, subject, document_hash, spec_id, '1', 'v7', 'fallback', 'fallback', '{}', '[]', '{}', '[]', '[]',
    'v', 14 from extractions where key = 'd';
  insert into review_events (review, subject, tenant, kind, actor, verb, version, at)
  select id, subject, tenant, 'decided', 'ada', 'reject', 1, 14 from review_tasks;
  update review_events set applied_at = 15;
  update review_tasks set state = 'decided', verdict = 'reject', decided_at = 15;
  update webhook_deliveries set state = 'delivered', due_at = null, ended_at = 16;`;

const handedIn: HandedIn = { tenant: 'acme', ids: ['a', 'b', 'c', 'd', 'e', 'f'], documents: 6 };

let database: TestDatabase;
let client: Client;
beforeAll(async () => {
  database = await createTestDatabase();
  client = new Client({ connectionString: database.databaseUrl });
  await client.connect();
  await client.query(healthy);
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

/** The audit of what a fault would have left behind, which is undone afterwards. */
async function auditOf(fault: string) {
  await client.query('begin');
  try {
    await client.query(fault);
    return await audit(client, handedIn);
  } finally {
    await client.query('rollback');
  }
}

describe('an audit', () => {
  it('finds nothing where every document ended once', async () => {
    expect(await audit(client, handedIn)).toEqual({
      ...{ lost: [], duplicated: [], stuck: [] },
      balance: {
        ...{ verified: 2, cancelled: 1, open: 0 },
        routes: { dead_letter: 1, human_review: 1, fallback: 1 },
      },
    });
  });

  it.each([
    [
      'lost',
      'e was accepted and is unknown',
      `delete from calls where key = 'e'; delete from attempts where key = 'e';
      delete from extractions where key = 'e'`,
    ],
    [
      'lost',
      '6 documents were handed in, 5 are accounted for',
      `delete from calls where key = 'e';
      delete from attempts where key = 'e'; delete from extractions where key = 'e'`,
    ],
    ['lost', 'b has no document', `delete from documents where hash = 'doc-b'`],
    ['lost', 'a/1 verified without a record', `delete from records where key = 'a'`],
    ['lost', 'd/1 ended unverified and went nowhere', `update extractions set route = null where key = 'd'`],
    ['lost', 'b/1 went to the dead letters and is none', `delete from dead_letters where key = 'b'`],
    [
      'lost',
      'c/1 went to a person and nobody is asked',
      `delete from review_events; delete from review_tasks`,
    ],
    ['lost', 'd/1 went to a place that keeps nothing of it', `delete from records where key = 'd'`],
    ['lost', 'e/1 ended and nobody is told', `delete from outbox where key = 'e'`],
    [
      'duplicated',
      'a/1 has more than one ending',
      `update extractions set state = 'open', outcome = null where key = 'a';
      update extractions set state = 'closed', outcome = 'unverified', reason = 'deadline' where key = 'a'`,
    ],
    [
      'duplicated',
      'b/1 has a verified record beside an ending that says otherwise',
      `insert into records
      select 'b', r.run, r.tenant, r.subject, r.document_hash, r.spec_id, r.schema_version, r.prompt_version, r.source,
        r.verification_status from records r where false; update records set key = 'b' where key = 'a'`,
    ],
    [
      'duplicated',
      'subject-c is asked about more than once',
      `insert into review_tasks (id, key, run, tenant, subject,
      document_hash, spec_id, schema_version, prompt_version, state, reason, created_at, due_at)
      select 'second', key, run, tenant, subject, document_hash, spec_id, schema_version, prompt_version, 'open', reason,
        created_at, due_at from review_tasks`,
    ],
    [
      'duplicated',
      'subject-c version 1 is decided more than once',
      `insert into review_events (review, subject, tenant,
      kind, actor, verb, version, at, applied_at) select id, subject, tenant, 'decided', 'kim', 'reject', 1, 14, 15
      from review_tasks`,
    ],
    [
      'duplicated',
      'f is parked although it verified',
      `update dead_letters set state = 'parked' where key = 'f'`,
    ],
    [
      'duplicated',
      'subject-f by redrive/monday was run more than once by one redrive',
      `update extractions set batch_id = 'redrive/monday'
      where key = 'f'`,
    ],
    [
      'duplicated',
      'a/1 attempt 1 was paid for again although its answer was stored',
      `insert into calls (key, run,
      attempt, tenant, lane, model, activity_id, state, tokens, cost, currency, known, started_at)
      values ('a', 1, 1, 'acme', 'first', 'm', '1', 'answered', 10, 0.001, 'USD', true, 40)`,
    ],
    [
      'duplicated',
      'evt_by-chance is an event whose id is not made of what it is about',
      `with gone as (delete from outbox where key = 'e'
      returning type, key, run, tenant, subject, spec_id, outcome, reason, route, verification_status, at)
      insert into outbox select 'evt_by-chance', gone.* from gone`,
    ],
    [
      'duplicated',
      'd/1 record.stored is announced more than once',
      `insert into outbox (event_id, type, key, run, tenant,
      subject, spec_id, outcome, reason, route, verification_status, at) select 'evt_again', type, key, run, tenant,
      subject, spec_id, outcome, reason, route, verification_status, at from outbox where type = 'record.stored'`,
    ],
    [
      'stuck',
      'b/1 has not ended',
      `update extractions set state = 'open', outcome = null, reason = null, route = null
      where key = 'b'`,
    ],
    [
      'stuck',
      'd/1 ended without a reason or an instant',
      `update extractions set closed_at = null where key = 'd'`,
    ],
    [
      'stuck',
      'b was taken by a redrive that never ran it',
      `update dead_letters set state = 'redriven',
      redriven_key = 'b', redriven_run = 2 where key = 'b'`,
    ],
    [
      'stuck',
      'subject-c is still asked about although it verified since',
      `update review_tasks set state = 'open';
      update extractions set subject = 'subject-c', closed_at = 50 where key = 'a'`,
    ],
  ])('says of what is %s: %s', async (column, finding, fault) => {
    const audited = await auditOf(fault);
    expect(audited[column as 'lost']).toContain(finding);
  });

  it('says that an event was not delivered', async () => {
    const { stuck } = await auditOf(
      `update webhook_deliveries set state = 'pending', due_at = 20, ended_at = null
        where event_id in (select event_id from outbox where key = 'e')`,
    );
    expect(stuck).toEqual([expect.stringMatching(/^evt_\w+ is an event that was not delivered$/)]);
  });
});
