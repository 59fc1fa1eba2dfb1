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
function verifying(lines: number, answer: string): () => void {
  const whole = anInvoice(lines);
  const paper = printRecord(invoice.fields, whole);
  const { verdict, change } = answers[answer] ?? { verdict: '', change: () => whole };
  const record = change(whole);
  const constraints: readonly Constraint<Invoice>[] = invoice.constraints;
  return () => {
    const text: DocumentText = { pages: [...paper.pages] };
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
