import { setTimeout as pause } from 'node:timers/promises';
import claim from '../specs/claim/claim.js';
import { openHouse } from '../test/support/house.js';
import { find, note } from './findings.js';
import { percentile } from './support/crowd.js';
import { type AskOnce, createAskOnce, type LoopEnd, loop, semaphore } from './support/loop.js';
import { type MixedClaim, mixedClaims } from './support/mixed-claims.js';
import { startStandin } from './support/standin-process.js';

/**
 * A burst in which many documents need more than one attempt: what becomes of the easy ones? Lanes (the product), beside
 * one queue with the same cap and an uncapped loop, both plain scripts. Same documents, arrivals, slots and stand-in.
 */
const seed = 7;
const documents = 70;
const perSecond = 1.8;
const shares = { easy: 0.3, mendable: 0.3, hopeless: 0.4 };
/** A call takes some 2.4 s: seven slots make three calls a second, which a small machine carries beside everything else. */
const behaviour = { latencyMs: 2_300, msPerToken: 0.5 };
const lane = { first: 5, repair: 2 };
const slots = lane.first + lane.repair;
const cap = 3;
/** Without any limit the hopeless ones would never end. */
const uncapped = 10;

interface Result extends LoopEnd {
  readonly kind: MixedClaim['kind'];
  readonly tookMs: number;
}

/** Starts each document when it arrives; none waits for the one before it. */
async function burst(run: (text: string) => Promise<LoopEnd>): Promise<readonly Result[]> {
  const beganAt = performance.now();
  return await Promise.all(
    mixedClaims(seed, documents, perSecond, shares).map(async ({ kind, arrivesMs, text }) => {
      await pause(arrivesMs);
      const startedAt = performance.now();
      const end = await run(text());
      return { ...end, kind, tookMs: performance.now() - startedAt };
    }),
  ).finally(() => console.log(`     ${((performance.now() - beganAt) / 1_000).toFixed(0)} s`));
}

const standin = await startStandin(behaviour);
const house = await openHouse({ modelUrl: standin.url, slots: lane });
const ask = createAskOnce(standin.url, claim);
const queued = (limit: number) => {
  const slot = semaphore(slots);
  const inSlot: AskOnce = (text, feedback) => slot(() => ask(text, feedback));
  return (text: string) => loop(inSlot, text, limit);
};
const lanes = async (text: string): Promise<LoopEnd> => {
  const document = { kind: 'bytes' as const, mediaType: 'text/plain', bytes: Buffer.from(text) };
  const { extraction, outcome } = await house.extract({ specId: 'claim', document });
  return { verified: outcome?.kind === 'verified', calls: extraction.calls, tokens: extraction.tokens };
};

const results = {
  lanes: await burst(lanes),
  'one queue, same cap': await burst(queued(cap)),
  'uncapped loop': await burst(queued(uncapped)),
};

const easy = (ends: readonly Result[]) =>
  ends.filter(({ kind }) => kind === 'easy').map(({ tookMs }) => tookMs);
const sum = (ends: readonly Result[], count: (end: Result) => number) =>
  ends.reduce((total, end) => total + count(end), 0);
const verified = (ends: readonly Result[]) => sum(ends, (end) => Number(end.verified));
const perRecord = (ends: readonly Result[]) => sum(ends, ({ tokens }) => tokens) / verified(ends);
console.log(`     seed ${seed}, ${documents} documents, ${perSecond} a second, ${slots} slots`);
for (const [name, ends] of Object.entries(results)) {
  const recovered = ends.filter((end) => end.verified && end.calls > 1).length;
  const [p50, p99] = [0.5, 0.99].map((p) => (percentile(easy(ends), p) / 1_000).toFixed(1));
  const words = [
    `easy documents p50 ${p50} s, p99 ${p99} s`,
    `${verified(ends)} verified, ${recovered} of them recovered`,
    `${sum(ends, ({ calls }) => calls)} calls, ${sum(ends, ({ tokens }) => tokens)} tokens`,
    `${perRecord(ends).toFixed(0)} tokens a verified record`,
  ];
  note(`burst, ${name}`, words.join('; '));
}
note(
  'why lanes verify fewer',
  'in a burst they give up second attempts first, so that new documents do not wait behind them',
);
for (const other of ['one queue, same cap', 'uncapped loop'] as const) {
  const p99 = percentile(easy(results[other]), 0.99) / percentile(easy(results.lanes), 0.99);
  const tokens = perRecord(results[other]) / perRecord(results.lanes);
  find({
    what: `easy documents' p99, ${other} / lanes`,
    measured: `${p99.toFixed(2)}x`,
    goal: 'above 1x',
    holds: p99 > 1,
  });
  find({
    what: `tokens a verified record, ${other} / lanes`,
    measured: `${tokens.toFixed(2)}x`,
    goal: 'above 1x',
    holds: tokens > 1,
  });
}

await house.close();
await standin.stop();
process.exit();
