import pg from 'pg';
import { pino } from 'pino';
import specs from '../specs/index.js';
import { createPostgresStore } from '../src/adapters/postgres/store.js';
import type { Application } from '../src/application/application.js';
import { createConsole } from '../src/console/app.js';
import { createCatalogue } from '../src/spec/catalogue.js';
import { createTestDatabase } from '../test/support/postgres.js';
import { judge } from './medians.js';

/**
 * What somebody waits for who looks at a house that has run for long: a hundred times as many extractions, a thousand a
 * day in either case, may cost at most this many times as much. Only ratios within one run decide.
 */
const limit = 2;
const sizes = { few: 1_000, many: 100_000 };
const rounds = 60;

const fill = `
  insert into extractions (key, run, tenant, subject, document_hash, spec_id, schema_version, prompt_version, state,
    outcome, reason, failure_class, route, policy, tags, started_at, deadline_at, closed_at, attempts)
  select encode(sha256(n::text::bytea), 'hex'), 1, 'tenant-' || n % 3, md5('s' || n), md5('d' || n), 'claim', '1',
    'v' || n % 10, 'closed', case n % 8 when 0 then 'unverified' else 'verified' end,
    case n % 8 when 0 then (array['attempt_cap', 'refusal', 'no_progress'])[1 + n % 3] end,
    case n % 8 when 0 then 'constraint' end, case n % 8 when 0 then 'best_effort' end,
    jsonb_build_object('attemptCap', 3, 'as long as a policy is', repeat('.', 700)), '{}',
    $2::int8 - n::int8 * 86400, $2::int8 - n::int8 * 86400 + 60000, $2::int8 - n::int8 * 86400 + 2000 + n % 900,
    case n % 8 when 0 then 3 when 1 then 2 else 1 end
  from generate_series(1, $1::int) n`;

/** One attempt of one call for each, as of clean documents. */
const report = JSON.stringify({
  ...{ attempt: 1, lane: 'first', model: 'm', maxTokens: 800, promptVersion: 'v1', requestId: null },
  ...{
    result: { kind: 'accepted', candidateHash: 'c' },
    normalisations: [],
    tokens: 900,
    durationMs: 1_500,
    calls: 1,
  },
  usage: { inputTokens: 600, outputTokens: 300, cacheReadTokens: 0, cacheWriteTokens: 0, thinkingTokens: 0 },
  cost: { amount: '0.01', currency: 'USD' },
});
const attempts = `
  insert into attempts (key, run, attempt, tenant, report, problems, evidence, ungrounded, verifier_version, at)
  select key, run, 1, tenant, $1::jsonb, '[]', '[]', '{}', '1', started_at + 1500 from extractions`;
const calls = `
  insert into calls (key, run, attempt, tenant, lane, model, activity_id, state, tokens, cost, currency, known, started_at,
    ended_at)
  select key, run, 1, tenant, 'first', 'm', '1', 'answered', 900, 0, 'USD', true, started_at, started_at + 1500
  from extractions`;

interface Side {
  ask(path: string): Promise<void>;
  close(): Promise<void>;
}

async function open(count: number): Promise<Side> {
  const database = await createTestDatabase();
  const client = new pg.Client({ connectionString: database.databaseUrl });
  await client.connect();
  await client.query(fill, [count, Date.now()]);
  await client.query(attempts, [report]);
  await client.query(calls);
  await client.query('vacuum analyze');
  await client.end();
  const store = createPostgresStore({ databaseUrl: database.databaseUrl });
  // Each look is a moment later, so that nothing is answered from what was counted just before.
  let later = 0;
  const app = {
    ...{ store, catalogue: createCatalogue(specs), reviewSlaMs: 1, engine: { link: () => null } },
    now: () => Date.now() + later,
  } as unknown as Application;
  const site = createConsole({
    ...{ app, pages: { layout: async () => null }, apiKey: null, keyless: true, inFlight: 1, version: '0' },
    logger: pino({ level: 'silent' }),
  });
  return {
    ask: async (path) => {
      later += 60_000;
      const answer = await site.request(path, { headers: { host: '127.0.0.1', accept: 'text/html' } });
      if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`);
      await answer.text();
    },
    close: async () => {
      await store.close();
      await database.drop();
    },
  };
}

const month = 'the overview of a month, which holds thirty times as many';
const paths = {
  'the overview of a day': '/',
  'the overview of a week': '/?time=7d',
  [month]: '/?time=30d',
  'the newest extractions': '/extractions',
  'those of a reason': '/extractions?reason=refusal',
  'those of a prompt': '/extractions?prompt=v3',
  'those that landed as best effort': '/extractions?route=best_effort',
  'those of three attempts': '/extractions?attempts=3',
  'those that needed repairs': '/extractions?attempts=2%2B&outcome=verified',
  'those of a tenant since a week': '/extractions?tenant=tenant-1&time=7d',
};

/** The fastest of many rounds: whatever else the machine does only adds to the others. Both sides take turns. */
async function fastest(sides: readonly Side[], path: string): Promise<number[]> {
  const best = sides.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, side] of sides.entries()) {
      const before = performance.now();
      await side.ask(path);
      best[index] = Math.min(best[index] ?? 0, performance.now() - before);
    }
  }
  return best;
}

const sides = [await open(sizes.few), await open(sizes.many)];
console.log(
  `Console pages over ${sizes.few} and ${sizes.many} extractions, the fastest of ${rounds} rounds:`,
);
// Once for each hour that is over, its runs are read and measured; afterwards what was kept of them is read instead.
for (const side of sides) {
  const before = performance.now();
  await side.ask(paths[month]);
  console.log(`the first look at a month: ${(performance.now() - before).toFixed(0)} ms`);
}
for (const [name, path] of Object.entries(paths)) {
  const [small = Number.NaN, large = Number.NaN] = await fastest(sides, path);
  judge(`${name}: ${small.toFixed(1)} and ${large.toFixed(1)} ms`, large / small, limit);
}
for (const side of sides) await side.close();
