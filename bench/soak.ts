import { openHouse } from '../test/support/house.js';
import { claimText } from '../test/support/papers.js';
import { judgeRatio, note } from './findings.js';
import { crowd, median, percentile } from './support/crowd.js';
import { mixedClaims } from './support/mixed-claims.js';
import { startStandin } from './support/standin-process.js';

/**
 * A day in miniature: documents without a pause, and a look at memory and time in each tenth. SOAK_SECONDS=600 for ten
 * minutes. The first three tenths do not count: caches fill up and the compiler is not done.
 */
const seconds = Number(process.env['SOAK_SECONDS'] ?? 120);
const parts = 10;
const warmUp = 3;
const width = 6;
const limits = { memory: 1.25, median: 1.5, p99: 2 };

interface Look {
  readonly megabytes: number;
  readonly p50: number;
  readonly p99: number;
}

const standin = await startStandin();
const house = await openHouse({ modelUrl: standin.url });
const looks: Look[] = [];
const kinds = mixedClaims(3, 200, 1, { easy: 0.9, mendable: 0.1, hopeless: 0 });
let count = 0;
for (let part = 0; part < parts; part += 1) {
  const until = performance.now() + (seconds * 1_000) / parts;
  const took: number[] = [];
  const walk = async () => {
    while (performance.now() < until) {
      const text = kinds[count % kinds.length]?.text() ?? claimText({});
      count += 1;
      const document = { kind: 'bytes' as const, mediaType: 'text/plain', bytes: Buffer.from(text) };
      took.push(...(await crowd([text], 1, () => house.extract({ specId: 'claim', document }))));
    }
  };
  await Promise.all(Array.from({ length: width }, walk));
  globalThis.gc?.();
  const megabytes = process.memoryUsage().rss / 1_048_576;
  looks.push({ megabytes, p50: median(took), p99: percentile(took, 0.99) });
  const look = looks.at(-1);
  console.log(
    `     ${look?.megabytes.toFixed(0)} MB, p50 ${look?.p50.toFixed(0)} ms, p99 ${look?.p99.toFixed(0)} ms`,
  );
}
const steady = looks.slice(warmUp);
const half = Math.floor(steady.length / 2);
const growth = (of: (look: Look) => number) =>
  median(steady.slice(-half).map(of)) / median(steady.slice(0, half).map(of));
note('documents of the soak', `${count} in ${seconds} s`);
judgeRatio(
  'memory, last third / first third after the warm-up',
  growth(({ megabytes }) => megabytes),
  {
    atMost: limits.memory,
  },
);
for (const [name, of] of [
  ['median', ({ p50 }: Look) => p50],
  ['p99', ({ p99 }: Look) => p99],
] as const) {
  judgeRatio(`${name} time, last third / first third after the warm-up`, growth(of), {
    atMost: limits[name],
  });
}
await house.close();
await standin.stop();
process.exit();
