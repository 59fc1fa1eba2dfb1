import { appendFileSync } from 'node:fs';

/** One line of docs/benchmarks.md: always a ratio or a count of one run, never a bare time. */
export interface Finding {
  readonly what: string;
  readonly measured: string;
  /** What is promised; null where nothing is. */
  readonly goal: string | null;
  readonly holds: boolean;
}

/** Where `npm run bench` gathers what its programs found: one JSON object a line. */
const file = process.env['BENCH_FINDINGS'];

/** Prints a finding, keeps it for the report, and makes the process fail when a promise does not hold. */
export function find({ what, measured, goal, holds }: Finding): void {
  if (!holds) process.exitCode = 1;
  const mark = goal === null ? '    ' : holds ? 'ok  ' : 'FAIL';
  console.log(`${mark} ${what}: ${measured}${goal === null ? '' : `, ${goal}`}`);
  if (file !== undefined) appendFileSync(file, `${JSON.stringify({ what, measured, goal, holds })}\n`);
}

/** Something worth knowing of which nothing is promised. */
export function note(what: string, measured: string): void {
  find({ what, measured, goal: null, holds: true });
}

/** `at_most` and `at_least` are written so that a NaN fails. */
export function judgeRatio(
  what: string,
  ratio: number,
  goal: { atMost: number } | { atLeast: number },
): void {
  const holds = 'atMost' in goal ? ratio <= goal.atMost : ratio >= goal.atLeast;
  const words = 'atMost' in goal ? `at most ${goal.atMost}x` : `at least ${goal.atLeast}x`;
  find({ what, measured: `${ratio.toFixed(2)}x`, goal: words, holds });
}
