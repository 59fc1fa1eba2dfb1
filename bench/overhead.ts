import { Client, Connection } from '@temporalio/client';
import claim from '../specs/claim/claim.js';
import { dataConverter } from '../src/adapters/temporal/data-converter.js';
import { workflowIds } from '../src/domain/workflow-id.js';
import { openHouse } from '../test/support/house.js';
import { claimText } from '../test/support/papers.js';
import { judgeRatio, note } from './findings.js';
import { createAsk } from './raw/activities.js';
import { rawQueues } from './raw/queues.js';
import { startRawWorkers } from './raw/workers.js';
import { crowd, median, spread } from './support/crowd.js';
import { startStandin } from './support/standin-process.js';

/**
 * What durability, verification and a store cost: clean documents through the product, beside a workflow of one activity
 * that makes the same call and keeps nothing. Same server, same stand-in, same worker settings, in turns.
 */
const rounds = 5;
const crowdSize = 120;
const width = 10;
const alone = 20;
const limits = { throughput: 0.7, latency: 1.5 };
/** Rounds that lie further apart say that the machine was busy. */
const calmSpread = 0.2;

const standin = await startStandin();
const house = await openHouse({ modelUrl: standin.url });
const connection = await Connection.connect({ address: house.temporal.address });
const client = new Client({ connection, dataConverter });
const ask = createAsk(standin.url, claim);
const slots = { activities: 14, cachedWorkflows: 100 };
const workers = await startRawWorkers(house.temporal.address, { ask }, slots);

let number = 0;
const ids = { product: '', raw: '' };
const contenders = {
  product: async () => {
    const bytes = Buffer.from(claimText({}));
    const document = { kind: 'bytes' as const, mediaType: 'text/plain', bytes };
    const { extraction, outcome } = await house.extract({ specId: 'claim', document });
    if (outcome?.kind !== 'verified' || outcome.attempts !== 1) throw new Error('The document is not clean.');
    ids.product = workflowIds.extraction(extraction.key);
  },
  raw: async () => {
    number += 1;
    ids.raw = `raw/${number}`;
    const options = { workflowId: ids.raw, taskQueue: rawQueues.workflows };
    await client.workflow.execute('raw', { ...options, args: [claimText({})] });
  },
  call: () => ask(claimText({})),
};
type Name = keyof typeof contenders;
const times = (count: number) => Array.from({ length: count });
for (const run of Object.values(contenders)) await crowd(times(40), width, run);

const rate: Record<'product' | 'raw', number[]> = { product: [], raw: [] };
const latency: Record<Name, number[]> = { product: [], raw: [], call: [] };
for (let round = 0; round < rounds; round += 1) {
  for (const name of Object.keys(latency) as Name[]) {
    latency[name].push(median(await crowd(times(alone), 1, contenders[name])));
  }
  for (const name of Object.keys(rate) as (keyof typeof rate)[]) {
    const before = performance.now();
    await crowd(times(crowdSize), width, contenders[name]);
    rate[name].push((crowdSize * 1_000) / (performance.now() - before));
  }
}

const ms = Object.entries(latency).map(([name, taken]) => `${name} ${median(taken).toFixed(0)} ms`);
const perSecond = Object.entries(rate).map(([name, each]) => `${name} ${median(each).toFixed(1)}/s`);
console.log(`     median of ${rounds} rounds: ${[...ms, ...perSecond].join(', ')}`);
judgeRatio(`clean documents per second, ${width} at once, product / raw workflow`, ratioOf(rate), {
  atLeast: limits.throughput,
});
judgeRatio('time of one document alone, product / raw workflow', ratioOf(latency), {
  atMost: limits.latency,
});
const added = (name: 'product' | 'raw') => median(latency[name]) - median(latency.call);
judgeRatio('time added to the bare call, product / raw workflow', added('product') / added('raw'), {
  atMost: limits.latency,
});
for (const name of ['product', 'raw'] as const) {
  const { events } = await client.workflow.getHandle(ids[name]).fetchHistory();
  note(`history events of a clean document, ${name}`, String(events?.length));
}
const widest = Math.max(...[...Object.values(rate), ...Object.values(latency)].map(spread));
const calm = widest <= calmSpread ? '' : ': the machine was busy, so that these ratios are not exact';
note('rounds lie apart by at most', `${(widest * 100).toFixed(0)} %${calm}`);

await workers.stop();
await connection.close();
await house.close();
await standin.stop();
process.exit();

function ratioOf({ product, raw }: Record<'product' | 'raw', readonly number[]>): number {
  return median(product) / median(raw);
}
