import { type ClockText, clockLabel } from './markup.js';
import { apart } from './scale.js';

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
/** Distances of clock times that people say. */
const stepsMs = [
  ...[minute, 5 * minute, 10 * minute, 30 * minute],
  ...[hour, 2 * hour, 3 * hour, 6 * hour, 12 * hour, day, 2 * day, 7 * day],
];

/** Round instants (epoch ms) from one instant to another, as many as fit with `most` steps at most; maybe none. */
export function roundInstants(from: number, until: number, most: number): readonly number[] {
  const step = stepsMs.find((each) => (until - from) / each <= most) ?? 30 * day;
  const first = Math.ceil(from / step);
  return Array.from(
    { length: Math.max(0, Math.floor(until / step) - first + 1) },
    (_, index) => (first + index) * step,
  );
}

/** Instants along an axis that leave `gap` px between one another; one that would read like the last is left out. */
export function clockAxis(
  marks: readonly ClockText[],
  places: readonly number[],
  gap: number,
  y: number,
): readonly string[] {
  const at = (index: number) => ({ mark: marks[index] as ClockText, place: places[index] as number });
  const others = marks.flatMap((mark, index) => (mark.name === marks[index - 1]?.name ? [] : [at(index)]));
  return apart(
    others.map(({ place }) => place),
    gap,
  ).map((index) => {
    const { mark, place } = others[index] as (typeof others)[number];
    return clockLabel(place, y, mark);
  });
}
