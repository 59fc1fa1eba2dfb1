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

/** Three numbers: shares with both bounds. `audits`: wrong of checked, by which each is to be lessened. */
export function shares(
  path: string,
  is: readonly Part[],
  not: readonly (number | null)[],
  audits?: readonly Part[],
): Record<string, HandWorked> {
  const worked = is.map(([part, whole], index) => {
    const [low, high] = wilson(part, whole);
    const share = whole === 0 ? null : part / whole;
    if (audits === undefined) return { share, low, high };
    const [wrong, checked] = audits[index] as Part;
    const [least, most] = wilson(wrong, checked);
    const net = share === null || checked === 0 ? null : share * (1 - wrong / checked);
    return { share: net, low: low * (1 - most), high: high * (1 - least) };
  });
  // As if one of five audited were known to be one of five of all, whichever attempt it was.
  const known = (bounds: readonly [number, number]) => bounds.map((bound) => bound * (4 / 5));
  const loose = is.map(([part, whole]) =>
    audits === undefined ? wald(part, whole) : known(wilson(part, whole)),
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
