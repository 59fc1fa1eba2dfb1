import { serve as serveHono } from '@hono/node-server';
import autocannon from 'autocannon';
import { Hono } from 'hono';
import { createLogger } from '../src/http/log.js';
import { serve } from '../src/http/server.js';
import { openHouse } from '../test/support/house.js';
import { claimText } from '../test/support/papers.js';
import { find, note } from './findings.js';
import { startStandin } from './support/standin-process.js';

/**
 * The API while the loop runs: reading one extraction under a steady 50 requests a second, and starting one at the rate
 * that the embedded server carries, beside a route of bare Hono in the same process and the same run.
 */
const seconds = 20;
const getsPerSecond = 50;
const startsPerSecond = 5;

const standin = await startStandin();
const house = await openHouse({ modelUrl: standin.url });
const api = await serve(
  { app: house.app, tenant: 'bench', inFlight: 20, logger: createLogger('silent'), version: '0' },
  { host: '127.0.0.1', port: 0, key: null, perMinute: 0 },
);
const bare = new Hono().get('/', (c) => c.json({ status: 'ok' }));
const bareUrl = await new Promise<string>((resolve) => {
  serveHono({ fetch: bare.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) =>
    resolve(`http://127.0.0.1:${port}/`),
  );
});

const submission = () => JSON.stringify({ spec: 'claim', document: { text: claimText({}) } });
const json = { 'content-type': 'application/json' };
const post = { method: 'POST' as const, headers: { ...json, prefer: 'wait=30' }, body: submission() };
const first = (await (await fetch(`${api.url}/v1/extractions`, post)).json()) as { id: string };
const steady = { duration: seconds, connections: 10 };
const starting = {
  ...{ url: `${api.url}/v1/extractions`, method: 'POST' as const, headers: json },
  setupClient: (client: autocannon.Client) => {
    client.setBody(submission());
    client.on('response', () => client.setBody(submission()));
  },
};

// All three at once: the starts are what the loop works on meanwhile.
const [starts, gets, bares] = await Promise.all([
  autocannon({ ...steady, ...starting, overallRate: startsPerSecond }),
  autocannon({ ...steady, url: `${api.url}/v1/extractions/${first.id}`, overallRate: getsPerSecond }),
  autocannon({ ...steady, url: bareUrl, overallRate: getsPerSecond }),
]);
const figures = { 'bare Hono route': bares, get: gets, start: starts };
for (const [name, { latency, requests }] of Object.entries(figures)) {
  console.log(`     ${name}: p50 ${latency.p50} ms, p99 ${latency.p99} ms, ${requests.average} requests/s`);
}
const beside = (one: autocannon.Result) =>
  `${(one.latency.p99 / Math.max(1, bares.latency.p99)).toFixed(1)}x of a bare Hono route`;
note(`p99 of get, ${getsPerSecond} a second, the loop running`, beside(gets));
note(`p99 of start, ${startsPerSecond} a second, the loop running`, beside(starts));
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

const deadline = Date.now() + 120_000;
const open = async () =>
  (await house.app.store.extractions.list({ state: 'open' }, { limit: 200 })).items.length;
while ((await open()) > 0 && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 250));
const left = await open();
find({ what: 'starts without an outcome', measured: `${left}`, goal: 'none', holds: left === 0 });

await api.close(1_000);
await house.close();
await standin.stop();
process.exit();
