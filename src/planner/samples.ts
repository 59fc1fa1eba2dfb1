import { survivalQuantiles } from './survival.js';

/** Numbers gathered one by one, eight bytes each. */
export class Samples {
  private values = new Float64Array(16);
  private used = 0;
  private total = 0;

  get count(): number {
    return this.used;
  }

  get mean(): number {
    return this.used === 0 ? 0 : this.total / this.used;
  }

  add(value: number): void {
    if (this.used === this.values.length) {
      const larger = new Float64Array(2 * this.used);
      larger.set(this.values);
      this.values = larger;
    }
    this.values[this.used] = value;
    this.used += 1;
    this.total += value;
  }

  /** All of them, in the order in which they came. */
  all(): Float64Array {
    return this.values.subarray(0, this.used);
  }

  /** All of them, ascending. */
  sorted(): Float64Array {
    return this.values.slice(0, this.used).sort();
  }
}

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
