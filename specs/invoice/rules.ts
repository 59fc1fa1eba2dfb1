import {
  baseTimesRate,
  dateOrder,
  lineArithmetic,
  minorUnits,
  printedRowCount,
  signByDocumentType,
  sumEqualsTotal,
} from '../../src/spec/index.js';

/** What an invoice or credit note is supposed to add up to. */
export const invoiceRules = [
  minorUnits({
    currency: '/currency',
    amounts: ['/line_items/*/amount', '/net_total', '/tax_amount', '/total'],
  }),
  printedRowCount({ items: '/line_items', count: '/printed_line_count' }),
  lineArithmetic({
    items: '/line_items',
    quantity: 'quantity',
    unitPrice: 'unit_price',
    amount: 'amount',
    currency: '/currency',
  }),
  sumEqualsTotal({
    id: 'net-equals-sum',
    says: 'The net total is the sum of the amounts of all lines, give or take half a smallest unit for each line',
    addends: ['/line_items/*/amount'],
    total: '/net_total',
    tolerance: { kind: 'half_minor_unit_each', currency: '/currency' },
  }),
  baseTimesRate({ base: '/net_total', rate: '/tax_rate', amount: '/tax_amount', currency: '/currency' }),
  sumEqualsTotal({
    id: 'total-equals-net-plus-tax',
    says: 'The total is exactly net total plus tax amount',
    addends: ['/net_total', '/tax_amount'],
    total: '/total',
  }),
  dateOrder({ id: 'due-after-issue', earlier: '/issue_date', later: '/due_date' }),
  signByDocumentType({
    type: '/document_type',
    negative: ['credit_note'],
    amounts: ['/net_total', '/tax_amount', '/total'],
  }),
];
