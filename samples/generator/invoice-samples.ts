import { chanceFor } from './chance.js';
import { drawInvoice, type Invoice, type InvoiceOrder } from './invoice.js';
import { ledgerPaper, panelPaper, rechnungPaper } from './invoice-papers.js';
import type { Paper } from './paper.js';
import { pdfOf } from './pdf-paper.js';
import { exhausted, type Sample, type Truth, verified } from './sample.js';
import { textOf } from './text-paper.js';

type Fate = (invoice: Invoice) => Truth;

interface Plan {
  readonly name: string;
  readonly form: 'txt' | 'pdf';
  readonly paper: (invoice: Invoice) => Paper;
  readonly order: InvoiceOrder;
  readonly fate: Fate;
  /** Asked for as plain text, whose formatting a model can damage. */
  readonly plain?: boolean;
}

const clean: Fate = ({ record }) => verified(record);
const after =
  (...failed: readonly string[]): Fate =>
  ({ record }) =>
    verified(record, ...failed);
const ends =
  (truth: Truth): Fate =>
  () =>
    truth;

const small =
  (paper: Plan['paper'], size: number): Plan['paper'] =>
  (invoice) => ({ ...paper(invoice), size, landscape: true });

const PLANS: readonly Plan[] = [
  plan('invoice-eur', 'pdf', ledgerPaper, { currency: 'EUR', lines: 6 }, clean),
  plan(
    'invoice-usd',
    'txt',
    panelPaper,
    { currency: 'USD', lines: 8, taxRate: '7.5', dates: 'month' },
    clean,
  ),
  plan('invoice-jpy', 'txt', ledgerPaper, { currency: 'JPY', lines: 4, taxRate: '10', dates: 'iso' }, clean),
  plan('invoice-bhd', 'pdf', panelPaper, { currency: 'BHD', lines: 5, taxRate: '10' }, clean),
  plan('invoice-kwd', 'txt', ledgerPaper, { currency: 'KWD', lines: 3, taxRate: '5', dates: 'short' }, clean),
  plan(
    'invoice-german',
    'pdf',
    rechnungPaper,
    { currency: 'EUR', lines: 9, numbers: 'comma', dates: 'dotted', taxRate: '19' },
    clean,
  ),
  plan('invoice-chf', 'pdf', panelPaper, { currency: 'CHF', lines: 3, numbers: 'apostrophe' }, clean),
  plan('invoice-one-line', 'txt', panelPaper, { currency: 'EUR', lines: 1, count: 'none' }, clean),
  plan(
    'invoice-no-due-date',
    'txt',
    ledgerPaper,
    { currency: 'USD', lines: 5, due: 'none', count: 'none' },
    clean,
  ),
  plan(
    'invoice-blank-due-date',
    'pdf',
    ledgerPaper,
    { currency: 'USD', lines: 4, due: 'blank', count: 'blank' },
    clean,
  ),
  plan('invoice-fine-prices', 'txt', ledgerPaper, { currency: 'EUR', lines: 5, finerPrices: 2 }, clean),
  plan(
    'invoice-credit-note',
    'pdf',
    ledgerPaper,
    { currency: 'EUR', lines: 3, credit: true, due: 'none' },
    clean,
  ),
  plan('invoice-long', 'pdf', ledgerPaper, { currency: 'USD', lines: 58 }, after('truncated')),
  plan(
    'invoice-too-long',
    'pdf',
    small(ledgerPaper, 5.5),
    { currency: 'EUR', lines: 60, longTexts: true },
    ends(exhausted('token_ceiling', 'human_review', 'truncated', 'truncated', 'truncated')),
  ),
  plan(
    'invoice-carried-forward',
    'pdf',
    panelPaper,
    { currency: 'EUR', lines: 14, carried: true },
    after('constraint'),
  ),
  plan(
    'invoice-three-faults',
    'txt',
    ledgerPaper,
    { currency: 'EUR', lines: 10, carried: true, netOff: 1_000n },
    ends(exhausted('attempt_cap', 'best_effort', 'constraint', 'constraint', 'constraint')),
  ),
  plain('invoice-plain-eur', 'txt', ledgerPaper, { currency: 'EUR', lines: 4 }, clean),
  plain('invoice-plain-usd', 'pdf', panelPaper, { currency: 'USD', lines: 6 }, clean),
  plain(
    'invoice-plain-german',
    'txt',
    rechnungPaper,
    { currency: 'EUR', lines: 3, numbers: 'comma', dates: 'dotted' },
    clean,
  ),
  plain('invoice-plain-jpy', 'txt', panelPaper, { currency: 'JPY', lines: 5, taxRate: '10' }, clean),
  plain(
    'invoice-plain-inches',
    'pdf',
    ledgerPaper,
    { currency: 'USD', lines: 5, inches: true },
    after('parse'),
  ),
];

function plan(
  name: string,
  form: 'txt' | 'pdf',
  paper: Plan['paper'],
  order: InvoiceOrder,
  fate: Fate,
): Plan {
  return { name, form, paper, order, fate };
}

function plain(...args: Parameters<typeof plan>): Plan {
  return { ...plan(...args), plain: true };
}

export async function invoiceSamples(seed: number): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (const { name, form, paper, order, fate, plain: isPlain } of PLANS) {
    const invoice = drawInvoice(chanceFor(seed, name), order);
    const bytes = form === 'pdf' ? await pdfOf(paper(invoice)) : Buffer.from(textOf(paper(invoice)));
    const spec = isPlain ? 'invoice-plain' : 'invoice';
    samples.push({ name, spec, file: `${name}.${form}`, bytes, truth: fate(invoice) });
  }
  return samples;
}
