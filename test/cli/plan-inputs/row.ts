/** One input of a plan, moved by one per cent; whole numbers by one, and shares of 0 to 0.01. */
export interface Row {
  readonly input: string;
  readonly to: number | string;
  /** The cap whose figures were worked out, and all of those that depend on the input there. */
  readonly cap: number;
  readonly moves: Readonly<Record<string, number | string | null>>;
  /** Caps of which anything changes. */
  readonly caps: readonly number[];
  /** What the verdict says differently. */
  readonly verdict?: Partial<Verdict>;
  /** Instead of all that: the sentence that refuses the number. */
  readonly refused?: string;
}

export interface Verdict {
  readonly recommended: number;
  readonly decidedBy: readonly string[];
  readonly warnings: readonly string[];
}

/** Erlang C by the textbook: the terms a^n / n! of fewer than `slots` calls over that of as many, summed from the last on. */
function waitingChance(load: number, slots: number): number {
  let [term, below] = [1, 0];
  for (let calls = slots; calls >= 1; calls -= 1) {
    term *= calls / load;
    below += term;
  }
  const full = slots / (slots - load);
  return full / (below + full);
}

const p99 = (load: number, slots: number, serviceMs: number) =>
  Math.max(0, (Math.log(waitingChance(load, slots) / 0.01) * serviceMs) / (slots - load));

/** Every figure of a lane. Without slots of its own it is looked at with those it needs for `mostWaitMs`. */
export function lane(
  name: 'pool' | 'first' | 'repair',
  load: number,
  serviceMs: number,
  given: number | null,
  mostWaitMs = 2_000,
): Record<string, number | null> {
  const fewest = Math.floor(load) + 1;
  let needed = fewest;
  while (p99(load, needed, serviceMs) > mostWaitMs) needed += 1;
  const slots = given ?? needed;
  const isBelow = load < slots;
  const figures = {
    serviceMs,
    load,
    fewestSlots: fewest,
    slots: needed,
    given,
    utilisation: load / slots,
    meanWaitMs: isBelow ? (waitingChance(load, slots) * serviceMs) / (slots - load) : null,
    p99WaitMs: isBelow ? p99(load, slots, serviceMs) : null,
  };
  return Object.fromEntries(Object.entries(figures).map(([figure, value]) => [`${name}.${figure}`, value]));
}
