import { type HandWorked, number } from '../../support/hand-worked.js';

/** Bounds of the shares from which `part` of `whole` is 1.96 standard errors away: the roots of Wilson's equation. */
function wilson(part: number, whole: number): readonly [low: number, high: number] {
  if (whole === 0) return [0, 1];
  const z2 = 1.959_963_984_540_054 ** 2;
  const share = part / whole;
  // (share - p)^2 = z2 p (1 - p) / whole
  const [a, b, c] = [1 + z2 / whole, -(2 * share + z2 / whole), share ** 2];
  const root = Math.sqrt(Math.max(0, b ** 2 - 4 * a * c));
  return [(-b - root) / (2 * a), (-b + root) / (2 * a)];
}

/** The interval of the textbook: no width at 0 and 1, and too narrow for few. */
function wald(part: number, whole: number): readonly [low: number, high: number] {
  const share = whole === 0 ? 0 : part / whole;
  const half = 1.96 * Math.sqrt((share * (1 - share)) / Math.max(1, whole));
  return [share - half, share + half];
}

type Part = readonly [part: number, whole: number];
/** Documents that one attempt of one spec verified, and how many of the records that people checked were wrong. */
type Stratum = readonly [passed: number, wrong: number, checked: number];

/** Of all that passed: those that are right, at least and at most. Each stratum's width squared, and added. */
function right(strata: readonly Stratum[]): readonly [share: number | null, low: number, high: number] {
  let [sum, below, above, unseen] = [0, 0, 0, 0];
  for (const [passed, wrong, checked] of strata) {
    if (checked === 0) {
      unseen += passed;
      continue;
    }
    const [least, most] = wilson(wrong, checked);
    sum += passed * (1 - wrong / checked);
    below += (passed * (most - wrong / checked)) ** 2;
    above += (passed * (wrong / checked - least)) ** 2;
  }
  const all = strata.reduce((total, [passed]) => total + passed, 0);
  const high = Math.min(1, (sum + Math.sqrt(above) + unseen) / all);
  return [unseen > 0 ? null : sum / all, (sum - Math.sqrt(below)) / all, high];
}

/** Three numbers: shares with both bounds. `strata`: of what each is made up, to be lessened by what was wrong of it. */
export function shares(
  path: string,
  is: readonly Part[],
  not: readonly (number | null)[],
  strata?: readonly (readonly Stratum[])[],
): Record<string, HandWorked> {
  const worked = is.map(([part, whole], index) => {
    const [low, high] = wilson(part, whole);
    const share = whole === 0 ? null : part / whole;
    if (strata === undefined) return { share, low, high };
    const [net, least, most] = right(strata[index] as readonly Stratum[]);
    return {
      share: share === null || net === null ? null : share * net,
      low: low * least,
      high: high * most,
    };
  });
  // As if one of six audited were known to be one of six of all, whichever attempt it was.
  const known = (bounds: readonly [number, number]) => bounds.map((bound) => bound * (5 / 6));
  const loose = is.map(([part, whole]) =>
    strata === undefined ? wald(part, whole) : known(wilson(part, whole)),
  );
  return {
    [`${path}.share`]: number(
      worked.map(({ share }) => share),
      [...not],
    ),
    [`${path}.interval.low`]: number(
      worked.map(({ low }) => low),
      loose.map(([low = 0]) => low),
    ),
    [`${path}.interval.high`]: number(
      worked.map(({ high }) => high),
      loose.map(([, high = 0]) => high),
    ),
  };
}
