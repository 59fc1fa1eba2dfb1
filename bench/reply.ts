import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parse as losslessParse } from 'lossless-json';
import { readReply } from '../src/reply/read-reply.js';

/** What reading a reply may cost. Only ratios within one run decide; absolute times depend on the machine. */
const limits = { jsonParse: 4, losslessJson: 2.5, doubling: 2.3 };
const replyLength = 97_000;
const largestLength = 5_000_000;
const countedRounds = 200;
const warmUpRounds = 100;

/**
 * Young objects get room for the largest reply, and garbage is collected between the samples: otherwise the collector
 * decides the ratios. Under Node's defaults `JSON.parse` alone takes 2.5 to 6 times as long for twice the size where
 * its result outgrows the nursery, and one size pays for what another left behind.
 */
const heap = ['--expose-gc', '--min-semi-space-size=128', '--max-semi-space-size=128'];
if (globalThis.gc === undefined) {
  const again = [...process.execArgv, ...heap, fileURLToPath(import.meta.url)];
  process.exit(spawnSync(process.execPath, again, { stdio: 'inherit' }).status ?? 1);
}

/** A pretty-printed invoice of at least `length` characters: strings, escapes, numbers, words and repeated keys. */
function invoice(length: number): string {
  const lines: string[] = [];
  for (let size = 0, line = 1; size < length; line += 1) {
    const text = `    {
      "line": ${line}, "description": "Rack unit 2U \\u2014 row ${line} \\"left\\"", "quantity": ${line % 7},
      "unit_price": "${line}.50", "net_amount": ${line * 3}.50, "tax_rate": "not_printed",
      "discounted": ${line % 2 === 0}, "note": null
    }`;
    lines.push(text);
    size += text.length + 2;
  }
  const head =
    '{\n  "invoice_number": "INV-90412",\n  "currency": "USD",\n  "total": "1240.00",\n  "line_items": [\n';
  return `${head}${lines.join(',\n')}\n  ]\n}`;
}

/** Joined, because text that comes from a socket is one flat string and not a rope of three. */
function fenced(text: string): string {
  return ['Here is the record:\n\n```json\n', text, '\n```\n'].join('');
}

function read(text: string, mode: 'constrained' | 'plain'): void {
  const reading = readReply({ stopReason: 'end_turn', text, mode });
  if (reading.kind !== 'value')
    throw new Error(`The benchmark's own reply does not read: ${reading.message}`);
}

/**
 * Median milliseconds on the processor of each contender, so that a sample is not longer for having been interrupted
 * by a neighbour. They run in turns: a slow moment of the machine hits all of them.
 */
function medians<Name extends string>(
  contenders: Record<Name, () => unknown>,
  warmUp: number,
  callsPerSample: number,
): Record<Name, number> {
  const names = Object.keys(contenders) as Name[];
  const samples = new Map(names.map((name) => [name, [] as number[]]));
  for (let round = -warmUp; round < countedRounds; round += 1) {
    for (const name of names) {
      globalThis.gc?.({ type: 'minor' });
      const before = process.cpuUsage();
      for (let call = 0; call < callsPerSample; call += 1) contenders[name]();
      const { user, system } = process.cpuUsage(before);
      if (round >= 0) samples.get(name)?.push((user + system) / 1000 / callsPerSample);
    }
  }
  const middle = (taken: number[]) =>
    taken.sort((one, other) => one - other)[taken.length >> 1] ?? Number.NaN;
  return Object.fromEntries(names.map((name) => [name, middle(samples.get(name) ?? [])])) as Record<
    Name,
    number
  >;
}

let failed = false;

function judge(what: string, ratio: number, limit: number): void {
  // Written so that a NaN fails.
  const holds = ratio <= limit;
  if (!holds) failed = true;
  console.log(`${holds ? 'ok  ' : 'FAIL'} ${what}: ${ratio.toFixed(2)}x, at most ${limit}x`);
}

const text = invoice(replyLength);
const reply = fenced(text);
const took = medians(
  {
    'JSON.parse': () => JSON.parse(text),
    'lossless-json': () => losslessParse(text),
    'readReply, constrained': () => read(text, 'constrained'),
    'readReply, plain in a fence': () => read(reply, 'plain'),
  },
  warmUpRounds,
  // Asking for the time costs some 50 microseconds, a quarter of what JSON.parse takes.
  5,
);
console.log(`A reply of ${text.length} characters, median of ${countedRounds} rounds:`);
for (const [name, ms] of Object.entries(took)) console.log(`     ${ms.toFixed(3)} ms  ${name}`);
for (const name of ['readReply, constrained', 'readReply, plain in a fence'] as const) {
  judge(`${name} / JSON.parse`, took[name] / took['JSON.parse'], limits.jsonParse);
  judge(`${name} / lossless-json`, took[name] / took['lossless-json'], limits.losslessJson);
}

const sizes: Record<string, () => void> = {};
for (let length = largestLength; length >= replyLength / 2; length = Math.floor(length / 2)) {
  const doubled = fenced(invoice(length));
  sizes[doubled.length] = () => read(doubled, 'plain');
}
// Keys that are integers come smallest first.
const ladder = Object.entries(medians(sizes, 20, 1));
console.log('\nDoubling the size:');
for (const [step, [length, ms]] of ladder.entries()) {
  console.log(`     ${ms.toFixed(3)} ms  ${length} characters`);
  const smaller = ladder[step - 1];
  if (smaller !== undefined) judge(`${length} / ${smaller[0]} characters`, ms / smaller[1], limits.doubling);
}
process.exitCode = failed ? 1 : 0;
