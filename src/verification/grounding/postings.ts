/** Numbers of lines, in reading order. */
export type Lines = Int32Array | readonly number[];

/** The first position from `low` on where this holds, as it does from there on; `high` where it does nowhere. */
export function firstAt(low: number, high: number, holds: (at: number) => boolean): number {
  let [from, to] = [low, high];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (holds(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
}

/** Which lines hold what, by a number that stands for it. Two things may share a list, so lines are read before they count. */
export interface Postings {
  linesOf(what: number): Lines;
}

/** Collects what stands on which line, lines in reading order. Plain numbers, since a text may have a million words. */
export class PostingsBuilder {
  private what = new Int32Array(1_024);
  private lines = new Int32Array(1_024);
  count = 0;

  add(what: number, line: number): void {
    if (this.count === this.what.length) {
      this.what = doubled(this.what);
      this.lines = doubled(this.lines);
    }
    this.what[this.count] = what;
    this.lines[this.count] = line;
    this.count += 1;
  }

  /** Sorted into lists by counting, which leaves each in the order in which it was added. */
  build(): Postings {
    const { what, lines, count } = this;
    let lists = 1;
    while (lists < count) lists *= 2;
    const mask = lists - 1;
    const starts = new Int32Array(lists + 1);
    const listOf = (at: number) => spread(what[at] as number) & mask;
    for (let at = 0; at < count; at += 1) starts[listOf(at) + 1] = (starts[listOf(at) + 1] as number) + 1;
    for (let list = 0; list < lists; list += 1)
      starts[list + 1] = (starts[list + 1] as number) + (starts[list] as number);
    const ends = starts.slice();
    const sorted = new Int32Array(count);
    for (let at = 0; at < count; at += 1) {
      const list = listOf(at);
      const end = ends[list] as number;
      // A line stands in a list once, however often it says so.
      if (end > (starts[list] as number) && sorted[end - 1] === lines[at]) continue;
      sorted[end] = lines[at] as number;
      ends[list] = end + 1;
    }
    return {
      linesOf(wanted) {
        const list = spread(wanted) & mask;
        return sorted.subarray(starts[list], ends[list]);
      },
    };
  }
}

/** The low bits of a product alone would follow the last characters too closely. */
function spread(hash: number): number {
  return hash ^ (hash >>> 15);
}

function doubled(full: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(full.length * 2);
  larger.set(full);
  return larger;
}
