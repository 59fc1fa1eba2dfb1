import type { DocumentRow } from '../reports/rows.js';
import type { ReportFilter } from './report-store.js';

/** Runs are folded by the hour in which they began. */
export const foldedMs = 3_600_000;
/** And then by the day (UTC), out of the folds of its hours. */
export const summedMs = 24 * foldedMs;

/** Which runs a fold is of, and by which version of the measures it was made. */
export interface FoldSelection extends Pick<ReportFilter, 'specId' | 'promptVersion' | 'tenant'> {
  readonly version: number;
}

/** A fold of a whole hour or day, or runs of hours of which none is kept. */
export type Folded = { readonly fold: string } | { readonly runs: readonly DocumentRow[] };

/**
 * What measures hold of the runs of an hour, kept as text that nothing here looks into. A fold is forgotten by the commit
 * that changes any run of its hour or day, or an attempt or a call of one.
 */
export interface FoldStore {
  /** All runs that began at `since` (epoch ms) or later, each in a fold or as a row, as they were at one instant. */
  read(selection: FoldSelection, since: number): AsyncIterable<Folded>;
  /**
   * When those whole hours from `since` to `until` begin of which no fold is kept and no run is open, in order. Hours
   * without runs are among them, so that nobody looks there again, unless there is no run between `since` and `until`.
   */
  missing(
    selection: FoldSelection,
    range: { readonly since: number; readonly until: number },
  ): Promise<readonly number[]>;
  /**
   * Keeps what `fold` makes of all runs of these hours, by the beginning of each. Hours of which something is being
   * written meanwhile are left out, and those for which `fold` returns nothing are not kept.
   */
  keep(
    selection: FoldSelection,
    hours: readonly number[],
    fold: (runs: AsyncIterable<readonly DocumentRow[]>) => Promise<ReadonlyMap<number, string>>,
  ): Promise<void>;
  /**
   * Keeps for each whole day from `since` to `until` what `sum` makes of the folds of its hours, in order, when all of them
   * are kept and the day is not. Days of which something is being written meanwhile are left out.
   */
  keepDays(
    selection: FoldSelection,
    range: { readonly since: number; readonly until: number },
    sum: (folds: readonly string[]) => string,
  ): Promise<void>;
  /** Forgets the folds of hours and days that began before this instant. */
  forget(before: number): Promise<void>;
}
