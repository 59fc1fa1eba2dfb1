import { clockAxis } from './clock-axis.js';
import { type ClockText, clockLabel, drawing, element, label, line, path } from './markup.js';
import { linearScale, roundTicks, type Scale } from './scale.js';
import { percent } from './words.js';

export interface BudgetPlot {
  /** Repairs per primary call in the window that ends at each instant; null without primary calls. */
  readonly marks: readonly (ClockText & { readonly at: number; readonly share: number | null })[];
  /** What stands under the axis; the ends of the windows unless told. */
  readonly ticks?: readonly (ClockText & { readonly at: number })[];
  /** The share that the repair budget allows; null: there is no budget. */
  readonly budget: number | null;
  readonly width: number;
  readonly height: number;
}

const [left, right, top, foot] = [34, 92, 22, 22];

/** Repairs against primary calls over time, with the budget as the endstop and the peak named. SVG. */
export function budgetPlot(plot: BudgetPlot): string {
  const { marks, ticks: under = marks, budget, width, height } = plot;
  const known = marks.filter((mark): mark is typeof mark & { readonly share: number } => mark.share !== null);
  const most = Math.max(0.05, budget ?? 0, ...known.map(({ share }) => share));
  const [edge, base] = [width - right, height - foot];
  const y = linearScale([0, most], [base, top]);
  const [first, last] = [marks[0]?.at ?? 0, marks.at(-1)?.at ?? 0];
  const x: Scale = first === last ? () => (left + edge) / 2 : linearScale([first, last], [left, edge]);
  const ticks = roundTicks(most * 100, 4)
    .map((tick) => tick / 100)
    .filter((tick) => tick <= most && (budget === null || Math.abs(y(tick) - y(budget)) > 11));
  const peak = known.reduce<(typeof known)[number] | null>(
    (best, mark) => (best === null || mark.share > best.share ? mark : best),
    null,
  );
  const newest = known.at(-1);
  return drawing(width, height, says(plot, peak), [
    ...ticks.map((tick) => line(left, y(tick), edge, y(tick), 'plot-grid')),
    ...ticks.map((tick) => label(left - 6, y(tick) + 4, (tick * 100).toFixed(0), '', 'end')),
    path(
      marks.map(({ at, share }) => (share === null ? null : [x(at), y(share)])),
      'plot-series',
    ),
    ...(known.length === 1 && newest !== undefined
      ? [element('circle', { cx: x(newest.at), cy: y(newest.share), r: 3, class: 'plot-dot' })]
      : []),
    ...(peak === null
      ? []
      : [
          clockLabel(
            Math.min(Math.max(x(peak.at), left + 50), edge - 50),
            (budget !== null && Math.abs(y(peak.share) - y(budget)) < 20 ? y(budget) : y(peak.share)) - 7,
            peak,
            ` peak ${(peak.share * 100).toFixed(1)}`,
          ),
        ]),
    ...(budget === null
      ? []
      : [
          line(left, y(budget), edge, y(budget), 'plot-endstop'),
          label(left - 6, y(budget) + 4, (budget * 100).toFixed(0), 'plot-strong', 'end'),
          label(edge + 8, y(budget) + 4, `budget ${(budget * 100).toFixed(0)} %`, 'plot-strong'),
        ]),
    ...(newest === undefined
      ? []
      : [
          label(
            edge + 8,
            Math.max(y(newest.share) + 4, (budget === null ? 0 : y(budget)) + 18),
            `last ${percent(newest.share)}`,
            'plot-strong',
          ),
        ]),
    ...clockAxis(
      under,
      under.map(({ at }) => x(at)),
      56,
      height - 5,
    ),
  ]);
}

function says(
  { budget }: BudgetPlot,
  peak: { readonly name: string; readonly share: number } | null,
): string {
  const most =
    peak === null ? 'no primary calls' : `at most ${percent(peak.share)} of primary calls, at ${peak.name}`;
  return `Repairs over time: ${most}. ${budget === null ? 'No budget.' : `The budget is ${percent(budget)}.`}`;
}
