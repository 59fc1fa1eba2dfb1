import { survivalQuantiles } from '../planner/survival.js';
import type { DocumentRow } from './rows.js';

/** How long documents took that began within a stretch of time, open ones counted as longer than so far. */
export interface LatencyLine {
  readonly from: number;
  readonly ended: number;
  readonly open: number;
  /** Null: not known yet, because too many are still open. */
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  readonly p99Ms: number | null;
}

export interface LatencyReport {
  readonly all: LatencyLine;
  /** One line for each stretch in which documents began, in order. */
  readonly lines: readonly LatencyLine[];
}

/** Of the whole population, as seen at `now` (epoch ms); `lineMs` is usually an hour: repairs cluster within hours. */
export function latencyReport(documents: readonly DocumentRow[], now: number, lineMs: number): LatencyReport {
  const byLine = new Map<number, DocumentRow[]>();
  for (const document of documents) {
    const from = Math.floor(document.startedAt / lineMs) * lineMs;
    const line = byLine.get(from) ?? [];
    line.push(document);
    byLine.set(from, line);
  }
  const lines = [...byLine].sort(([one], [other]) => one - other);
  return {
    all: lineOf(lines[0]?.[0] ?? now, documents, now),
    lines: lines.map(([from, within]) => lineOf(from, within, now)),
  };
}

function lineOf(from: number, documents: readonly DocumentRow[], now: number): LatencyLine {
  const durations = (isOpen: boolean) =>
    documents
      .filter(({ endedAt }) => (endedAt === null) === isOpen)
      .map(({ startedAt, endedAt }) => (endedAt ?? now) - startedAt)
      .sort((one, other) => one - other);
  const [ended, open] = [durations(false), durations(true)];
  const [p50Ms = null, p95Ms = null, p99Ms = null] = survivalQuantiles(ended, open, [0.5, 0.95, 0.99]);
  return { from, ended: ended.length, open: open.length, p50Ms, p95Ms, p99Ms };
}
