import type { Invoice } from './invoice.js';
import type { Block, Column, Pair, Paper } from './paper.js';

const FILL = '________________';

/** An invoice with labels and colons, and its totals flush right. */
export function ledgerPaper(invoice: Invoice): Paper {
  const { record } = invoice;
  const isCredit = record.document_type === 'credit_note';
  const name = isCredit ? 'Credit note' : 'Invoice';
  return {
    blocks: [
      { kind: 'heading', text: name.toUpperCase() },
      {
        kind: 'pairs',
        rows: [
          [
            ['Seller', record.seller],
            [`${name} No.`, record.invoice_number],
          ],
          [
            ['Buyer', record.buyer],
            [`${name} date`, invoice.issueDate],
          ],
          [['Currency', record.currency], ...field('Due date', invoice.dueDate)],
        ],
      },
      { kind: 'gap' },
      table(invoice, ['Description', 'Quantity', 'Unit price', 'Amount']),
      { kind: 'gap' },
      {
        kind: 'totals',
        pairs: [
          ['Net total', invoice.net],
          [`VAT ${invoice.taxRate} %`, invoice.tax],
          ['Total', invoice.total],
        ],
      },
      { kind: 'gap' },
      { kind: 'pairs', rows: [field('Number of lines', invoice.count)] },
      ...remarks(invoice),
    ],
  };
}

/** An invoice with rows of labels over rows of values, and its tax rate in a field of its own. */
export function panelPaper(invoice: Invoice): Paper {
  const { record } = invoice;
  const isCredit = record.document_type === 'credit_note';
  return {
    blocks: [
      { kind: 'heading', text: isCredit ? 'Credit note' : 'Tax invoice' },
      {
        kind: 'grid',
        pairs: [
          ['Document number', record.invoice_number],
          ['Date of issue', invoice.issueDate],
          ...(invoice.dueDate === null ? [] : [['Payment due', invoice.dueDate || FILL] as const]),
        ],
      },
      { kind: 'gap' },
      {
        kind: 'grid',
        pairs: [
          ['Supplier', record.seller],
          ['Customer', record.buyer],
        ],
      },
      { kind: 'gap' },
      { kind: 'text', text: `All amounts in ${record.currency}` },
      { kind: 'gap' },
      table(invoice, ['Article', 'Qty', 'Price each', 'Line total']),
      { kind: 'gap' },
      {
        kind: 'totals',
        pairs: [
          ...(invoice.count === null ? [] : [['Item count', invoice.count || FILL] as const]),
          ['Subtotal', invoice.net],
          ['Tax rate', `${invoice.taxRate} %`],
          ['Tax amount', invoice.tax],
          ['Total due', invoice.total],
        ],
      },
      ...remarks(invoice),
    ],
  };
}

/** An invoice as a German house writes it. */
export function rechnungPaper(invoice: Invoice): Paper {
  const { record } = invoice;
  return {
    blocks: [
      { kind: 'heading', text: 'Rechnung / Invoice' },
      {
        kind: 'pairs',
        rows: [
          [
            ['Verkäufer', record.seller],
            ['Rechnungsnummer', record.invoice_number],
          ],
          [
            ['Käufer', record.buyer],
            ['Rechnungsdatum', invoice.issueDate],
          ],
          [['Währung', record.currency], ...field('Zahlbar bis', invoice.dueDate)],
        ],
      },
      { kind: 'gap' },
      table(invoice, ['Bezeichnung', 'Menge', 'Einzelpreis', 'Betrag']),
      { kind: 'gap' },
      {
        kind: 'totals',
        pairs: [
          ['Nettobetrag', invoice.net],
          [`MwSt ${invoice.taxRate} %`, invoice.tax],
          ['Gesamtbetrag', invoice.total],
        ],
      },
      { kind: 'gap' },
      { kind: 'pairs', rows: [field('Anzahl Positionen', invoice.count)] },
      ...remarks(invoice),
    ],
  };
}

function table(invoice: Invoice, titles: readonly string[]): Block {
  const wide = invoice.rows.some(([description]) => description.length > 80);
  const shares = wide ? [0.85, 0.04, 0.05, 0.06] : [0.55, 0.13, 0.16, 0.16];
  const columns: readonly Column[] = titles.map((title, index) => ({
    title,
    share: shares[index] ?? 0,
    ...(index > 0 ? { right: true } : {}),
  }));
  return { kind: 'table', columns, rows: invoice.rows, ...(invoice.carry ? { carry: invoice.carry } : {}) };
}

function field(label: string, value: string | null): Pair[] {
  return value === null ? [] : [[label, value || FILL]];
}

function remarks(invoice: Invoice): Block[] {
  if (invoice.remarks.length === 0) return [];
  return [{ kind: 'gap' }, ...invoice.remarks.map((text): Block => ({ kind: 'text', text }))];
}
