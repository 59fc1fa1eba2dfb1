import type { AttemptRow, DocumentRow } from '../../../src/reports/rows.js';
import { runs } from './runs.js';

export const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);
export const ended = runs.filter(({ endedAt }) => endedAt !== null);
export const verified = runs.filter(({ attempts }) => attempts.some(({ accepted }) => accepted));
export const replies = runs.flatMap(({ attempts }) => attempts);
export const replied = [1, 2, 3].map((n) => runs.filter(({ attempts }) => attempts.length >= n));
export const answered = (n: number) => replied[n - 1]?.length ?? 0;
export const passedBy = (n: number) => verified.filter(({ attempts }) => attempts.length === n).length;
export const own = (value: (attempt: AttemptRow) => number) =>
  sum(verified.flatMap(({ attempts }) => attempts.map(value)));
export const money = (amount: number) => amount.toFixed(6);
export const place = (values: readonly number[], share: number) =>
  [...values].sort((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? null;
/** Quantiles of those that ended, as if the open ones were not there. */
export const ofEnded = (share: number, from = 0, to = Number.POSITIVE_INFINITY) =>
  place(
    ended
      .filter(({ startedAt }) => startedAt >= from && startedAt < to)
      .map(({ startedAt, endedAt }) => (endedAt ?? 0) - startedAt),
    share,
  );
export const [early, late] = [Math.min, Math.max].map((most) =>
  most(...runs.map(({ startedAt }) => startedAt)),
) as [number, number];
export const lineOf = (from: number) => (each: DocumentRow) => each.startedAt >= late === (from === late);
export const byLine = (share: number) => [ofEnded(share, early, late), ofEnded(share, late)];
/** p99 at attempt n of those that had a reply to it. */
export const ofMade = (n: number) =>
  place(
    (replied[n - 1] ?? []).map(({ startedAt, attempts }) => (attempts[n - 1]?.endedAt ?? 0) - startedAt),
    0.99,
  );
export const meanOf = (n: number, value: (attempt: AttemptRow) => number) =>
  sum((replied[n - 1] ?? []).map(({ attempts }) => value(attempts[n - 1] as AttemptRow))) / answered(n);
export const repaired = runs.filter(
  ({ attempts, unanswered }) => attempts.length + (unanswered === null ? 0 : 1) > 1,
);
export const rejectedOf = (failureClass: string) =>
  runs.filter(({ attempts }) => attempts.some((each) => each.failureClass === failureClass)).length;
export const failed = ended.filter((each) => !verified.includes(each));
export const unverified = failed.length;
export const lostRows = ({ attempts }: DocumentRow) =>
  attempts.some(({ rules }) => rules.includes('line-count'));
export const instants = (...seconds: number[]) =>
  seconds.map((s) => new Date(early + s * 1_000).toISOString());
