import { setTimeout as pause } from 'node:timers/promises';
import { createTestDatabase } from '../test/support/postgres.js';
import { startTestTemporal } from '../test/support/temporal.js';
import { find, note } from './findings.js';
import { startApi } from './support/api-process.js';
import { attacks, openStreams, slowLoris, type Target } from './support/attacks.js';
import { median } from './support/crowd.js';

/**
 * Strangers send the API whatever they like, in equal rounds. After each, what it holds is looked at once everything has
 * been collected. The first third of the rounds warms it up; the last third must hold no more than the one before.
 */
const rounds = { least: 9, most: 15, withinMs: 70_000 };
/** More than the noise of what is cached for a while, less than what a leak of 1 MiB a round comes to. */
const most = { ratio: 1.05, mebibytes: 4 };
/** A key may have 20 streams open at once. */
const streams = 20;

const [database, temporal] = await Promise.all([createTestDatabase(), startTestTemporal()]);
const api = await startApi({
  ...{ DATABASE_URL: database.databaseUrl, TEMPORAL_ADDRESS: temporal.address },
  ...{ ENDSTOP_REQUESTS_PER_MINUTE: '0', ENDSTOP_LOG_LEVEL: 'error' },
});
const statuses = new Map<number, number>();
// No worker runs here, so it stays open.
const first = await fetch(`${api.url}/v1/extractions`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ spec: 'claim', document: { text: 'A claim that nobody works on.' } }),
});
const target: Target = {
  url: api.url,
  extractionId: ((await first.json()) as { id: string }).id,
  answered: (status) => statuses.set(status, (statuses.get(status) ?? 0) + 1),
};

const loris = slowLoris(target, 50);
const looks: { readonly heap: number; readonly buffers: number; readonly resident: number }[] = [];
const mebibytes = (bytes: number) => bytes / 1_048_576;
const beganAt = performance.now();
const isTime = () => performance.now() - beganAt < rounds.withinMs;
for (let round = 1; round <= rounds.most && (round <= rounds.least || isTime()); round += 1) {
  for (const attack of Object.values(attacks)) await attack(target, round);
  await pause(300);
  const { heapUsed, external, rss } = await api.memory();
  const look = { heap: mebibytes(heapUsed), buffers: mebibytes(external), resident: mebibytes(rss) };
  looks.push(look);
  const { heap, buffers, resident } = look;
  console.log(
    `     round ${round}: heap ${heap.toFixed(1)} MiB, buffers ${buffers.toFixed(1)} MiB, resident ${resident.toFixed(0)} MiB`,
  );
}
loris.stop();

const third = Math.floor(looks.length / 3);
const judge = (what: string, of: (look: (typeof looks)[number]) => number, allowed: typeof most) => {
  const middle = median(looks.slice(third, -third).map(of));
  const last = median(looks.slice(-third).map(of));
  find({
    what: `${what} after abuse: last third of ${looks.length} rounds / middle third`,
    measured: `${last.toFixed(1)} / ${middle.toFixed(1)} MiB`,
    goal: `at most ${allowed.ratio}x or ${allowed.mebibytes} MiB more`,
    holds: last <= Math.max(middle * allowed.ratio, middle + allowed.mebibytes),
  });
};
judge('heap', ({ heap }) => heap, most);
judge('buffers outside of the heap', ({ buffers }) => buffers, most);
judge('resident memory', ({ resident }) => resident, { ratio: 1.1, mebibytes: 20 });

const counted = [...statuses].sort(([one], [other]) => one - other);
note('answers to it', counted.map(([status, count]) => `${status}: ${count}`).join(', '));
const faults = counted.filter(([status]) => status >= 500 && status !== 503);
find({
  what: 'answers that say the server is at fault',
  measured: String(faults.reduce((sum, [, count]) => sum + count, 0)),
  goal: 'none',
  holds: faults.length === 0,
});
find({
  what: 'connections cut off that sent a byte at a time',
  measured: String(loris.cutOff()),
  goal: 'at least 50',
  holds: loris.cutOff() >= 50,
});
// Streams end a moment after their listeners.
await pause(2_000);
const opened = await openStreams(target, streams);
find({
  what: 'streams that can be opened afterwards',
  measured: `${opened} of ${streams}`,
  goal: 'all',
  holds: opened === streams,
});
const ready = await fetch(`${api.url}/readyz`);
find({
  what: '/readyz afterwards',
  measured: String(ready.status),
  goal: '200',
  holds: ready.status === 200,
});

await api.stop();
await temporal.stop();
await database.drop();
process.exit();
