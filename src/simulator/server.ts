import { Samples } from '../planner/samples.js';

/** Something that may stand in a queue. A ticket is what it holds while it stands there; another one ends its wait. */
interface Waiting {
  ticket: number;
}

/** Slots and the queue before them, first come first served. */
export class Server<Item extends Waiting> {
  readonly slots: number;
  readonly waits = new Samples();
  mostQueued = 0;
  private free: number;
  private queue: { readonly item: Item; readonly ticket: number; readonly since: number }[] = [];
  private head = 0;
  private queued = 0;
  private busySince = 0;
  private busyMs = 0;

  constructor(slots: number) {
    this.slots = slots;
    this.free = slots;
  }

  /** Takes a slot if one is free, and says whether. */
  enter(now: number): boolean {
    if (this.free === 0) return false;
    this.count(now);
    this.free -= 1;
    this.waits.add(0);
    return true;
  }

  wait(item: Item, now: number): void {
    this.queue.push({ item, ticket: item.ticket, since: now });
    this.queued += 1;
    this.mostQueued = Math.max(this.mostQueued, this.queued);
  }

  /** One that waited went away: its ticket has changed, and its place is skipped when its turn comes. */
  leave(): void {
    this.queued -= 1;
  }

  /** Gives a slot back; the next in the queue gets it and is returned. */
  release(now: number): Item | null {
    while (this.head < this.queue.length) {
      const next = this.queue[this.head] as (typeof this.queue)[number];
      this.head += 1;
      if (this.head > 1_024 && this.head * 2 > this.queue.length) {
        this.queue = this.queue.slice(this.head);
        this.head = 0;
      }
      if (next.item.ticket !== next.ticket) continue;
      this.queued -= 1;
      this.waits.add(now - next.since);
      return next.item;
    }
    this.count(now);
    this.free += 1;
    return null;
  }

  /** Share of all slots that was busy, from the beginning to now. */
  utilisation(now: number): number {
    this.count(now);
    return now === 0 || this.slots === 0 ? 0 : this.busyMs / (now * this.slots);
  }

  get busy(): number {
    return this.slots - this.free;
  }

  private count(now: number): void {
    this.busyMs += this.busy * (now - this.busySince);
    this.busySince = now;
  }
}
