import { percent } from './format.js';

/** One attempt of a yield curve. `interval` null: an expectation, not a measurement. */
export interface YieldMark {
  readonly attempt: number;
  readonly share: number;
  readonly interval: { readonly low: number; readonly high: number } | null;
}

const [wide, high] = [560, 236];
const [left, right, top, bottom] = [44, 20, 14, 26];

/** Verified share against attempts; the cap is the endstop, and what lies past it is hollow and shaded. */
export function YieldPlot({ marks, cap }: { readonly marks: readonly YieldMark[]; readonly cap: number }) {
  const lows = marks.map(({ share, interval }) => interval?.low ?? share);
  const floor = Math.max(0, Math.floor((Math.min(1, ...lows) - 0.02) * 20) / 20);
  const x = (attempt: number) => left + ((attempt - 0.5) / Math.max(1, marks.length)) * (wide - left - right);
  const y = (share: number) => top + ((1 - share) / (1 - floor)) * (high - top - bottom);
  const steps = Array.from(
    { length: Math.round((1 - floor) / 0.05) + 1 },
    (_, index) => floor + index * 0.05,
  );
  const ticks = steps.length > 7 ? steps.filter((_, index) => index % 2 === 0) : steps;
  const at = x(Math.min(cap, marks.length)) + (x(2) - x(1)) / 2;
  const says = marks.map(({ attempt, share }) => `attempt ${attempt}: ${percent(share)}`).join(', ');
  const inside = marks.filter(({ attempt }) => attempt <= cap);
  const beyond = marks.filter(({ attempt }) => attempt >= cap);
  const line = (points: readonly YieldMark[]) =>
    points.map(({ attempt, share }, index) => `${index === 0 ? 'M' : 'L'}${x(attempt)} ${y(share)}`).join('');
  return (
    <svg
      class="plot"
      viewBox={`0 0 ${wide} ${high}`}
      role="img"
      aria-label={`Verified, all attempts so far: ${says}; cap ${cap}`}
    >
      {cap < marks.length ? (
        <rect x={at} y={top} width={wide - right - at} height={high - top - bottom} class="s-shade" />
      ) : null}
      {ticks.map((share) => (
        <>
          <path d={`M${left} ${y(share)}H${wide - right}`} class="s-grid" />
          <text x={left - 8} y={y(share) + 4} class="s-text" text-anchor="end">
            {Math.round(share * 100)}
          </text>
        </>
      ))}
      <path d={line(beyond)} class="s-past" />
      <path d={line(inside)} class="s-curve" />
      {marks.map(({ attempt, share, interval }) => (
        <>
          {interval === null ? null : (
            <path
              d={`M${x(attempt)} ${y(interval.low)}V${y(interval.high)}m-4 0h8M${x(attempt) - 4} ${y(interval.low)}h8`}
              class="s-whisker"
            />
          )}
          <circle cx={x(attempt)} cy={y(share)} r="4.5" class={attempt <= cap ? 's-accent' : 's-hollow'} />
          <text
            x={x(attempt)}
            y={y(share) + (y(share) > high - bottom - 24 ? -10 : 19)}
            class={attempt <= cap ? 's-strong' : 's-text'}
            text-anchor="middle"
          >
            {(share * 100).toFixed(1)}
          </text>
          <text x={x(attempt)} y={high - 8} class="s-text" text-anchor="middle">
            {attempt}
          </text>
        </>
      ))}
      <rect x={at - 1.5} y={top - 4} width="3" height={high - top - bottom + 4} class="s-ink" />
      <text x={at + 7} y={high - bottom - 8} class="s-strong">
        cap {cap}
      </text>
      <text x="0" y={high - 8} class="s-text">
        attempt
      </text>
    </svg>
  );
}
