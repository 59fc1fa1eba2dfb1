import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPostgresStore } from '../../../src/adapters/postgres/store.js';
import type { Store } from '../../../src/ports/store.js';
import { createTestDatabase, installations, type TestDatabase } from '../../support/postgres.js';

/** Twelve thousand documents of three tenants, ten thousand of them open questions, written by SQL for speed. */
const fill = `
  insert into extractions (key, run, tenant, subject, document_hash, spec_id, schema_version, prompt_version, state,
    outcome, reason, failure_class, route, policy, tags, file_name, provider, started_at, deadline_at, closed_at, attempts)
  select md5(n::text), 1, 'tenant-' || n % 3, md5('s' || n), md5('d' || n), 'claim', '1', 'v' || n % 10, 'closed',
    'unverified', (array['attempt_cap', 'refusal', 'no_progress'])[1 + n % 3], 'schema', 'dead_letter',
    jsonb_build_object('as long as a policy is', repeat('.', 700)), '{}',
    'scan-' || lpad(n::text, 8, '0') || '.pdf', 'stand-in', n, n, n, 1
  from generate_series(1, 12000) n;
  insert into documents (tenant, hash, media_type, bytes, stored_at)
  select tenant, document_hash, 'text/plain', '', started_at from extractions;
  update extractions set route = 'fallback' where started_at % 10 = 0;
  update extractions set batch_id = 'redrive/' || started_at % 20 where started_at % 3 = 0;
  insert into dead_letters (key, run, tenant, subject, document_hash, spec_id, schema_version, prompt_version, reason,
    failure_class, policy, tags, at, state)
  select key, run, tenant, subject, document_hash, spec_id, schema_version, prompt_version, reason, failure_class,
    policy, tags, closed_at, case when started_at <= 10000 then 'parked' else 'recovered' end
  from extractions;
  update dead_letters set state = 'redriven', taken_at = at, redriven_key = key, redriven_run = 1 where at % 50 = 0;
  insert into attempts (key, run, attempt, tenant, report, problems, evidence, ungrounded, verifier_version, at)
  select key, 1, 1, tenant, jsonb_build_object('durationMs', 900, 'result', jsonb_build_object('kind', 'rejected',
    'failureClass', 'schema', 'problems', '[]'::jsonb), 'as long as a report is', repeat('.', 700)), '[]', '[]',
    '{}', 'v', started_at from extractions;
  insert into calls (key, run, attempt, tenant, lane, model, activity_id, state, tokens, cost, currency, known, started_at)
  select key, 1, 1, tenant, 'first', 'm', 'a', 'answered', 10, 0.001, 'USD', true, 1 from extractions;
  insert into records (key, run, tenant, subject, document_hash, spec_id, schema_version, prompt_version, source,
    verification_status, record, evidence, ungrounded, unmet, normalisations, verifier_version, at)
  select key, run, tenant, subject, document_hash, spec_id, schema_version, prompt_version, 'model', 'verified',
    '{}', '[]', '{}', '[]', '[]', 'v', started_at from extractions;
  insert into review_tasks (id, key, run, tenant, subject, document_hash, spec_id, schema_version, prompt_version, state,
    reason, amount, currency, created_at, due_at)
  select subject, key, run, tenant, subject, document_hash, spec_id, schema_version, prompt_version,
    case when started_at <= 10000 then 'open' else 'decided' end, reason, started_at % 777, 'USD', started_at, 1
  from extractions;
  insert into review_events (review, subject, tenant, kind, version, at)
  select id, subject, tenant, 'opened', 1, created_at from review_tasks;
  insert into review_drafts (review, holder, version, at) select id, 'kim', 1, created_at from review_tasks;
  insert into webhook_endpoints (tenant, url, created_at) values (null, 'https://receiver.example/', 1);
  insert into outbox (event_id, type, key, run, tenant, subject, spec_id, outcome, at)
  select 'evt_' || key, 'extraction.unverified', key, run, tenant, subject, spec_id, outcome, closed_at from extractions;
  update webhook_deliveries set state = 'delivered', due_at = null, ended_at = due_at where due_at <= 2000;
  insert into webhook_tries (delivery_id, number, at, duration_ms, status) select delivery_id, 1, 1, 1, 204
  from webhook_deliveries;
  insert into audits (id, seed, size, filter, drawn_at)
  select md5('audit' || n), n, 30, '{}', n from generate_series(0, 399) n;
  insert into audit_items (audit, place, key, run)
  select md5('audit' || started_at % 400), started_at / 400, key, run from extractions;
  insert into batches (id, tenant, spec_id, schema_version, prompt_version, policy, tags, redrive, in_flight, state, cap, at)
  select md5('b' || n), 'tenant-' || n % 3, 'claim', '1', 'v1', '{}', '{}', false, 20, 'finished', 3, n
  from generate_series(0, 999) n;
  insert into batch_documents (batch_id, item, key, subject, document_hash, tags, state)
  select md5('b' || started_at % 1000), key, key, subject, document_hash, '{}', 'ended' from extractions;
  insert into hour_folds (selection, version, hour, fold)
  select case n % 20 when 0 then '[null,null,null]' else '["tenant-' || n % 20 || '",null,null]' end, 1,
    (1 + n / 20) * 3600000::int8, '{}' from generate_series(0, 14399) n;
  insert into day_folds (selection, version, day, fold)
  select selection, version, hour, fold from hour_folds where hour % 86400000 = 0 and hour > 86400000;
  insert into extractions (key, run, tenant, subject, document_hash, spec_id, schema_version, prompt_version, state,
    policy, tags, provider, started_at, deadline_at)
  select md5('open' || n), 1, 'tenant-1', md5('so' || n), md5('do' || n), 'claim', '1', 'v1', 'open', '{}', '{}',
    'stand-in', n, n from generate_series(1, 30) n;`;

