import type { AttemptReport } from '../domain/attempt-report.js';
import type { Ending } from '../domain/decision.js';
import { Samples, type Spread, spreadOf } from '../planner/samples.js';

/** Far more than anyone looks at, and still a fraction of a GB. */
const mostLines = 500_000;

/** One line of the timeline: what arrived in it and what became of that, and what went on meanwhile. */
export interface TimeLine {
  readonly from: number;
  readonly arrived: number;
  readonly primaries: number;
  readonly repairs: number;
  readonly failedCalls: number;
  readonly permitsDenied: number;
  readonly verified: number;
  /** Durations of the documents that arrived in this line, whenever they ended. */
  readonly latency: Spread;
  /** Slots busy and documents waiting when the line began. */
  readonly busy: Readonly<Record<string, number>>;
}

interface OpenLine {
  arrived: number;
  primaries: number;
  repairs: number;
  failedCalls: number;
  permitsDenied: number;
  verified: number;
  readonly ended: Samples;
  readonly open: Samples;
  busy: Readonly<Record<string, number>>;
}

export interface Count {
  readonly name: string;
  readonly documents: number;
}

/** Counts while a simulation runs. Documents, attempts and calls are never added together. */
export class Tally {
  readonly ended = new Samples();
  readonly open = new Samples();
  /** Attempts made and accepted, by attempt number from 1; those that ended a document without a reply are made too. */
  readonly yield: { reached: number; passed: number }[] = [];
  /** Attempts of which a call was made, however many calls that took. */
  readonly begun = { first: 0, repair: 0 };
  documents = 0;
  verified = 0;
  primaries = 0;
  repairs = 0;
  failedCalls = 0;
  permitsDenied = 0;
  tokens = 0;
  private readonly counts = {
    reasons: new Map<string, number>(),
    classes: new Map<string, number>(),
    routes: new Map<string, number>(),
  };
  private readonly lineMs: number;
  private readonly lines: OpenLine[] = [];

  constructor(lineMs: number) {
    this.lineMs = lineMs;
  }

  arrived(at: number): void {
    this.documents += 1;
    this.lineAt(at).arrived += 1;
  }

  began(attempt: number): void {
    this.begun[attempt === 1 ? 'first' : 'repair'] += 1;
  }

  called(at: number, attempt: number, failed: boolean): void {
    const line = this.lineAt(at);
    if (failed) {
      this.failedCalls += 1;
      line.failedCalls += 1;
    } else if (attempt === 1) {
      this.primaries += 1;
      line.primaries += 1;
    } else {
      this.repairs += 1;
      line.repairs += 1;
    }
  }

  denied(at: number): void {
    this.permitsDenied += 1;
    this.lineAt(at).permitsDenied += 1;
  }

  /** A document ended without a reply to this attempt. */
  unanswered(attempt: number): void {
    this.yieldOf(attempt).reached += 1;
  }

  reported({ attempt, result }: AttemptReport): void {
    const row = this.yieldOf(attempt);
    row.reached += 1;
    if (result.kind === 'accepted') row.passed += 1;
    else countUp(this.counts.classes, result.failureClass);
  }

  landed(arrivedAt: number, at: number, ending: Ending, route: string | null): void {
    this.ended.add(at - arrivedAt);
    const line = this.lineAt(arrivedAt);
    line.ended.add(at - arrivedAt);
    if (ending.kind === 'verified') {
      this.verified += 1;
      line.verified += 1;
      return;
    }
    countUp(this.counts.reasons, ending.reason);
    countUp(this.counts.routes, route ?? 'none');
  }

  stillOpen(arrivedAt: number, now: number): void {
    this.open.add(now - arrivedAt);
    this.lineAt(arrivedAt).open.add(now - arrivedAt);
  }

  /** Lines up to now are begun, each with what the slots did at that moment. */
  begin(now: number, busy: () => Readonly<Record<string, number>>): void {
    if (Math.floor(now / this.lineMs) < this.lines.length) return;
    this.lineAt(now).busy = busy();
  }

  by(what: 'reasons' | 'classes' | 'routes'): readonly Count[] {
    return [...this.counts[what]]
      .map(([name, documents]) => ({ name, documents }))
      .sort((one, other) => other.documents - one.documents || (one.name < other.name ? -1 : 1));
  }

  timeline(): readonly TimeLine[] {
    return this.lines.map(({ ended, open, ...line }, index) => ({
      from: index * this.lineMs,
      ...line,
      latency: spreadOf(ended, open),
    }));
  }

  private yieldOf(attempt: number): (typeof this.yield)[number] {
    while (this.yield.length < attempt) this.yield.push({ reached: 0, passed: 0 });
    return this.yield[attempt - 1] as (typeof this.yield)[number];
  }

  private lineAt(at: number): OpenLine {
    const index = Math.floor(at / this.lineMs);
    if (index >= mostLines) throw new RangeError('It lasts for more than 500,000 lines: lengthen lineMs.');
    while (this.lines.length <= index) {
      this.lines.push({
        arrived: 0,
        primaries: 0,
        repairs: 0,
        failedCalls: 0,
        permitsDenied: 0,
        verified: 0,
        ended: new Samples(),
        open: new Samples(),
        busy: {},
      });
    }
    return this.lines[index] as OpenLine;
  }
}

function countUp(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
