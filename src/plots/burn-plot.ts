import { clockAxis, roundInstants } from './clock-axis.js';
import { drawing, element, label, line, path, rectangle } from './markup.js';
import { linearScale, roundTicks, spread } from './scale.js';
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
  const { aheadMs, reached } = ahead(plot, burnt);
  const [edge, base] = [width - right, height - foot];
  // Nothing is drawn past the budget: what is beyond it stands beside the drawing, in figures.
  const most = Math.max(1, budget ?? Math.max(burnt, reached));
  const x = linearScale([from, until + aheadMs], [left, edge]);
  const scale = linearScale([0, most], [base, top]);
  const y = (tokens: number) => scale(Math.min(tokens, most));
  const ticks = roundTicks(most, 4).filter(
    (tick) => tick <= most && (budget === null || Math.abs(y(tick) - y(budget)) > 12),
  );
  return drawing(width, height, says(plot), [
    ...ticks.map((tick) => line(left, y(tick), edge, y(tick), 'plot-grid')),
    ...ticks.map((tick) => label(left - 6, y(tick) + 4, short(tick), '', 'end')),
    path(
      [
        [x(from), y(0)],
        ...marks.map(({ at, tokens }) => [x(Math.max(from, at)), y(tokens)] as const),
        // Nothing was burnt since the last mark.
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
    ...(budget === null ? [] : [line(left, y(budget), edge, y(budget), 'plot-endstop')]),
    element('circle', { cx: x(until), cy: y(burnt), r: 3, class: 'plot-dot' }),
    ...beside(
      [
        ...(budget === null ? [] : [[`budget ${short(budget)}`, y(budget), 'plot-strong'] as const]),
        ...(projected === null ? [] : [[`projected ${short(projected)}`, y(reached), ''] as const]),
        [`burnt ${short(burnt)}`, y(burnt), ''],
      ],
      edge + 8,
      base,
    ),
    ...capSteps(caps, x, until, height),
    label(edge + 8, height - 28, 'attempt cap'),
    ...hours(from, until, x, height),
  ]);
}

/** How far a projection is drawn, as fast as so far: to what it comes to, to the budget, or as long as is worth drawing. */
function ahead(
  { from, until, budget, projected }: BurnPlot,
  burnt: number,
): { readonly aheadMs: number; readonly reached: number } {
  if (projected === null || burnt === 0) return { aheadMs: 0, reached: burnt };
  const passed = Math.max(1, until - from);
  const msTo = (tokens: number) => Math.max(0, ((tokens - burnt) / burnt) * passed);
  const aheadMs = Math.min(
    msTo(projected),
    mostAhead * passed,
    budget === null ? Number.POSITIVE_INFINITY : msTo(budget),
  );
  return { aheadMs, reached: burnt + (burnt * aheadMs) / passed };
}

/** Words beside what they name, moved apart where they would touch. */
function beside(
  words: readonly (readonly [text: string, y: number, look: string])[],
  x: number,
  base: number,
): readonly string[] {
  const places = spread(
    words.map(([, y]) => y + 4),
    14,
    base,
  );
  return words.map(([text, y, look], index) => label(x, places[index] ?? y, text, look));
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
  const round = roundInstants(from, until, 6);
  const instants = round.length < 2 ? [from, until] : round;
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
