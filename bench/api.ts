import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { startEndstop } from '../test/processes/endstop-process.js';
import { guardChild } from '../test/support/outliving-guard.js';
import { claimText } from '../test/support/papers.js';
import { createTestDatabase } from '../test/support/postgres.js';
import { startTestTemporal } from '../test/support/temporal.js';
import { find, note } from './findings.js';
import { startApi } from './support/api-process.js';
import { crowd } from './support/crowd.js';
import { startStandin } from './support/standin-process.js';

/**
 * The API while the loop runs, every part a process of its own: reading one extraction under a steady 50 requests a second,
 * and starting as many as the embedded server was just found to carry, beside a route of bare Hono; then documents that
 * arrive faster than it takes them.
 */
const getsPerSecond = 50;
/** A worker's first documents take longer than those after them. */
const warmUpSeconds = 6;
const carriedSeconds = 15;
const steadySeconds = 20;
const overloadMs = 4_000;
/** More starts than one API process lets in at once. */
const crowding = 150;

const [database, temporal, standin] = await Promise.all([
  createTestDatabase(),
  startTestTemporal(),
  startStandin(),
]);
const env = {
  ...{ DATABASE_URL: database.databaseUrl, TEMPORAL_ADDRESS: temporal.address },
  ...{ ENDSTOP_STANDIN_URL: standin.url, ENDSTOP_REQUESTS_PER_MINUTE: '0', ENDSTOP_LOG_LEVEL: 'error' },
};
const [api, worker] = await Promise.all([startApi(env), startEndstop(['worker'], env, 'worker ready')]);
const script = fileURLToPath(new URL('support/bare-route.ts', import.meta.url));
const bare = spawn(process.execPath, ['--import', 'tsx', script], { stdio: ['ignore', 'pipe', 'inherit'] });
guardChild(bare);
const [bareUrl] = (await once(createInterface(bare.stdout), 'line')) as [string];

const starting = `${api.url}/v1/extractions`;
const json = { 'content-type': 'application/json' };
const submission = () => JSON.stringify({ spec: 'claim', document: { text: claimText({}) } });
const start = (wait: number) =>
  fetch(starting, { method: 'POST', headers: { ...json, prefer: `wait=${wait}` }, body: submission() });
const first = (await (await start(30)).json()) as { id: string };
const reading = (seconds: number, url: string) =>
  autocannon({ duration: seconds, connections: 10, overallRate: getsPerSecond, url });
const readBoth = (seconds: number) =>
  Promise.all([reading(seconds, `${starting}/${first.id}`), reading(seconds, bareUrl)]);

// As many as end, when each that ends makes room for the next, while others read.
let ended = 0;
const countedFrom = performance.now() + warmUpSeconds * 1_000;
const until = countedFrom + carriedSeconds * 1_000;
const walk = async () => {
  while (performance.now() < until) {
    const { status } = await start(30);
    const now = performance.now();
    if (status === 200 && now >= countedFrom && now < until) ended += 1;
  }
};
await Promise.all([readBoth(warmUpSeconds + carriedSeconds), ...Array.from({ length: 12 }, walk)]);
const perSecond = Math.max(1, Math.floor(ended / carriedSeconds));
note('documents a second that the embedded server carries', `${perSecond} (${ended} in ${carriedSeconds} s)`);

// At that rate, whatever becomes of them: the starts are what the loop works on meanwhile.
const body = (client: autocannon.Client) => {
  client.setBody(submission());
  client.on('response', () => client.setBody(submission()));
};
const [starts, [gets, bares]] = await Promise.all([
  autocannon({
    ...{ url: starting, method: 'POST', headers: json, setupClient: body },
    ...{ duration: steadySeconds, connections: 10, overallRate: perSecond },
  }),
  readBoth(steadySeconds),
]);
for (const [name, { latency, requests }] of Object.entries({
  'bare Hono route': bares,
  get: gets,
  start: starts,
})) {
  console.log(`     ${name}: p50 ${latency.p50} ms, p99 ${latency.p99} ms, ${requests.average} requests/s`);
}
const beside = ({ latency }: autocannon.Result) =>
  `${(latency.p99 / Math.max(1, bares.latency.p99)).toFixed(1)}x of a bare Hono route`;
/** A machine that is busy with other work may not make as many requests as it should. */
const made = ({ requests }: autocannon.Result, asked: number) =>
  `${requests.average.toFixed(0)} of ${asked} a second`;
note(`p99 of get, the loop running, ${made(gets, getsPerSecond)}`, beside(gets));
note(`p99 of start, the loop running, ${made(starts, perSecond)}`, beside(starts));
const failed = [starts, gets].reduce(
  (sum, { errors, timeouts, non2xx }) => sum + errors + timeouts + non2xx,
  0,
);
find({
  what: 'answers other than 2xx',
  measured: `${failed} of ${starts.requests.total + gets.requests.total}`,
  goal: 'none',
  holds: failed === 0,
});

// More at once than it takes: some are told to come back, and whoever was not is served.
const accepted: string[] = [];
const refused: { readonly status: number; readonly after: string | null }[] = [];
const floodedAt = performance.now();
const flood = async () => {
  while (performance.now() < floodedAt + overloadMs) {
    const answer = await start(0);
    const { id } = (await answer.json()) as { id?: string };
    if (answer.ok && id !== undefined) accepted.push(id);
    else refused.push({ status: answer.status, after: answer.headers.get('retry-after') });
  }
};
await Promise.all(Array.from({ length: crowding }, flood));
const told = refused.filter(({ status, after }) => status === 503 && Number(after) > 0);
find({
  what: `${crowding} clients at once: told to come back, of those not taken (${accepted.length} were)`,
  measured: `${told.length} of ${refused.length}`,
  goal: 'all, with 503 and Retry-After, and some',
  holds: told.length === refused.length && told.length > 0,
});

const running = async () => {
  const page = (await (await fetch(`${starting}?state=running&limit=200`)).json()) as { items: unknown[] };
  return page.items.length;
};
const deadline = Date.now() + 150_000;
while ((await running()) > 0 && Date.now() < deadline) await pause(500);
const outcomes = new Map<string, number>();
await crowd(accepted, 10, async (id) => {
  const { outcomeKind, reason } = (await (await fetch(`${starting}/${id}`)).json()) as {
    outcomeKind: string | null;
    reason: string | null;
  };
  const outcome = outcomeKind === null ? 'none' : (reason ?? outcomeKind);
  outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
});
note('outcomes of what was taken', [...outcomes].map(([outcome, count]) => `${count} ${outcome}`).join(', '));
const open = (outcomes.get('none') ?? 0) + (await running());
find({ what: 'taken without an outcome', measured: `${open}`, goal: 'none', holds: open === 0 });

await Promise.all([api.stop(), worker.end('SIGTERM')]);
bare.kill();
await temporal.stop();
await standin.stop();
await database.drop();
process.exit();