/** Tables of a handful of rows, which are read whole wherever they are needed; verdicts are as many as people made. */
const small = ['webhook_endpoints', 'webhook_secrets', 'audit_verdicts', 'breakers'];

async function readAll(parts: AsyncIterable<unknown>): Promise<void> {
  for await (const part of parts) expect(part).toBeDefined();
}

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly Plans?: readonly Plan[];
}

describe.each(installations())('with ten thousand of each on Postgres ($name)', (installation) => {
  let database: TestDatabase;
  let client: pg.Client;
  let store: Store;

  beforeAll(async () => {
    database = await createTestDatabase(installation);
    client = new pg.Client({ connectionString: database.databaseUrl });
    await client.connect();
    await client.query(fill);
    await client.query('vacuum analyze');
    store = createPostgresStore({ databaseUrl: database.databaseUrl });
  });
  afterAll(async () => {
    await store.close();
    await client.end();
    await database.drop();
  });

  /** Plans of the statements that `use` really sends, explained with their parameters. */
  async function plansOf(use: (store: Store) => Promise<unknown>): Promise<readonly Plan[]> {
    const sent: { text: string; values: unknown[] }[] = [];
    const query = pg.Client.prototype.query;
    const spy = function (this: pg.Client, ...args: unknown[]) {
      // What begins and ends a transaction has no plan.
      const isPlanned =
        typeof args[0] === 'string' && !/^(begin|commit|rollback|start|set|fetch|close)/.test(args[0]);
      if (typeof args[0] === 'string' && isPlanned && Array.isArray(args[1]))
        sent.push({ text: args[0], values: args[1] });
      return Reflect.apply(query, this, args);
    };
    pg.Client.prototype.query = spy as typeof query;
    try {
      await use(store);
    } finally {
      pg.Client.prototype.query = query;
    }
    expect(sent.length).toBeGreaterThan(0);
    const plans: Plan[] = [];
    for (const { text, values } of sent) {
      const { rows } = await client.query(`explain (format json) ${text}`, values);
      plans.push(rows[0]['QUERY PLAN'][0].Plan);
    }
    return plans.flatMap(nodes);
  }

  function nodes(plan: Plan): readonly Plan[] {
    return [plan, ...(plan.Plans ?? []).flatMap(nodes)];
  }

  const some = { limit: 50 };
  const from = (...values: (string | number)[]) => ({
    ...some,
    cursor: Buffer.from(JSON.stringify(values)).toString('base64url'),
  });

  it.each<[string, (store: Store) => Promise<unknown>]>([
    ['dead letters, first page', ({ deadLetters }) => deadLetters.list({}, some)],
    ['dead letters, a late page', ({ deadLetters }) => deadLetters.list({}, from(9_000, 'a'))],
    [
      'dead letters of a tenant',
      ({ deadLetters }) => deadLetters.list({ tenant: 'tenant-1' }, from(500, 'a')),
    ],
    [
      'dead letters of a prompt',
      ({ deadLetters }) => deadLetters.list({ promptVersion: 'v7' }, from(500, 'a')),
    ],
    [
      'dead letters selected for a redrive',
      ({ deadLetters }) =>
        deadLetters.list({ promptVersion: 'v7', failureClass: 'schema', specId: 'claim' }, from(8_000, 'a')),
    ],
    [
      'dead letters that a redrive has not run yet',
      ({ deadLetters }) =>
        deadLetters.list(
          { promptVersion: 'v7', failureClass: 'schema', parkedUpTo: 9_000, notOfBatch: 'redrive/7' },
          from(500, 'a'),
        ),
    ],
    ['redriven letters whose run has ended', ({ deadLetters }) => deadLetters.settle(9_000)],
    [
      'runs of three attempts',
      ({ extractions }) => extractions.list({ attemptsFrom: 3, attemptsTo: 3 }, some),
    ],
    ['the oldest open runs', ({ extractions }) => extractions.oldestOpen({}, 5)],
    ['those of a tenant', ({ extractions }) => extractions.oldestOpen({ tenant: 'tenant-1' }, 5)],
    ['open runs', ({ extractions }) => extractions.list({ state: 'open', startedBefore: 9_000 }, some)],
    [
      'runs on their way to a fallback',
      ({ extractions }) => extractions.unkept({ from: 11_000, before: 12_000 }, some),
    ],
    ['runs of a batch by how they ended', ({ extractions }) => extractions.tally('redrive/7')],
    ['dead letters in groups', ({ deadLetters }) => deadLetters.groups({})],
    [
      'dead letters in groups under one prompt',
      ({ deadLetters }) => deadLetters.groups({ promptVersion: 'v7' }),
    ],
    ['one dead letter by prefix', ({ deadLetters }) => deadLetters.find('0123456789')],
    ['the review queue', ({ reviews }) => reviews.list({}, some)],
    ['the review queue, a late page', ({ reviews }) => reviews.list({}, from('12', 5_000, 'a'))],
    ['one review by prefix', ({ reviews }) => reviews.find('0123456789')],
    ['the next free review', ({ reviews }) => reviews.claimNext({}, 'kim', 1_000, 5)],
    ['leases that ran out', ({ reviews }) => reviews.expireLeases(5)],
    ['the trail of a review', ({ reviews }) => reviews.steps('0123456789')],
    ['verdicts on samples', ({ reviews }) => reviews.sampleVerdicts({}, 5)],
    ['runs with their sums', ({ extractions }) => extractions.list({}, some)],
    [
      'runs of a tenant, a late page',
      ({ extractions }) => extractions.list({ tenant: 'tenant-2' }, from(300, 'a', 1)),
    ],
    ['runs of a spec', ({ extractions }) => extractions.list({ specId: 'claim' }, some)],
    ['how long attempts of a spec took', ({ attempts }) => attempts.recentP90Ms('claim', 11_000)],
    ['runs of a prompt', ({ extractions }) => extractions.list({ promptVersion: 'v7' }, some)],
    ['runs of a class', ({ extractions }) => extractions.list({ failureClass: 'schema' }, from(300, 'a', 1))],
    ['runs that landed somewhere', ({ extractions }) => extractions.list({ route: 'fallback' }, some)],
    ['runs by outcome', ({ extractions }) => extractions.list({ outcome: 'unverified' }, from(300, 'a', 1))],
    ['runs since an instant', ({ extractions }) => extractions.list({ startedFrom: 11_000 }, some)],
    ['what is new', ({ extractions }) => extractions.pulse(null)],
    ['what is new to a tenant', ({ extractions }) => extractions.pulse('tenant-1')],
    ['runs of a file', ({ extractions }) => extractions.list({ file: 'scan-00001199' }, some)],
    ['runs of a file that many are called', ({ extractions }) => extractions.list({ file: 'scan' }, some)],
    ['runs of a reason', ({ extractions }) => extractions.list({ reason: 'refusal' }, some)],
    ['one run by prefix', ({ extractions }) => extractions.find('0123456789')],
    ['verified records', ({ records }) => records.list({}, some)],
    [
      'verified records of a tenant, a late page',
      ({ records }) => records.list({ tenant: 'tenant-0' }, from(300, 'a', 'model')),
    ],
    [
      'what is kept of a document',
      ({ retention }) => retention.holdings('tenant-1', '3f9ac910449d670c18431ffb1e4e7979'),
    ],
    ['an erasure', ({ retention }) => retention.erase('tenant-1', '3f9ac910449d670c18431ffb1e4e7979', 1)],
    [
      'documents that are old enough',
      ({ retention }) =>
        retention.forgetDocuments({
          ...{ tenant: 'tenant-2', before: 20_000, at: 1 },
          after: { at: 9_000, name: '' },
        }),
    ],
    [
      'records that are old enough',
      ({ retention }) =>
        retention.forgetRecords({
          ...{ tenant: 'tenant-2', before: 20_000, at: 1 },
          after: { at: 9_000, name: 'a/model' },
        }),
    ],
    ['the current record', ({ records }) => records.current('0123456789')],
    ['webhook deliveries', ({ webhooks }) => webhooks.deliveries({}, some)],
    [
      'webhook deliveries of a tenant, a late page',
      ({ webhooks }) => webhooks.deliveries({ tenant: 'tenant-1' }, from(300, 'a')),
    ],
    ['failed webhook deliveries', ({ webhooks }) => webhooks.deliveries({ failed: true }, some)],
    ['one webhook delivery by prefix', ({ webhooks }) => webhooks.delivery('0123456789')],
    [
      'due webhook deliveries',
      ({ webhooks }) => webhooks.claim({ at: 9_000, leaseMs: 1, limit: 16, perUrl: 4, without: ['a'] }),
    ],
    ['when the next webhook is due', ({ webhooks }) => webhooks.nextDueAt([])],
    ['rows of a report', ({ reports }) => readAll(reports.runs({ since: 11_000 }))],
    [
      'rows of a report of a spec',
      ({ reports }) => readAll(reports.runs({ specId: 'claim', since: 11_000 })),
    ],
    [
      'rows of a report of a tenant',
      ({ reports }) => readAll(reports.runs({ tenant: 'tenant-1', since: 11_500 })),
    ],
    ['folds of hours', ({ folds }) => readAll(folds.read({ version: 1 }, 11_000))],
    [
      'folds of hours of a tenant',
      ({ folds }) => readAll(folds.read({ tenant: 'tenant-1', version: 1 }, 11_500)),
    ],
    [
      'hours without a fold',
      ({ folds }) => folds.missing({ version: 1 }, { since: 0, until: 720 * 3_600_000 }),
    ],
    [
      'hours of a spec without a fold',
      ({ folds }) =>
        folds.missing({ specId: 'claim', version: 1 }, { since: 11_000, until: 720 * 3_600_000 }),
    ],
    [
      'runs to fold',
      ({ folds }) =>
        folds.keep({ version: 1 }, [3_600_000], async (runs) => readAll(runs).then(() => new Map())),
    ],
    [
      'days to fold',
      ({ folds }) => folds.keepDays({ version: 1 }, { since: 0, until: 720 * 3_600_000 }, () => '{}'),
    ],
    ['folds that are old', ({ folds }) => folds.forget(3_600_001)],
    ['how far a report reaches', ({ reports }) => reports.extent({ specId: 'claim', since: 11_000 })],
    ['verdicts of a report', ({ reports }) => reports.verdicts({ specId: 'claim' })],
    ['one audit by prefix', ({ audits }) => audits.find('0123456789')],
    ['a verdict', ({ audits }) => audits.judge({ key: '0123456789', verdict: 'right', actor: 'kim', at: 1 })],
  ])('%s read through an index', async (_, use) => {
    const plan = await plansOf(use);
    const whole = plan
      .filter((node) => node['Node Type'] === 'Seq Scan')
      .map((node) => node['Relation Name'] ?? '');
    expect(whole.filter((name) => !small.includes(name))).toEqual([]);
    expect(plan.some((node) => node['Index Name'] !== undefined)).toBe(true);
  });

  it.each<[string, (store: Store) => Promise<unknown>, string[]]>([
    ['rows', ({ reports }) => readAll(reports.runs({})), ['attempts', 'calls', 'extractions']],
    [
      'rows of a spec',
      ({ reports }) => readAll(reports.runs({ specId: 'claim' })),
      ['attempts', 'calls', 'extractions'],
    ],
    ['the extent', ({ reports }) => reports.extent({}), ['extractions']],
  ])('%s of a report of all time are read in a single pass', async (_, use, relations) => {
    const reads = (await plansOf(use)).filter((node) => node['Relation Name'] !== undefined);
    // Whoever wants all runs may read the table from end to end, but once; what belongs to a run is found by its key.
    expect(reads.map((node) => node['Relation Name']).sort()).toEqual(relations);
    const whole = reads.filter((node) => node['Node Type'] === 'Seq Scan');
    expect(whole.filter((node) => node['Relation Name'] !== 'extractions')).toEqual([]);
  });

  it.each<[string, (store: Store) => Promise<unknown>]>([
    ['of all dead letters', ({ deadLetters }) => deadLetters.groups({})],
    [
      'of what a redrive selects',
      ({ deadLetters }) =>
        deadLetters.groups({ promptVersion: 'v7', failureClass: 'schema', specId: 'claim' }),
    ],
  ])('groups %s counted by an index alone', async (_, use) => {
    const reads = (await plansOf(use)).filter((node) => node['Index Name'] !== undefined);
    // The second read finds those of evaluations, which are few; the third is one probe for each group.
    expect(reads.map((node) => [node['Node Type'], node['Index Name']])).toEqual([
      ['Index Only Scan', 'dead_letters_by_group'],
      ['Index Scan', 'dead_letters_of_tenant'],
      ['Index Scan', 'dead_letters_by_group'],
    ]);
  });
});
