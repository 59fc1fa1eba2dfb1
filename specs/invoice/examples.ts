import Big from 'big.js';
import { toText } from '../../src/spec/index.js';
import type { Invoice } from './record.js';

/** A known-good invoice and its credit note, whose amounts use every decimal of the currency. */
export function exampleInvoices(currency: string, minorUnits: number): readonly Invoice[] {
  return [example(currency, minorUnits, 1), example(currency, minorUnits, -1)];
}

function example(currency: string, minorUnits: number, sign: 1 | -1): Invoice {
  const rounded = (value: Big) => value.round(minorUnits);
  const shown = (value: Big) => toText(value, minorUnits);
  const prices = [new Big('89.1234').round(minorUnits + 1), new Big('4.2056').round(minorUnits + 1)] as const;
  const quantities = [new Big(2 * sign), new Big(12 * sign)] as const;
  const amounts = [rounded(prices[0].times(quantities[0])), rounded(prices[1].times(quantities[1]))] as const;
  const net = amounts[0].plus(amounts[1]);
  const tax = rounded(net.times('0.19'));
  return {
    document_type: sign === 1 ? 'invoice' : 'credit_note',
    invoice_number: 'INV-90412',
    issue_date: '2024-11-03',
    due_date: sign === 1 ? '2024-12-03' : 'not_printed',
    seller: 'Example Supplies',
    buyer: 'Example Trading',
    currency,
    line_items: [
      {
        description: 'Rack unit 2U',
        quantity: toText(quantities[0]),
        unit_price: toText(prices[0]),
        amount: shown(amounts[0]),
      },
      {
        description: 'Patch cable 3m',
        quantity: toText(quantities[1]),
        unit_price: toText(prices[1]),
        amount: shown(amounts[1]),
      },
    ],
    printed_line_count: sign === 1 ? '2' : 'not_printed',
    net_total: shown(net),
    tax_rate: '19',
    tax_amount: shown(tax),
    total: shown(net.plus(tax)),
  };
}
