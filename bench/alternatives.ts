import Anthropic from '@anthropic-ai/sdk';
import { DBOS } from '@dbos-inc/dbos-sdk';
import claim from '../specs/claim/claim.js';
import { openHouse } from '../test/support/house.js';
import { createTestDatabase } from '../test/support/postgres.js';
import { note } from './findings.js';
import { crowd, median } from './support/crowd.js';
import { createAskOnce, type LoopEnd, loop, tokensOf, verdictOf } from './support/loop.js';
import { mixedClaims } from './support/mixed-claims.js';
import { bodyOf, textOf } from './support/request-body.js';
import { startStandin } from './support/standin-process.js';

/**
 * The same job the way others would write it: a validation loop after the manner of Instructor, which answers each
 * failure with the whole conversation so far, and a DBOS workflow with a durable step for each call. Same documents, same
 * stand-in, same verdicts, same cap; neither lands, routes, budgets or keeps anything but its result.
 */
const seed = 11;
const documents = 40;
const shares = { easy: 0.6, mendable: 0.25, hopeless: 0.15 };
const width = 8;
const cap = 3;

const standin = await startStandin();
const house = await openHouse({ modelUrl: standin.url });
const database = await createTestDatabase();
const ask = createAskOnce(standin.url, claim);
const client = new Anthropic({ apiKey: 'bench', baseURL: standin.url, maxRetries: 2, openTelemetry: false });

/** A growing transcript: every earlier answer and complaint is sent, and paid for, again. */
async function instructor(text: string): Promise<LoopEnd> {
  const body = bodyOf(claim, text);
  const messages = [...body.messages];
  let tokens = 0;
  for (let calls = 1; ; calls += 1) {
    const message = await client.messages.create({ ...body, messages }, { timeout: 60_000 });
    tokens += tokensOf(message);
    const judged = verdictOf(claim, textOf(message), text, message.stop_reason ?? 'unknown');
    if (judged.accepted || calls >= cap) return { verified: judged.accepted, calls, tokens };
    messages.push({ role: 'assistant', content: textOf(message) });
    messages.push({ role: 'user', content: judged.feedback ?? 'Answer again.' });
  }
}

const step = DBOS.registerWorkflow(
  async (text: string): Promise<LoopEnd> =>
    await loop((given, feedback) => DBOS.runStep(() => ask(given, feedback), { name: 'ask' }), text, cap),
  { name: 'extract' },
);

const contenders: Record<string, (text: string) => Promise<LoopEnd>> = {
  Endstop: async (text) => {
    const document = { kind: 'bytes' as const, mediaType: 'text/plain', bytes: Buffer.from(text) };
    const { extraction, outcome } = await house.extract({ specId: 'claim', document });
    return { verified: outcome?.kind === 'verified', calls: extraction.calls, tokens: extraction.tokens };
  },
  'Instructor-style loop': instructor,
  'DBOS workflow': async (text) => await (await DBOS.startWorkflow(step)(text)).getResult(),
};

DBOS.setConfig({
  name: 'bench',
  systemDatabaseUrl: database.databaseUrl,
  runAdminServer: false,
  logLevel: 'error',
});
await DBOS.launch();
console.log(`     seed ${seed}, ${documents} documents, ${width} at once, cap ${cap}`);
const perRecord = new Map<string, number>();
const rates = new Map<string, number>();
for (const [name, run] of Object.entries(contenders)) {
  await crowd(texts(8), width, run);
  const ends: LoopEnd[] = [];
  const before = performance.now();
  const took = await crowd(texts(documents), width, async (text) => ends.push(await run(text)));
  const rate = (documents * 1_000) / (performance.now() - before);
  const total = (of: (end: LoopEnd) => number) => ends.reduce((sum, end) => sum + of(end), 0);
  const verified = total((end) => Number(end.verified));
  rates.set(name, rate);
  perRecord.set(name, total(({ tokens }) => tokens) / verified);
  console.log(`     ${name}: ${rate.toFixed(1)} documents/s, p50 ${median(took).toFixed(0)} ms`);
  note(`${name}`, `${verified} of ${documents} verified with ${total(({ calls }) => calls)} calls`);
}
for (const name of ['Instructor-style loop', 'DBOS workflow']) {
  const ratio = (of: Map<string, number>) => ((of.get(name) ?? 0) / (of.get('Endstop') ?? 0)).toFixed(2);
  note(`documents per second, ${name} / Endstop`, `${ratio(rates)}x`);
  note(`tokens a verified record, ${name} / Endstop`, `${ratio(perRecord)}x`);
}
await DBOS.shutdown();
await house.close();
await standin.stop();
await database.drop();
process.exit();

function texts(count: number): readonly string[] {
  return mixedClaims(seed, count, 1, shares).map(({ text }) => text());
}
