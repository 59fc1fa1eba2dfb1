import { ascending } from './ascending.js';
import { survivalQuantiles } from './survival.js';

const none = new Float64Array(0);

/** Numbers gathered one by one, eight bytes each. */
export class Samples {
  private values = none;
  private used = 0;
  private total = 0;

  get count(): number {
    return this.used;
  }

  get mean(): number {
    return this.used === 0 ? 0 : this.total / this.used;
  }

  add(value: number): void {
    this.makeRoom(1);
    this.values[this.used] = value;
    this.used += 1;
    this.total += value;
  }

  /** Adds all of these in their order, each of them larger by `base`. */
  append(values: ArrayLike<number>, base = 0): void {
    this.makeRoom(values.length);
    this.values.set(values, this.used);
    let total = 0;
    // Numbers of other types were made into ours at once: reading each as what it is would take this loop twice as long.
    const until = this.used + values.length;
    for (let index = this.used; index < until; index += 1) {
      const value = (this.values[index] as number) + base;
      this.values[index] = value;
      total += value;
    }
    this.used = until;
    this.total += total;
  }

  private makeRoom(count: number): void {
    if (this.used + count <= this.values.length) return;
    const larger = new Float64Array(Math.max(16, 2 * (this.used + count)));
    larger.set(this.values);
    this.values = larger;
  }

  /** All of them, in the order in which they came. */
  all(): Float64Array {
    return this.values.subarray(0, this.used);
  }

  /** All of them, ascending. */
  sorted(): Float64Array {
    return ascending(this.all());
  }
}

/** Samples whose order says something, as that of two lists side by side does. */
export class Series extends Samples {}

/** Durations of what ended, and so far of what is still open. */
export interface Spread {
  readonly ended: number;
  readonly open: number;
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  readonly p99Ms: number | null;
}

/** Quantiles in which what is open counts as lasting longer than it did so far. */
export function spreadOf(ended: Samples, open: Samples): Spread {
  const quantiles = survivalQuantiles(ended.sorted(), open.sorted(), [0.5, 0.95, 0.99]);
  const [p50Ms = null, p95Ms = null, p99Ms = null] = quantiles;
  return { ended: ended.count, open: open.count, p50Ms, p95Ms, p99Ms };
}
