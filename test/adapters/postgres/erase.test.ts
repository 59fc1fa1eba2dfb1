import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPostgresStore } from '../../../src/adapters/postgres/store.js';
import type { Store } from '../../../src/ports/store.js';
import {
  accepted,
  decide,
  landing,
  newCall,
  openRun,
  problem,
  recordOf,
  rejected,
  sameDocument,
  say,
  toReview,
} from '../../contract/store/fixtures.js';
import { createTestDatabase, installations, type TestDatabase } from '../../support/postgres.js';

/** Stands in everything a document says and people say about it; no word, rule or pointer holds it. */
const marker = 'Quillfeather';
const amount = '987654.321';

describe.each(installations())('an erasure on Postgres ($name)', (installation) => {
  let database: TestDatabase;
  let client: pg.Client;
  let store: Store;

  beforeAll(async () => {
    database = await createTestDatabase(installation);
    client = new pg.Client({ connectionString: database.databaseUrl });
    await client.connect();
    store = createPostgresStore({ databaseUrl: database.databaseUrl });
  });
  afterAll(async () => {
    await store.close();
    await client.end();
    await database.drop();
  });

  /** Tables in which some row holds the marker or the amount, as text or as bytes. */
  async function tablesWithMarker(): Promise<string[]> {
    const { rows } = await client.query<{ table_name: string }>(
      `select table_name from information_schema.tables
        where table_schema = 'public' and table_type = 'BASE TABLE' order by table_name`,
    );
    expect(rows.length).toBeGreaterThan(15);
    const found: string[] = [];
    for (const { table_name } of rows) {
      const { rowCount } = await client.query(
        `select 1 from ${table_name} t
          where t::text ilike $1 or t::text ilike $2 or t::text ilike $3 limit 1`,
        [`%${marker}%`, `%${Buffer.from(marker).toString('hex')}%`, `%${amount}%`],
      );
      if (rowCount === 1) found.push(table_name);
    }
    return found;
  }

  it('leaves no word of the document in any table, and every count', async () => {
    const tenant = 'acme';
    const values = { insured: marker, total: amount };
    const content = {
      candidate: values,
      evidence: [{ pointer: '/insured', page: 1, start: 0, end: 12, printed: marker }],
      problems: [{ ...problem, message: `not ${marker}`, expected: marker, found: marker }],
      contradiction: {
        ...{ rules: ['a', 'b'] as const, pointer: '/total', explanation: marker },
        values: [marker, amount] as const,
      },
      feedback: `You wrote ${marker}.`,
    };
    const bytes = Buffer.from(`Insured: ${marker}`);
    const documentHash = await store.documents.put({ tenant, mediaType: 'text/plain', bytes, at: 1 });
    const given = { tenant, documentHash, fileName: `${marker}.pdf` };

    // One run verified, one in review with a draft and two decisions, one parked, one with unverified records.
    const verified = await openRun(store, given);
    await store.attempts.beginCall(newCall(verified));
    const { problems: _none, contradiction: _no, ...accept } = content;
    const sample = { reviewId: 'f'.repeat(64), amount: { amount, currency: 'BHD' } };
    await store.attempts.commit(accepted(verified, { ...accept, sample }));
    const asked = { ...given, specId: 'invoice' };
    const reviewed = await openRun(store, asked);
    await store.attempts.commit(rejected(reviewed, content));
    await store.extractions.land(toReview(reviewed, { amount: { amount, currency: 'BHD' } }));
    await say(store, reviewed.subject, { verb: 'reject', note: `I know ${marker}` });
    await store.reviews.saveDraft({
      ...{ reviewId: reviewed.subject, holder: 'ann', version: 1, values, note: marker, at: 5 },
    });
    await decide(store, reviewed.subject, 'correct', values);
    await store.reviews.saveDraft({
      ...{ reviewId: reviewed.subject, holder: 'kim', version: 1, values, note: marker, at: 9 },
    });
    const parked = await openRun(store, sameDocument(reviewed, { ...asked, promptVersion: 'v8' }));
    await store.extractions.land(landing(parked));
    const put = recordOf(parked, { record: values, unmet: content.problems, evidence: content.evidence });
    await store.records.put(put);
    await store.records.put({ ...put, status: 'best_effort', template: null });

    expect(await tablesWithMarker()).toEqual([
      ...['attempts', 'dead_letters', 'documents', 'extractions', 'records', 'review_drafts'],
      ...['review_events', 'review_tasks'],
    ]);
    const counts = async () => {
      const { rows } = await client.query(`select
        (select count(*) from extractions) as extractions, (select count(*) from attempts) as attempts,
        (select count(*) from calls) as calls, (select sum(tokens) from calls) as tokens,
        (select count(*) from review_tasks) as reviews,
        (select count(*) from review_events where kind = 'decided') as decisions,
        (select jsonb_agg(p -> 'rule') from attempts, jsonb_array_elements(problems) p) as rules`);
      return rows[0];
    };
    const before = await counts();
    await store.retention.erase(tenant, documentHash, 9_000_000);
    expect(await tablesWithMarker()).toEqual([]);
    expect(await counts()).toEqual(before);
  });
});
