import { addDecimals } from '../domain/decimal.js';
import type { Money } from '../domain/money.js';
import { type EstimatedShare, shareOf } from './estimated-share.js';
import type { Measure } from './measure.js';
import { netShare } from './net-share.js';
import { type AuditsBySpec, attemptsMade, type DocumentRow, madeAttempt, verifiedBy } from './rows.js';
import { countPassed, passedWithin } from './yield-report.js';

/** Documents that one repair recovered. */
export interface RecoveredBy {
  readonly attempt: number;
  readonly recovered: number;
  /** Of those whose first attempt was rejected. */
  readonly recovery: EstimatedShare;
  /** The same less what an audit of the records of this attempt found wrong. */
  readonly net: EstimatedShare;
  /** Of all that were recovered. */
  readonly ofRecovered: number;
}

/** What repairs achieved, by document. */
export interface RecoveryReport {
  /** Documents whose first attempt was rejected, and how many of them were verified later. */
  readonly failedFirst: number;
  readonly recovered: number;
  readonly recovery: EstimatedShare;
  /** Less what audits of the records of each repair, of each spec, found wrong of those. */
  readonly net: EstimatedShare;
  /** From attempt 2. */
  readonly byAttempt: readonly RecoveredBy[];
  /** Repairs made, answered or not. Recovered documents per repair flatter: they rise with attempts at easy documents. */
  readonly repairs: number;
  /** All that repairs cost, those of documents that were never recovered and those without a reply included. */
  readonly repairTokens: number;
  readonly repairCost: readonly Money[];
  /** That, for each recovered document; null when none was. */
  readonly tokensPerRecovered: number | null;
  readonly costPerRecovered: readonly Money[] | null;
  /** Of all calls, and for each verified document; null when none was verified. */
  readonly tokens: number;
  readonly cost: readonly Money[];
  readonly tokensPerVerified: number | null;
  readonly costPerVerified: readonly Money[] | null;
}

interface RecoveryState {
  verified: number;
  /** Documents whose first attempt was rejected, by how many attempts brought a reply after it. */
  readonly failedFirst: number[];
  /** By spec, and by the attempt that verified them, from 1 at index 0. */
  readonly recovered: Map<string, number[]>;
  repairs: number;
  tokens: number;
  repairTokens: number;
  /** Amounts by currency. */
  readonly cost: Map<string, string>;
  readonly repairCost: Map<string, string>;
}

/** Recovery and its price. */
export class RecoveryMeasure implements Measure {
  readonly state: RecoveryState = {
    ...{ verified: 0, failedFirst: [], recovered: new Map(), repairs: 0, tokens: 0, repairTokens: 0 },
    ...{ cost: new Map(), repairCost: new Map() },
  };

  add(document: DocumentRow): void {
    const { attempts } = document;
    const { state } = this;
    const made = attemptsMade(document);
    for (let attempt = 1; attempt <= made; attempt += 1) {
      const { tokens = 0, cost } = madeAttempt(document, attempt) ?? {};
      state.tokens += tokens;
      if (cost !== undefined) addTo(state.cost, cost);
      if (attempt === 1) continue;
      state.repairs += 1;
      state.repairTokens += tokens;
      if (cost !== undefined) addTo(state.repairCost, cost);
    }
    const by = verifiedBy(document);
    if (by !== null) state.verified += 1;
    if (attempts[0] === undefined || attempts[0].accepted) return;
    const more = attempts.length - 1;
    state.failedFirst[more] = (state.failedFirst[more] ?? 0) + 1;
    if (by !== null) countPassed(state.recovered, document.specId, by);
  }

  /** `audits` as for the yield curve. */
  report(audits: AuditsBySpec): RecoveryReport {
    const { verified, repairs, repairTokens, tokens } = this.state;
    const failedFirst = this.state.failedFirst.reduce((sum, each) => sum + (each ?? 0), 0);
    const most = this.state.failedFirst.length;
    const recovered = passedWithin(this.state.recovered, 1, most);
    const [cost, repairCost] = [moneyOf(this.state.cost), moneyOf(this.state.repairCost)];
    return {
      failedFirst,
      recovered,
      recovery: shareOf(recovered, failedFirst),
      net: netShare(this.state.recovered, audits, failedFirst, 1, most),
      byAttempt: Array.from({ length: Math.max(1, most) - 1 }, (_, index) => {
        const attempt = index + 2;
        const by = passedWithin(this.state.recovered, attempt, attempt);
        return {
          attempt,
          recovered: by,
          recovery: shareOf(by, failedFirst),
          net: netShare(this.state.recovered, audits, failedFirst, attempt, attempt),
          ofRecovered: recovered === 0 ? 0 : by / recovered,
        };
      }),
      repairs,
      repairTokens,
      repairCost,
      tokensPerRecovered: recovered === 0 ? null : repairTokens / recovered,
      costPerRecovered: recovered === 0 ? null : repairCost.map((sum) => divided(sum, recovered)),
      tokens,
      cost,
      tokensPerVerified: verified === 0 ? null : tokens / verified,
      costPerVerified: verified === 0 ? null : cost.map((sum) => divided(sum, verified)),
    };
  }
}

function addTo(amounts: Map<string, string>, { amount, currency }: Money): void {
  const known = amounts.get(currency);
  amounts.set(currency, known === undefined ? amount : addDecimals(known, amount));
}

const moneyOf = (amounts: ReadonlyMap<string, string>): readonly Money[] =>
  [...amounts].map(([currency, amount]) => ({ amount, currency }));

/** A mean, rounded to six digits. */
export function divided({ amount, currency }: Money, count: number): Money {
  return { amount: (Number(amount) / count).toFixed(6), currency };
}
