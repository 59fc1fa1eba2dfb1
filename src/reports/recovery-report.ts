import type { Money } from '../domain/money.js';
import { addCost } from '../domain/spent.js';
import { type EstimatedShare, shareOf } from './estimated-share.js';
import { type DocumentRow, verifiedBy } from './rows.js';

/** What repairs achieved, by document. */
export interface RecoveryReport {
  /** Documents whose first attempt was rejected, and how many of them were verified later. */
  readonly failedFirst: number;
  readonly recovered: number;
  readonly recovery: EstimatedShare;
  /** From attempt 2: documents it recovered, of those that failed their first. */
  readonly byAttempt: readonly {
    readonly attempt: number;
    readonly recovered: number;
    readonly recovery: EstimatedShare;
    readonly ofRecovered: number;
  }[];
  /** Repairs made, and accepted. Their ratio flatters: it rises with attempts at easy documents. */
  readonly repairs: number;
  /** All that repairs cost, those of documents that were never recovered included. */
  readonly repairTokens: number;
  readonly repairCost: readonly Money[];
  /** That, for each recovered document; null when none was. */
  readonly tokensPerRecovered: number | null;
  readonly costPerRecovered: readonly Money[] | null;
}

export function recoveryReport(documents: readonly DocumentRow[]): RecoveryReport {
  const failed = documents.filter(({ attempts: [first] }) => first !== undefined && !first.accepted);
  const verifiers = failed.map(verifiedBy).filter((attempt) => attempt !== null);
  const recovered = verifiers.length;
  const repairs = failed.flatMap(({ attempts }) => attempts.slice(1));
  const repairTokens = repairs.reduce((sum, { tokens }) => sum + tokens, 0);
  const repairCost = repairs.reduce<readonly Money[]>((sums, { cost }) => addCost(sums, cost), []);
  const most = Math.max(1, ...failed.map(({ attempts }) => attempts.length));
  return {
    failedFirst: failed.length,
    recovered,
    recovery: shareOf(recovered, failed.length),
    byAttempt: Array.from({ length: most - 1 }, (_, index) => {
      const attempt = index + 2;
      const by = verifiers.filter((verifier) => verifier === attempt).length;
      const ofRecovered = recovered === 0 ? 0 : by / recovered;
      return { attempt, recovered: by, recovery: shareOf(by, failed.length), ofRecovered };
    }),
    repairs: repairs.length,
    repairTokens,
    repairCost,
    tokensPerRecovered: recovered === 0 ? null : repairTokens / recovered,
    costPerRecovered: recovered === 0 ? null : repairCost.map((sum) => divided(sum, recovered)),
  };
}

/** A mean, rounded to six digits. */
function divided({ amount, currency }: Money, count: number): Money {
  return { amount: (Number(amount) / count).toFixed(6), currency };
}
