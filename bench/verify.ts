import Big from 'big.js';
import { invoice } from '../specs/invoice/invoice.js';
import type { Invoice } from '../specs/invoice/record.js';
import { printRecord } from '../src/spec/print-record.js';
import type { Constraint } from '../src/verification/constraint.js';
import type { DocumentText } from '../src/verification/document-text.js';
import { verify } from '../src/verification/verify.js';
import { judge, medians, needHeap } from './medians.js';

/** Ten times the lines may cost so many times as much. Only the ratio within one run decides. */
const limit = 15;
const few = 100;
const many = 1_000;
const rounds = { counted: 200, warmUp: 30, callsPerSample: 1 };

needHeap(import.meta.url);

/** An invoice whose every line, sum and tax is right. */
function anInvoice(lines: number): Invoice {
  const [example] = invoice.examples?.('EUR', 2) ?? [];
  if (example === undefined) throw new Error('The invoice spec has no example.');
  const line_items = Array.from({ length: lines }, (_, index) => {
    const quantity = (index % 7) + 1;
    const price = new Big(index + 1).plus('0.25');
    return {
      description: `Rack unit ${index + 1}, left side`,
      quantity: String(quantity),
      unit_price: price.toFixed(2),
      amount: price.times(quantity).toFixed(2),
    };
  });
  const net = line_items.reduce((sum, { amount }) => sum.plus(amount), new Big(0));
  const tax = net.times('0.19').round(2);
  return {
    ...example,
    line_items,
    printed_line_count: String(lines),
    net_total: net.toFixed(2),
    tax_amount: tax.toFixed(2),
    total: net.plus(tax).toFixed(2),
  };
}

/** What a model can make of it, and what the rules must then say. */
const answers: Record<string, { readonly verdict: string; change(whole: Invoice): Invoice }> = {
  right: { verdict: 'holds', change: (whole) => whole },
  'a wrong total': { verdict: 'broken', change: (whole) => ({ ...whole, total: '1.00' }) },
  'half the lines': {
    verdict: 'broken',
    change: (whole) => ({
      ...whole,
      line_items: whole.line_items.slice(0, whole.line_items.length / 2),
    }),
  },
  'every amount invented': {
    verdict: 'broken',
    change: (whole) => ({
      ...whole,
      line_items: whole.line_items.map((line) => ({ ...line, amount: '7777777.77' })),
    }),
  },
};

/** All rules, on a document seen for the first time: what was found in its text before is kept with the text. */
function verifying(lines: number, answer: string, print = (pages: readonly string[]) => pages): () => void {
  const whole = anInvoice(lines);
  const pages = print(printRecord(invoice.fields, whole).pages);
  const { verdict, change } = answers[answer] ?? { verdict: '', change: () => whole };
  const record = change(whole);
  const constraints: readonly Constraint<Invoice>[] = invoice.constraints;
  return () => {
    const text: DocumentText = { pages: [...pages] };
    const { kind } = verify(record, constraints, { text, previous: null });
    if (kind !== verdict) throw new Error(`The benchmark's own invoice (${answer}) is ${kind}.`);
  };
}

console.log(`Verifying with all ${invoice.constraints.length} rules, median of ${rounds.counted} rounds:`);
for (const answer of Object.keys(answers)) {
  const took = medians({ few: verifying(few, answer), many: verifying(many, answer) }, rounds);
  console.log(`     ${took.few.toFixed(2)} ms  ${few} lines, ${answer}`);
  console.log(`     ${took.many.toFixed(2)} ms  ${many} lines, ${answer}`);
  judge(`${many} / ${few} lines, ${answer}`, took.many / took.few, limit);
}

/** Everything on one line, as a text layer without line ends has it. */
const onOneLine = (pages: readonly string[]) => [pages.join('  ').replace(/\n+/g, '  ')];
const fewRounds = { counted: 9, warmUp: 2, callsPerSample: 1 };

console.log(`The same where the whole document is one line, median of ${fewRounds.counted} rounds:`);
for (const answer of Object.keys(answers)) {
  const took = medians(
    { few: verifying(few, answer, onOneLine), many: verifying(many, answer, onOneLine) },
    fewRounds,
  );
  console.log(`     ${took.few.toFixed(1)} ms  ${few} rows, ${answer}`);
  console.log(`     ${took.many.toFixed(1)} ms  ${many} rows, ${answer}`);
  judge(`${many} / ${few} rows in one line, ${answer}`, took.many / took.few, limit);
}

/** Twice the text may cost so many times as much. */
const doubleLimit = 2.6;
const megabyte = 1_000_000;

/** An appendix of so many bytes before an invoice of ten lines: prose, or a table with figures and a date in each row. */
function longText(bytes: number, rowOf: (row: number) => string): DocumentText {
  const rows: string[] = [];
  for (let length = 0, row = 0; length < bytes; row += 1) {
    rows.push(rowOf(row));
    length += rowOf(row).length + 1;
  }
  const pages = Array.from({ length: Math.ceil(rows.length / 60) }, (_, page) =>
    rows.slice(page * 60, page * 60 + 60).join('\n'),
  );
  return { pages: [...pages, ...printRecord(invoice.fields, anInvoice(10)).pages] };
}

const appendices: Record<string, (row: number) => string> = {
  prose: (row) =>
    `Item ${row} of the terms: goods stay ours until they are paid, whatever was agreed otherwise.`,
  'a table': (row) =>
    `${row}  Rack part ${row % 900}   ${row % 50}   ${((row % 900) + 1000.5).toFixed(2)}   ${1 + (row % 28)}/03/2024`,
};

console.log('Grounding some fifty values in a long text, median of 5 rounds:');
for (const [name, rowOf] of Object.entries(appendices)) {
  const grounding = (size: number) => {
    const { pages } = longText(size, rowOf);
    const constraints: readonly Constraint<Invoice>[] = invoice.constraints;
    return () => verify(anInvoice(10), constraints, { text: { pages: [...pages] }, previous: null });
  };
  const sizes = { half: grounding(2.5 * megabyte), whole: grounding(5 * megabyte) };
  const took = medians(sizes, { counted: 5, warmUp: 2, callsPerSample: 1 });
  console.log(`     ${took.half.toFixed(0)} ms  2.5 MB of ${name}`);
  console.log(`     ${took.whole.toFixed(0)} ms  5 MB of ${name}`);
  judge(`5 / 2.5 MB of ${name}`, took.whole / took.half, doubleLimit);
}
