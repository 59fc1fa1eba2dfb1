import { wilsonInterval } from '../domain/wilson-interval.js';
import { type EstimatedShare, shareOf } from './estimated-share.js';
import type { AuditsBySpec, AuditTally } from './rows.js';

/** Documents that one attempt of one spec verified, and what people found who checked records of just these. */
interface Stratum {
  readonly passed: number;
  readonly audit: AuditTally;
}

const nobody: AuditTally = { decided: 0, defects: 0 };

/**
 * The share of `whole` documents that attempts `from` to `to` verified with a right record: a stratified estimate, the sum
 * over specs and attempts of passed x (1 - wrong / checked), so that what was checked of one counts for no other. Null
 * where one of them verified documents and nobody checked any.
 *
 * The interval multiplies the bounds of two shares, so it is wider than 95 %: of the documents that were verified (Wilson),
 * and of those that are right (each stratum's Wilson bounds, combined by square and add, after Newcombe, with the strata's
 * numbers of documents as weights). What nobody checked may be all wrong or all right.
 */
export function netShare(
  passedBySpec: ReadonlyMap<string, readonly number[]>,
  audits: AuditsBySpec,
  whole: number,
  from: number,
  to: number,
): EstimatedShare {
  const strata = [...passedBySpec].flatMap(([specId, passed]) =>
    passed.slice(from - 1, to).map((each = 0, index) => ({
      ...{ passed: each, audit: audits.get(specId)?.[from - 1 + index] ?? nobody },
    })),
  );
  return lessWrong(
    strata.filter(({ passed }) => passed > 0),
    whole,
  );
}

function lessWrong(strata: readonly Stratum[], whole: number): EstimatedShare {
  const passed = strata.reduce((sum, each) => sum + each.passed, 0);
  const verified = shareOf(passed, whole);
  const checked = strata.filter(({ audit }) => audit.decided > 0);
  const unknown = checked.length < strata.length;
  let [right, below, above, uncheckable] = [0, 0, 0, passed];
  for (const { passed: each, audit } of checked) {
    const rate = 1 - audit.defects / audit.decided;
    const { low, high } = wilsonInterval(audit.decided - audit.defects, audit.decided);
    right += each * rate;
    below += (each * (rate - low)) ** 2;
    above += (each * (high - rate)) ** 2;
    uncheckable -= each;
  }
  const ofPassed = (documents: number) => (passed === 0 ? 1 : documents / passed);
  return {
    share: whole === 0 || unknown ? null : right / whole,
    interval: {
      low: verified.interval.low * ofPassed(right - Math.sqrt(below)),
      high: verified.interval.high * Math.min(1, ofPassed(right + Math.sqrt(above) + uncheckable)),
    },
  };
}
