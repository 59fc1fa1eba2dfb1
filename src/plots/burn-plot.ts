import { clockAxis } from './clock-axis.js';
import { drawing, element, label, line, path, rectangle } from './markup.js';
import { linearScale, roundTicks } from './scale.js';
import { count } from './words.js';

export interface BurnPlot {
  /** Tokens burnt up to each instant (epoch ms), in order. */
  readonly marks: readonly { readonly at: number; readonly tokens: number }[];
  /** When it began, and ended or is looked at. */
  readonly from: number;
  readonly until: number;
  readonly budget: number | null;
  /** What it comes to at its end if it goes on as it went; null: it has ended, or nobody can tell. */
  readonly projected: number | null;
  /** The cap that held from each instant on, the first from the beginning. */
  readonly caps: readonly { readonly at: number; readonly cap: number }[];
  readonly width: number;
  readonly height: number;
}

const [left, right, top, foot] = [52, 110, 16, 62];
/** How far beyond now a projection is drawn, in times of what has passed. */
const mostAhead = 2;

/** Tokens of a batch over time towards its budget, where it is going, and the cap that was in force meanwhile. SVG. */
export function burnPlot(plot: BurnPlot): string {
  const { marks, from, until, budget, projected, caps, width, height } = plot;
  const burnt = marks.at(-1)?.tokens ?? 0;
  const passed = Math.max(1, until - from);
  // As fast as so far; what lies beyond the drawing is cut where it leaves it.
  const leftMs = projected === null || burnt === 0 ? 0 : ((projected - burnt) / burnt) * passed;
  const aheadMs = Math.min(leftMs, mostAhead * passed);
  const reached = leftMs === 0 ? burnt : burnt + ((projected ?? burnt) - burnt) * (aheadMs / leftMs);
  const [edge, base] = [width - right, height - foot];
  const most = Math.max(1, budget ?? 0, burnt, reached);
  const x = linearScale([from, until + aheadMs], [left, edge]);
  const y = linearScale([0, most], [base, top]);
  const ticks = roundTicks(most, 4).filter(
    (tick) => tick <= most && (budget === null || Math.abs(y(tick) - y(budget)) > 12),
  );
  return drawing(width, height, says(plot), [
    ...ticks.map((tick) => line(left, y(tick), edge, y(tick), 'plot-grid')),
    ...ticks.map((tick) => label(left - 6, y(tick) + 4, short(tick), '', 'end')),
    ...(budget === null
      ? []
      : [
          line(left, y(budget), edge, y(budget), 'plot-endstop'),
          label(edge + 8, y(budget) + 4, `budget ${short(budget)}`, 'plot-strong'),
        ]),
    path(
      [
        [x(from), y(0)],
        ...marks.map(({ at, tokens }) => [x(at), y(tokens)] as const),
        // Nothing was burnt since the last ending.
        [x(until), y(burnt)],
      ],
      'plot-series',
    ),
    ...(aheadMs === 0
      ? []
      : [
          path(
            [
              [x(until), y(burnt)],
              [x(until + aheadMs), y(reached)],
            ],
            'plot-beyond',
          ),
        ]),
    element('circle', { cx: x(until), cy: y(burnt), r: 3, class: 'plot-dot' }),
    label(edge + 8, Math.max(y(burnt) + 4, budget === null ? 0 : y(budget) + 18), `burnt ${short(burnt)}`),
    ...capSteps(caps, x, until, height),
    label(edge + 8, height - 28, 'attempt cap'),
    ...hours(from, until, x, height),
  ]);
}

/** A strip under the axis: how many attempts documents had that began then. */
function capSteps(
  caps: BurnPlot['caps'],
  x: (at: number) => number,
  until: number,
  height: number,
): readonly string[] {
  return caps.flatMap(({ at, cap }, index) => {
    const end = x(caps[index + 1]?.at ?? until);
    const wide = end - x(at);
    return [
      rectangle(x(at), height - 42, Math.max(1, wide - 1), 20, 'plot-shade'),
      ...(wide < 14 ? [] : [label(x(at) + wide / 2, height - 28, String(cap), 'plot-strong', 'middle')]),
    ];
  });
}

function hours(from: number, until: number, x: (at: number) => number, height: number): readonly string[] {
  const instants = [0, 1, 2, 3, 4].map((part) => from + ((until - from) * part) / 4);
  const marks = instants.map((at) => {
    const instant = new Date(at).toISOString();
    return { name: instant.slice(11, 16), instant };
  });
  return clockAxis(marks, instants.map(x), 60, height - 5);
}

/** "30 M", "4.5 k": as short as a tick needs. */
function short(tokens: number): string {
  if (tokens >= 1_000_000) return `${Number((tokens / 1_000_000).toFixed(1))} M`;
  return tokens >= 1_000 ? `${Number((tokens / 1_000).toFixed(1))} k` : count(tokens);
}

function says({ marks, budget, projected, caps }: BurnPlot): string {
  const burnt = `${count(marks.at(-1)?.tokens ?? 0)} tokens burnt`;
  const of = budget === null ? ', without a budget' : ` of ${count(budget)}`;
  const rest = projected === null ? '' : `, ${count(projected)} projected`;
  return `${burnt}${of}${rest}. The attempt cap was ${caps.map(({ cap }) => cap).join(', then ')}.`;
}
