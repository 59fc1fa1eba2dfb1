/** What stands on each line, by what it is looked up by. A line is sorted once, so that one of everything is no slower. */
export class ByKey<P> {
  private readonly lines = new Map<number, ReadonlyMap<string, readonly P[]>>();
  private readonly placesOn: (line: number) => readonly P[];
  private readonly keysOf: (place: P) => readonly string[];

  constructor(placesOn: (line: number) => readonly P[], keysOf: (place: P) => readonly string[]) {
    this.placesOn = placesOn;
    this.keysOf = keysOf;
  }

  /** In reading order. */
  on(line: number, key: string): readonly P[] {
    const known = this.lines.get(line) ?? grouped(this.placesOn(line), this.keysOf);
    this.lines.set(line, known);
    return known.get(key) ?? [];
  }
}

/** Places by their keys, in the order in which they come. */
export function grouped<P>(
  places: readonly P[],
  keysOf: (place: P) => readonly string[],
): ReadonlyMap<string, readonly P[]> {
  const groups = new Map<string, P[]>();
  for (const place of places) {
    for (const key of keysOf(place)) {
      const known = groups.get(key);
      if (known === undefined) groups.set(key, [place]);
      else known.push(place);
    }
  }
  return groups;
}
