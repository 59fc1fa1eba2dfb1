import {
  type Currency,
  dropDecimals,
  MINOR_UNITS,
  type NumberStyle,
  plain,
  printed,
  sum,
} from './amounts.js';
import type { Chance } from './chance.js';
import { type DateStyle, later, printedDay } from './dates.js';
import type { Carry } from './paper.js';
import type { InvoiceRecord } from './records.js';
import { companyNames, goodsText } from './wording.js';

export interface InvoiceOrder {
  readonly currency: Currency;
  readonly lines: number;
  readonly numbers?: NumberStyle;
  readonly dates?: DateStyle;
  /** Percent, as printed in plain decimals. */
  readonly taxRate?: string;
  /** How the due date stands on the paper. */
  readonly due?: 'printed' | 'blank' | 'none';
  /** Whether the paper prints how many lines it has. */
  readonly count?: 'printed' | 'blank' | 'none';
  /** Decimals of unit prices beyond the currency's own. */
  readonly finerPrices?: number;
  readonly inches?: boolean;
  readonly longTexts?: boolean;
  readonly credit?: boolean;
  readonly carried?: boolean;
  /** Adds this many smallest units to the printed net total, and so to tax and total: the lines do not add up to it. */
  readonly netOff?: bigint;
  readonly remarks?: readonly string[];
}

/** An invoice as a record and with everything spelled as its paper prints it. */
export interface Invoice {
  readonly record: InvoiceRecord;
  readonly issueDate: string;
  /** Empty for a blank field, null for no field; the same for the count. */
  readonly dueDate: string | null;
  readonly count: string | null;
  readonly rows: readonly (readonly [
    description: string,
    quantity: string,
    unitPrice: string,
    amount: string,
  ])[];
  readonly net: string;
  readonly taxRate: string;
  readonly tax: string;
  readonly total: string;
  readonly carry: Carry | null;
  readonly remarks: readonly string[];
}

interface DrawnLine {
  readonly description: string;
  readonly quantity: bigint;
  readonly unitPrice: bigint;
  readonly amount: bigint;
}

export function drawInvoice(chance: Chance, order: InvoiceOrder): Invoice {
  const decimals = MINOR_UNITS[order.currency];
  const finer = order.finerPrices ?? 0;
  const style = order.numbers ?? 'point';
  const show = (units: bigint, places = decimals): string => printed(plain(units, places), style);
  const lines = Array.from({ length: order.lines }, () => drawLine(chance, order, decimals, finer));
  const amounts = lines.map((line) => line.amount);
  const rate = order.taxRate ?? chance.one(['19', '7.5', '20', '5']);
  const net = sum(amounts) + (order.netOff ?? 0n);
  const tax = taxOf(net, rate);
  const issued = `2024-${String(chance.whole(1, 12)).padStart(2, '0')}-${String(chance.whole(13, 28))}`;
  const due = later(issued, chance.one([14, 30, 45]));
  const [seller = '', buyer = ''] = companyNames(chance, 2);
  const record: InvoiceRecord = {
    document_type: order.credit ? 'credit_note' : 'invoice',
    invoice_number: `${order.credit ? 'CN' : 'INV'}-${chance.whole(10_000, 99_999)}`,
    issue_date: issued,
    due_date: asPrinted(order.due, due),
    seller,
    buyer,
    currency: order.currency,
    line_items: lines.map((line) => ({
      description: line.description,
      quantity: line.quantity.toString(),
      unit_price: plain(line.unitPrice, decimals + finer),
      amount: plain(line.amount, decimals),
    })),
    printed_line_count: asPrinted(order.count, String(lines.length)),
    net_total: plain(net, decimals),
    tax_rate: rate,
    tax_amount: plain(tax, decimals),
    total: plain(net + tax, decimals),
  };
  const half = Math.ceil(lines.length / 2);
  return {
    record,
    issueDate: printedDay(issued, order.dates ?? 'long'),
    dueDate: onPaper(order.due, printedDay(due, order.dates ?? 'long')),
    count: onPaper(order.count, String(lines.length)),
    rows: lines.map((line) => [
      line.description,
      line.quantity.toString(),
      show(line.unitPrice, decimals + finer),
      show(line.amount),
    ]),
    net: show(net),
    taxRate: printed(rate, style),
    tax: show(tax),
    total: show(net + tax),
    carry: order.carried ? { rowsOnFirstPage: half, sum: show(sum(amounts.slice(0, half))) } : null,
    remarks: order.remarks ?? [],
  };
}

function drawLine(chance: Chance, order: InvoiceOrder, decimals: number, finer: number): DrawnLine {
  const sign = order.credit ? -1n : 1n;
  const quantity = sign * BigInt(finer > 0 ? chance.whole(100, 5000) : chance.whole(1, 24));
  const scale = (decimals === 0 ? 100 : 10 ** decimals) * (finer > 0 ? 1 : 10);
  const unitPrice = BigInt(chance.whole(scale, 20 * scale));
  return {
    description: goodsText(chance, order.inches ?? false, order.longTexts ?? false),
    quantity,
    unitPrice,
    amount: dropDecimals(quantity * unitPrice, finer),
  };
}

/** `rate` percent of `net`, rounded half away from zero to the smallest unit. */
function taxOf(net: bigint, rate: string): bigint {
  const [whole = '', decimals = ''] = rate.split('.');
  return dropDecimals(net * BigInt(whole + decimals), decimals.length + 2);
}

function asPrinted(kind: 'printed' | 'blank' | 'none' | undefined, value: string): string {
  return kind === 'blank' ? 'blank' : kind === 'none' ? 'not_printed' : value;
}

function onPaper(kind: 'printed' | 'blank' | 'none' | undefined, value: string): string | null {
  return kind === 'blank' ? '' : kind === 'none' ? null : value;
}
