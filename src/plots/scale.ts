/** Where a value stands, in px. */
export type Scale = (value: number) => number;

export function linearScale(values: readonly [number, number], px: readonly [number, number]): Scale {
  const [low, high] = values;
  const span = high - low || 1;
  return (value) => px[0] + ((value - low) / span) * (px[1] - px[0]);
}

/** Equal factors are equal distances. Values below `values[0]` stand where it does. */
export function logScale(values: readonly [number, number], px: readonly [number, number]): Scale {
  const scale = linearScale([Math.log(values[0]), Math.log(values[1])], px);
  return (value) => scale(Math.log(Math.max(value, values[0])));
}

/** Round values from 0 up to at least `most`, in about `count` steps. */
export function roundTicks(most: number, count: number): readonly number[] {
  const rough = Math.max(most, Number.MIN_VALUE) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5].find((each) => each * power >= rough * 0.999) ?? 10) * power;
  return Array.from({ length: Math.ceil(most / step - 1e-9) + 1 }, (_, index) => index * step);
}

/** Durations people say, in ms, for an axis of time. */
const saidMs = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 60_000, 120_000, 300_000, 600_000,
  1_800_000, 3_600_000, 7_200_000, 18_000_000, 43_200_000, 86_400_000, 172_800_000, 432_000_000,
];

/** Those within these bounds, both included. */
export function timeTicks(lowMs: number, highMs: number): readonly number[] {
  return saidMs.filter((each) => each >= lowMs && each <= highMs);
}

/** The largest of them not above `ms`, to begin an axis with. */
export function tickBelow(ms: number): number {
  return saidMs.findLast((each) => each <= ms) ?? 1;
}

/** Moves places apart downwards and, at the end of the room, back up, so that they keep `gap`; order is kept. */
export function spread(places: readonly number[], gap: number, end: number): readonly number[] {
  const order = places.map((_, index) => index).sort((one, other) => at(places, one) - at(places, other));
  const moved = [...places];
  let least = Number.NEGATIVE_INFINITY;
  for (const index of order) {
    moved[index] = Math.max(at(places, index), least);
    least = at(moved, index) + gap;
  }
  let most = end;
  for (const index of order.reverse()) {
    moved[index] = Math.min(at(moved, index), most);
    most = at(moved, index) - gap;
  }
  return moved;
}

function at(list: readonly number[], index: number): number {
  return list[index] as number;
}

/** Indexes of places along an axis, the first one included, that leave `gap` px between one another. */
export function apart(places: readonly number[], gap: number): readonly number[] {
  let next = Number.NEGATIVE_INFINITY;
  return places.flatMap((place, index) => {
    if (place < next) return [];
    next = place + gap;
    return [index];
  });
}
