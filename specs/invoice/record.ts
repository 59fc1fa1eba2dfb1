import {
  asPrinted,
  choice,
  count,
  currencyCode,
  decimal,
  identifier,
  isoDate,
  list,
  money,
  percent,
  type RecordOf,
  text,
} from '../../src/spec/index.js';

/** Credit notes print what they give back with and without a minus. */
const anySign = true;

/** What an invoice or a credit note says, with the labels printed beside it. */
export const invoiceFields = {
  document_type: choice('Document type', ['invoice', 'credit_note']),
  invoice_number: identifier('Invoice number', {
    labels: ['Invoice No', 'Document number', 'Credit note No', 'Rechnungsnummer'],
  }),
  issue_date: isoDate('Issue date', {
    labels: ['Date of issue', 'Invoice date', 'Credit note date', 'Rechnungsdatum'],
  }),
  due_date: asPrinted(
    isoDate('Due date', {
      printed: 'at_label',
      labels: [
        'Payment due',
        'Payment due date',
        'Due by',
        'Due on',
        'Payable by',
        'Zahlbar bis',
        'Fällig am',
      ],
    }),
  ),
  seller: text('Seller', { labels: ['Supplier', 'Verkäufer', 'Lieferant'] }),
  buyer: text('Buyer', { labels: ['Customer', 'Bill to', 'Käufer', 'Kunde'] }),
  currency: currencyCode('Currency', { labels: ['All amounts in', 'Amounts in', 'Währung'] }),
  line_items: list('Line items', {
    description: text('Description'),
    quantity: decimal('Quantity', { anySign }),
    unit_price: decimal('Unit price', { anySign }),
    amount: money('Amount', { anySign }),
  }),
  printed_line_count: asPrinted(
    count('Number of lines', {
      // A small number stands everywhere; only the one beside its label counts rows.
      printed: 'at_label',
      labels: ['Line count', 'Number of items', 'Item count', 'Number of positions', 'Anzahl Positionen'],
    }),
  ),
  net_total: money('Net total', {
    anySign,
    labels: ['Subtotal', 'Net amount', 'Nettobetrag', 'Zwischensumme'],
  }),
  tax_rate: percent('Tax rate', { labels: ['VAT rate', 'VAT', 'MwSt', 'GST'] }),
  tax_amount: money('Tax amount', { anySign, labels: ['VAT', 'MwSt', 'GST', 'Tax'] }),
  total: money('Total', {
    anySign,
    labels: ['Total due', 'Grand total', 'Invoice total', 'Total amount', 'Gesamtbetrag'],
  }),
};

export type Invoice = RecordOf<typeof invoiceFields>;
