import { parse as losslessParse } from 'lossless-json';
import { readReply } from '../src/reply/read-reply.js';
import { judge, medians, needHeap } from './medians.js';

/** What reading a reply may cost. Only ratios within one run decide; absolute times depend on the machine. */
const limits = { jsonParse: 4, losslessJson: 2.5, doubling: 2.3 };
const replyLength = 97_000;
const largestLength = 5_000_000;
const countedRounds = 200;
const warmUpRounds = 100;

needHeap(import.meta.url);

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

const text = invoice(replyLength);
const reply = fenced(text);
const took = medians(
  {
    'JSON.parse': () => JSON.parse(text),
    'lossless-json': () => losslessParse(text),
    'readReply, constrained': () => read(text, 'constrained'),
    'readReply, plain in a fence': () => read(reply, 'plain'),
  },
  { counted: countedRounds, warmUp: warmUpRounds, callsPerSample: 5 },
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
const ladder = Object.entries(medians(sizes, { counted: countedRounds, warmUp: 20, callsPerSample: 1 }));
console.log('\nDoubling the size:');
for (const [step, [length, ms]] of ladder.entries()) {
  console.log(`     ${ms.toFixed(3)} ms  ${length} characters`);
  const smaller = ladder[step - 1];
  if (smaller !== undefined) judge(`${length} / ${smaller[0]} characters`, ms / smaller[1], limits.doubling);
}
