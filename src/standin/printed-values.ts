import type { Line } from './page-lines.js';

/** How this document writes numbers and dates. */
export interface PrintStyle {
  readonly decimal: '.' | ',';
  readonly currency: string | null;
  readonly monthFirst: boolean;
}

const THREE_DECIMALS = new Set(['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND']);
const CODES =
  `AED ARS AUD BGN BHD BRL CAD CHF CLP CNY COP CZK DKK EGP EUR GBP HKD HUF IDR ILS INR IQD ISK JOD JPY KRW KWD
   LYD MAD MXN MYR NOK NZD OMR PHP PLN QAR RON SAR SEK SGD THB TND TRY TWD UAH USD VND ZAR`.split(/\s+/);
const SYMBOLS: readonly (readonly [string, string])[] = [
  ['€', 'EUR'],
  ['£', 'GBP'],
  ['¥', 'JPY'],
  ['US$', 'USD'],
  ['$', 'USD'],
];

/** A number as papers print it, standing free of letters, hyphenated codes and dates. */
const NUMBER = /(?<![\p{L}\d.,'/-])\d+(?:[.,'\u2019]\d+)*(?![\p{L}\d/]|[.,'/-]\d)/gu;

/** Reads the house style of a document off all its numbers. */
export function printStyle(lines: readonly Line[]): PrintStyle {
  const text = lines.map((line) => line.cells.map((cell) => cell.text).join('  ')).join('\n');
  const currency = currencyOf(text);
  const votes = { '.': 0, ',': 0 };
  for (const [token] of text.matchAll(NUMBER)) {
    const vote = decimalVote(token, currency !== null && THREE_DECIMALS.has(currency));
    if (vote) votes[vote] += 1;
  }
  const decimal = votes[','] > votes['.'] ? ',' : '.';
  return { decimal, currency, monthFirst: decimal === '.' && (currency === 'USD' || currency === 'CAD') };
}

function decimalVote(token: string, threeDecimals: boolean): '.' | ',' | null {
  const last = /[.,](?=\d+$)/.exec(token);
  if (!last) return null;
  const mark = last[0] === ',' ? ',' : '.';
  const other = mark === ',' ? '.' : ',';
  const after = token.length - last.index - 1;
  if (token.split(mark).length > 2) return other;
  if (token.includes(other) || /['\u2019]/.test(token) || after !== 3) return mark;
  // One mark and three digits: thousands, unless the rest or the currency says that these are decimals.
  return last.index > 3 || token.startsWith('0') || threeDecimals ? mark : other;
}

/** The ISO code a text uses most, by code first and by symbol else; null when it names none. */
export function currencyOf(text: string): string | null {
  const counts = CODES.map(
    (code) => [code, text.match(new RegExp(`\\b${code}\\b`, 'g'))?.length ?? 0] as const,
  );
  const [best] = counts.filter(([, count]) => count > 0).sort((a, b) => b[1] - a[1]);
  return best?.[0] ?? SYMBOLS.find(([symbol]) => text.includes(symbol))?.[1] ?? null;
}

/** The plain decimal a printed number stands for ("-1204.375"), with every printed digit kept, or null. */
export function printedNumber(text: string, style: PrintStyle): string | null {
  let rest = text
    .replace(new RegExp(`\\b(?:${CODES.join('|')})\\b|US\\$|[€£¥$%]`, 'g'), '')
    .replace(/\u2212|\u2013/g, '-')
    .replace(/[\s\u00a0\u202f]+/g, '');
  const bracketed = /^\((.+)\)$/.exec(rest);
  rest = bracketed?.[1] ?? rest;
  const negative = bracketed !== null || rest.startsWith('-') || rest.endsWith('-');
  rest = rest.replace(/^[-+]|-$/g, '');
  // A line in another style than its page is still plain where the page's own cannot be meant: "1,5" beside "2.500".
  const match = grammar(style.decimal).exec(rest) ?? grammar(style.decimal === '.' ? ',' : '.').exec(rest);
  if (!match) return null;
  const whole = (match[1] ?? '').replace(/\D/g, '').replace(/^0+(?=\d)/, '');
  const decimals = match[2] === undefined ? '' : `.${match[2]}`;
  return `${negative && /[1-9]/.test(whole + decimals) ? '-' : ''}${whole}${decimals}`;
}

function grammar(decimal: PrintStyle['decimal']): RegExp {
  const group = decimal === '.' ? "[,'\u2019]" : "[.'\u2019]";
  return new RegExp(`^(\\d{1,3}(?:${group}\\d{3})+|\\d+)(?:\\${decimal}(\\d+))?$`);
}

const MONTHS: readonly RegExp[] = [
  /^jan/i,
  /^(feb|fév)/i,
  /^(mar|mär|maerz)/i,
  /^(apr|avr)/i,
  /^(may|mai)/i,
  /^(jun|juin)/i,
  /^(jul|juil)/i,
  /^(aug|aoû)/i,
  /^sep/i,
  /^(oct|okt)/i,
  /^nov/i,
  /^(dec|dez|déc)/i,
];

/** The ISO date a text begins with, or null. Impossible days are no dates. */
export function printedDate(text: string, style: PrintStyle): string | null {
  const t = text.trim();
  const iso =
    /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)/.exec(t) ?? /^(\d{4})年\s?(\d{1,2})月\s?(\d{1,2})日/.exec(t);
  if (iso) return isoDate(iso[1], iso[2], iso[3]);
  const dayMonth = /^(\d{1,2})(?:st|nd|rd|th|\.)?[\s-]+(\p{L}{3,9})\.?,?[\s-]+(\d{4})/u.exec(t);
  if (dayMonth) return isoDate(dayMonth[3], monthOf(dayMonth[2]), dayMonth[1]);
  const monthDay = /^(\p{L}{3,9})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})/u.exec(t);
  if (monthDay) return isoDate(monthDay[3], monthOf(monthDay[1]), monthDay[2]);
  const dotted = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})/.exec(t);
  if (dotted) return isoDate(dotted[3], dotted[2], dotted[1]);
  const slashed = /^(\d{1,2})[/-](\d{1,2})[/-](\d{4})/.exec(t);
  if (!slashed) return null;
  const monthFirst = Number(slashed[1]) > 12 ? false : Number(slashed[2]) > 12 ? true : style.monthFirst;
  return monthFirst
    ? isoDate(slashed[3], slashed[1], slashed[2])
    : isoDate(slashed[3], slashed[2], slashed[1]);
}

function monthOf(name: string | undefined): string | undefined {
  const index = MONTHS.findIndex((month) => month.test(name ?? ''));
  return index < 0 ? undefined : String(index + 1);
}

function isoDate(
  year: string | undefined,
  month: string | undefined,
  day: string | undefined,
): string | null {
  if (!year || !month || !day) return null;
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) ? text : null;
}
