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

/** What an invoice or a credit note says. */
export const invoiceFields = {
  document_type: choice('Document type', ['invoice', 'credit_note']),
  invoice_number: identifier('Invoice number'),
  issue_date: isoDate('Issue date'),
  due_date: asPrinted(isoDate('Due date')),
  seller: text('Seller'),
  buyer: text('Buyer'),
  currency: currencyCode('Currency'),
  line_items: list('Line items', {
    description: text('Description'),
    quantity: decimal('Quantity'),
    unit_price: decimal('Unit price'),
    amount: money('Amount'),
  }),
  printed_line_count: asPrinted(count('Number of lines')),
  net_total: money('Net total'),
  tax_rate: percent('Tax rate'),
  tax_amount: money('Tax amount'),
  total: money('Total'),
};

export type Invoice = RecordOf<typeof invoiceFields>;
