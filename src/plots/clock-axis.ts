import { type ClockText, clockLabel } from './markup.js';
import { apart } from './scale.js';

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
