import pg from 'pg';
import { pino } from 'pino';
import specs from '../specs/index.js';
import { createPostgresStore } from '../src/adapters/postgres/store.js';
import type { Application } from '../src/application/application.js';
import { createApp } from '../src/http/app.js';
import type { Store } from '../src/ports/store.js';
import { createCatalogue } from '../src/spec/catalogue.js';
import { createTestDatabase } from '../test/support/postgres.js';
import { judge } from './medians.js';

/**
 * What an operator waits for when dead letters pile up: ten times as many may cost at most this many times as much.
 * Only ratios within one run decide; absolute times depend on the machine.
 */
const limit = 3;
const sizes = { few: 1_000, many: 10_000 };
const rounds = 120;

/** Parked letters of one spec under ten prompts and six causes, each with the run it came from, written by SQL for speed. */
const fill = `
  insert into extractions (key, run, tenant, subject, document_hash, spec_id, schema_version, prompt_version, state,
    outcome, reason, failure_class, route, policy, tags, provider, started_at, deadline_at, closed_at, attempts)
  select md5(n::text), 1, 'tenant-' || n % 3, md5('s' || n), md5('d' || n), 'claim', '1', 'v' || n % 10, 'closed',
    'unverified', (array['attempt_cap', 'refusal', 'no_progress'])[1 + n % 3], (array['schema', 'constraint'])[1 + n % 2],
    'dead_letter', jsonb_build_object('as long as a policy is', repeat('.', 700)), '{}', 'stand-in', n, n, n, 1
  from generate_series(1, $1::int) n`;
const park = `
  insert into dead_letters (key, run, tenant, subject, document_hash, spec_id, schema_version, prompt_version, reason,
    failure_class, policy, tags, at, state)
  select key, run, tenant, subject, document_hash, spec_id, schema_version, prompt_version, reason, failure_class,
    policy, tags, closed_at, 'parked'
  from extractions`;

interface Side {
  readonly store: Store;
  /** Asks the API, as an operator does. */
  ask(path: string, body?: object): Promise<void>;
  /** Where the second half of the list begins. */
  readonly middle: string;
  close(): Promise<void>;
}

const selection = { promptVersion: 'v7', failureClass: 'schema' as const };
const filter = { ...selection, spec: 'claim' };
const failedUnderV7 = new URLSearchParams(filter).toString();
const redrive = { ...selection, specId: 'claim', parkedUpTo: 1_000_000, notOfBatch: 'redrive/monday' };

async function open(count: number): Promise<Side> {
  const database = await createTestDatabase();
  const client = new pg.Client({ connectionString: database.databaseUrl });
  await client.connect();
  await client.query(fill, [count]);
  await client.query(park);
  await client.query('vacuum analyze');
  await client.end();
  const store = createPostgresStore({ databaseUrl: database.databaseUrl });
  const app = { store, catalogue: createCatalogue(specs), now: Date.now } as unknown as Application;
  const api = createApp({
    ...{ app, apiKey: null, tenant: 'default', inFlight: 1, perMinute: 0, version: '0' },
    logger: pino({ level: 'silent' }),
  });
  return {
    store,
    ask: async (path, body) => {
      const asked = body && { method: 'POST', body: JSON.stringify(body) };
      const headers = { host: '127.0.0.1', 'content-type': 'application/json' };
      const answer = await api.request(path, { ...asked, headers });
      if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
      await answer.text();
    },
    middle: Buffer.from(JSON.stringify([count / 2, ''])).toString('base64url'),
    close: async () => {
      await store.close();
      await database.drop();
    },
  };
}

type Ask = (side: Side) => Promise<unknown>;

/** Counting reads an entry of a narrow index for each letter, so that it grows with them. */
const questions: Record<string, Ask> = {
  'the first page': ({ ask }) => ask('/v1/dead-letters'),
  'a page in the middle': ({ ask, middle }) => ask(`/v1/dead-letters?cursor=${middle}`),
  'a page of what failed under v7 as schema': ({ ask }) => ask(`/v1/dead-letters?${failedUnderV7}`),
  'the next letters of a redrive': ({ store, middle }) =>
    store.deadLetters.list(redrive, { limit: 20, cursor: middle }),
  'all of them in groups': ({ ask }) => ask('/v1/dead-letters/groups'),
  'what a redrive would run': ({ ask }) => ask('/v1/dead-letters/redrive', { filter, dryRun: true }),
};

/** The fastest of many rounds: whatever else the machine does only adds to the others. Both sides take turns. */
async function fastest(sides: readonly Side[], ask: Ask): Promise<number[]> {
  const best = sides.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, side] of sides.entries()) {
      const before = performance.now();
      await ask(side);
      best[index] = Math.min(best[index] ?? 0, performance.now() - before);
    }
  }
  return best;
}

const sides = [await open(sizes.few), await open(sizes.many)];
console.log(`Dead letters, ${sizes.few} and ${sizes.many}, the fastest of ${rounds} rounds:`);
for (const [name, ask] of Object.entries(questions)) {
  const [small = Number.NaN, large = Number.NaN] = await fastest(sides, ask);
  judge(`${name}: ${small.toFixed(2)} and ${large.toFixed(2)} ms`, large / small, limit);
}
for (const side of sides) await side.close();
