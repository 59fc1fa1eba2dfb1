import { type Currency, MINOR_UNITS, type NumberStyle, plain, printed, sum } from './amounts.js';
import type { Chance } from './chance.js';
import { type DateStyle, later, printedDay } from './dates.js';
import type { Carry } from './paper.js';
import type { ClaimRecord } from './records.js';
import { damageText, personName } from './wording.js';

export interface ClaimOrder {
  readonly currency: Currency;
  readonly lines: number;
  readonly numbers?: NumberStyle;
  readonly dates?: DateStyle;
  /** How the deductible stands on the paper: a value, an empty field, or no field at all. */
  readonly deductible?: 'printed' | 'blank' | 'none';
  /** Amounts in smallest units, instead of drawn ones. */
  readonly amounts?: readonly bigint[];
  readonly longTexts?: boolean;
  /** Adds this many smallest units to the printed total: a paper that does not add up. */
  readonly totalOff?: bigint;
  /** Breaks the table over two pages. */
  readonly carried?: boolean;
  /** Text at the foot of the paper. */
  readonly remarks?: readonly string[];
  /** Replaces the description of the first item. */
  readonly firstItem?: string;
}

/** A claim as a record and with everything spelled as its paper prints it. */
export interface Claim {
  readonly record: ClaimRecord;
  readonly lossDate: string;
  readonly reportDate: string;
  readonly rows: readonly (readonly [description: string, amount: string])[];
  readonly total: string;
  /** Empty for a blank field, null for no field. */
  readonly deductible: string | null;
  readonly carry: Carry | null;
  readonly remarks: readonly string[];
}

export function drawClaim(chance: Chance, order: ClaimOrder): Claim {
  const decimals = MINOR_UNITS[order.currency];
  const style = order.numbers ?? 'point';
  const show = (units: bigint): string => printed(plain(units, decimals), style);
  const amounts = order.amounts ?? Array.from({ length: order.lines }, () => drawAmount(chance, decimals));
  const total = sum(amounts) + (order.totalOff ?? 0n);
  const texts = amounts.map((_, index) =>
    index === 0 && order.firstItem ? order.firstItem : damageText(chance, order.longTexts ?? false),
  );
  const deductible = BigInt(chance.whole(1, 9)) * 25n * 10n ** BigInt(decimals);
  const kind = order.deductible ?? 'printed';
  const lossDate = `2024-${String(chance.whole(1, 12)).padStart(2, '0')}-${String(chance.whole(13, 28))}`;
  const record: ClaimRecord = {
    claim_number: `CL-${chance.whole(10_000, 99_999)}`,
    policy_number: `${chance.one(['HO', 'MR', 'PX'])}-${chance.whole(100_000, 999_999)}`,
    claimant: personName(chance),
    loss_date: lossDate,
    currency: order.currency,
    line_items: amounts.map((amount, index) => ({
      description: texts[index] ?? '',
      amount: plain(amount, decimals),
    })),
    total_claimed: plain(total, decimals),
    deductible: kind === 'printed' ? plain(deductible, decimals) : kind === 'blank' ? 'blank' : 'not_printed',
  };
  const half = Math.ceil(amounts.length / 2);
  return {
    record,
    lossDate: printedDay(lossDate, order.dates ?? 'long'),
    reportDate: printedDay(later(lossDate, chance.whole(2, 20)), order.dates ?? 'long'),
    rows: amounts.map((amount, index) => [texts[index] ?? '', show(amount)] as const),
    total: show(total),
    deductible: kind === 'printed' ? show(deductible) : kind === 'blank' ? '' : null,
    carry: order.carried ? { rowsOnFirstPage: half, sum: show(sum(amounts.slice(0, half))) } : null,
    remarks: order.remarks ?? [],
  };
}

/** Between about ten and nine hundred units of the currency; every decimal is used. */
function drawAmount(chance: Chance, decimals: number): bigint {
  const scale = decimals === 0 ? 100 : 10 ** decimals;
  return BigInt(chance.whole(10 * scale, 900 * scale));
}
