/** Slots that a stream of calls keeps busy on average (Little's law): arrivals per second times seconds each. */
export function offeredLoad(perSecond: number, serviceMs: number): number {
  // Rounded to undo binary fractions: a load of 2.9999999999999996 on three slots is above capacity.
  return Math.round(perSecond * serviceMs * 1e6) / 1e9;
}

/** Fewest slots that can keep up at all: more than the load, since at exactly the load a queue never empties. */
export function fewestSlots(load: number): number {
  return Math.floor(load) + 1;
}

/**
 * Erlang C: the chance that a call finds all `slots` busy, for random (Poisson) arrivals and exponential service times.
 * 1 when the load is not below the slots: there is no steady state then.
 */
export function waitingChance(load: number, slots: number): number {
  if (load >= slots) return 1;
  // Erlang B by its recursion, which neither overflows nor loses digits for hundreds of slots.
  let blocked = 1;
  for (let slot = 1; slot <= slots; slot += 1) blocked = (load * blocked) / (slot + load * blocked);
  return blocked / (1 - (load / slots) * (1 - blocked));
}

/** Mean wait for a slot in ms (M/M/c); null when the load is not below the slots: the wait then grows with the burst. */
export function meanWaitMs(load: number, slots: number, serviceMs: number): number | null {
  if (load >= slots) return null;
  return (waitingChance(load, slots) * serviceMs) / (slots - load);
}

/** The wait in ms that 99 of 100 calls stay below (M/M/c); null when the load is not below the slots. */
export function p99WaitMs(load: number, slots: number, serviceMs: number): number | null {
  return load >= slots ? null : steadyP99(load, slots, serviceMs);
}

function steadyP99(load: number, slots: number, serviceMs: number): number {
  const chance = waitingChance(load, slots);
  return chance <= 0.01 ? 0 : (Math.log(chance / 0.01) * serviceMs) / (slots - load);
}

/** Fewest slots with which 99 of 100 calls wait at most `mostWaitMs`. */
export function slotsFor(load: number, serviceMs: number, mostWaitMs: number): number {
  const areEnough = (slots: number) => steadyP99(load, slots, serviceMs) <= mostWaitMs;
  let few = Math.floor(load);
  let many = few + 1;
  while (!areEnough(many)) [few, many] = [many, many + 2 * (many - few)];
  // Waits only fall with more slots.
  while (many - few > 1) {
    const middle = Math.floor((few + many) / 2);
    if (areEnough(middle)) many = middle;
    else few = middle;
  }
  return many;
}
