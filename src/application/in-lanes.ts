/**
 * Works off `items` in order, at most `width` at a time, and answers in the order of the items. The first failure stops
 * what has not begun; what has is waited for, then the failure is thrown.
 */
export async function inLanes<Item, Done>(
  items: readonly Item[],
  width: number,
  work: (item: Item) => Promise<Done>,
): Promise<readonly Done[]> {
  const done = new Map<number, Done>();
  const failures: unknown[] = [];
  const waiting = [...items.entries()];
  const lane = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [place, item] = next;
      try {
        done.set(place, await work(item));
      } catch (failure) {
        failures.push(failure);
        waiting.length = 0;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, lane));
  if (failures.length > 0) throw failures[0];
  return [...done].sort(([left], [right]) => left - right).map(([, result]) => result);
}
