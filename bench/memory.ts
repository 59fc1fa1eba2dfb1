import { setTimeout as pause } from 'node:timers/promises';
import { submitExtraction } from '../src/application/submit-extraction.js';
import { openHouse } from '../test/support/house.js';
import { claimText } from '../test/support/papers.js';
import { find, note } from './findings.js';
import { crowd } from './support/crowd.js';
import { startStandin } from './support/standin-process.js';

/** Documents that wait: how much of a worker's memory is each? Their calls do not end while this looks. */
const steps = [0, 100, 200, 300];
/** A cache of 300 workflows must fit beside everything else into a container of half a gigabyte. */
const mostKilobytes = 500;

const standin = await startStandin({ latencyMs: 600_000 });
const house = await openHouse({ modelUrl: standin.url });
const heap = async () => {
  await pause(1_500);
  globalThis.gc?.();
  return process.memoryUsage().rss / 1_024;
};
const open = async () => {
  const document = { kind: 'bytes' as const, mediaType: 'text/plain', bytes: Buffer.from(claimText({})) };
  const budgets = { deadlineMs: 60_000 };
  const asked = { tenant: 'bench', specId: 'claim', document, fileName: null, tags: [], redrive: false };
  await submitExtraction(house.app, { ...asked, budgets });
};
// The first ones warm everything up.
await crowd(Array.from({ length: 50 }), 10, open);
const sizes: number[] = [];
let opened = 0;
for (const step of steps) {
  await crowd(Array.from({ length: step - opened }), 10, open);
  opened = step;
  sizes.push(await heap());
  console.log(`     ${step} open: ${((sizes.at(-1) ?? 0) / 1_024).toFixed(0)} MB`);
}
const each = ((sizes.at(-1) ?? Number.NaN) - (sizes[0] ?? Number.NaN)) / (steps.at(-1) ?? 1);
find({
  what: 'memory of a worker for each open extraction',
  measured: `${each.toFixed(0)} KB`,
  goal: `at most ${mostKilobytes} KB`,
  holds: each <= mostKilobytes,
});
note('open extractions at the end', String(opened + 50));
await standin.stop();
process.exit();
