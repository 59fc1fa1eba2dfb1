/** What is to happen when, the earliest first; at the same instant in the order in which it was written down. */
export class Agenda<Entry> {
  private readonly times: number[] = [];
  private readonly orders: number[] = [];
  private readonly entries: Entry[] = [];
  private written = 0;

  /** When the next entry is due; infinity when nothing is. */
  get nextAt(): number {
    return this.times[0] ?? Number.POSITIVE_INFINITY;
  }

  add(at: number, entry: Entry): void {
    let child = this.times.length;
    this.put(child, at, this.written, entry);
    this.written += 1;
    while (child > 0) {
      const parent = (child - 1) >> 1;
      if (!this.isBefore(child, parent)) return;
      this.swap(child, parent);
      child = parent;
    }
  }

  /** Takes the next entry. Undefined when nothing is due. */
  take(): Entry | undefined {
    const last = this.times.length - 1;
    if (last > 0) this.swap(0, last);
    this.times.pop();
    this.orders.pop();
    const entry = this.entries.pop();
    for (let parent = 0; ; ) {
      let least = parent;
      for (const child of [2 * parent + 1, 2 * parent + 2]) {
        if (child < last && this.isBefore(child, least)) least = child;
      }
      if (least === parent) return entry;
      this.swap(parent, least);
      parent = least;
    }
  }

  private put(at: number, time: number, order: number, entry: Entry): void {
    this.times[at] = time;
    this.orders[at] = order;
    this.entries[at] = entry;
  }

  private isBefore(one: number, other: number): boolean {
    const difference = (this.times[one] as number) - (this.times[other] as number);
    return difference === 0 ? (this.orders[one] as number) < (this.orders[other] as number) : difference < 0;
  }

  private swap(one: number, other: number): void {
    const [time, order, entry] = [this.times[one], this.orders[one], this.entries[one]];
    this.put(one, this.times[other] as number, this.orders[other] as number, this.entries[other] as Entry);
    this.put(other, time as number, order as number, entry as Entry);
  }
}
