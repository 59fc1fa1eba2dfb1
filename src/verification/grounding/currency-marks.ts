import { currencyCodes } from '../currencies.js';

/**
 * Signs that name one currency when nothing else is printed. `$` and `¥` are read as the currencies that need no
 * prefix for them; other dollars print a letter before it. `kr`, `Fr.` and `Rs` name several and so ground none.
 */
const marks: readonly (readonly [code: string, printed: string])[] = [
  ['EUR', '€'],
  ['GBP', '£'],
  ['USD', '$ US$'],
  ['JPY', '¥ 円 JP¥'],
  ['CNY', 'CN¥ RMB 元'],
  ['CHF', 'SFr sFr'],
  ['AUD', 'A$ AU$'],
  ['CAD', 'C$ CA$'],
  ['NZD', 'NZ$'],
  ['HKD', 'HK$'],
  ['SGD', 'S$'],
  ['TWD', 'NT$'],
  ['BRL', 'R$'],
  ['MXN', 'MX$'],
  ['INR', '₹'],
  ['KRW', '₩'],
  ['ILS', '₪'],
  ['TRY', '₺'],
  ['UAH', '₴'],
  ['VND', '₫'],
  ['PHP', '₱'],
  ['NGN', '₦'],
  ['PLN', 'zł'],
  ['CZK', 'Kč'],
  ['HUF', 'Ft'],
  ['BHD', 'BD د.ب'],
  ['KWD', 'KD د.ك'],
];

const codes = new Set(currencyCodes);

const byMark: ReadonlyMap<string, string> = new Map(
  marks.flatMap(([code, printed]) => printed.split(' ').map((mark) => [mark, code] as const)),
);

/** Everything that names this currency: its code and its signs. */
export function marksOf(code: string): readonly string[] {
  return [code, ...[...byMark].filter(([, named]) => named === code).map(([mark]) => mark)];
}

/** Words beside a number that are a currency but do not say which. */
const unspecific = new Set(['kr', 'kr.', 'Fr', 'Fr.', 'Rs', 'Rs.']);

/** The currency that a printed code or sign names; null for none, or for a sign that several share. */
export function currencyOfMark(printed: string): string | null {
  if (codes.has(printed)) return printed;
  // Letters before a dollar or yen sign make another currency of it; before other signs they are just letters.
  return byMark.get(printed) ?? byMark.get(/[^$¥]$/u.exec(printed)?.[0] ?? '') ?? null;
}

/** True for what may be glued to an amount: a code, a sign, or a sign that several currencies share. */
export function isCurrencyMark(printed: string): boolean {
  return currencyOfMark(printed) !== null || unspecific.has(printed);
}

/** Everything on a page that looks like a code or sign, wherever it stands; glued to digits or not. */
export const markPattern = /د\.[بك]|\p{L}{0,3}\p{Sc}|(?<!\p{L})\p{L}{2,3}(?!\p{L})|[円元]/gu;
