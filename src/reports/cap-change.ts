import type { CapPlan } from '../planner/cap-plan.js';
import type { Plan } from '../planner/plan.js';
import type { ChangeRow } from '../plots/change-plot.js';
import { count, percent, time } from '../plots/words.js';

/** What moving from one cap to another changes, number by number. */
export interface ChangeOfCap {
  readonly before: number;
  readonly after: number;
  readonly rows: readonly ChangeRow[];
}

type Line = readonly [name: string, value: (cap: CapPlan) => number | null, text: (value: number) => string];

const amount = (value: number) => count(Math.round(value * 10) / 10);
const lines: readonly Line[] = [
  ['verified', ({ point }) => point.cumulative, percent],
  ['exhausted a day', ({ exhaustedPerDay }) => exhaustedPerDay, amount],
  ['reviewer hours a day', ({ reviewerHoursPerDay }) => reviewerHoursPerDay, amount],
  ['p99 of a document', ({ p99Ms }) => p99Ms, time],
  ['slots busy at the peak', ({ pool }) => pool.load, (value) => value.toFixed(2)],
  ['calls a document', ({ callsPerDocument }) => callsPerDocument, (value) => value.toFixed(3)],
  ['calls in a bad deploy', ({ worstCallsPerDocument }) => worstCallsPerDocument, (value) => `${value}x`],
  ['tokens a day', ({ tokensPerDay }) => tokensPerDay, (value) => count(Math.round(value))],
];

/**
 * From the cap in force to the recommended one; where that is the same, to one attempt fewer. Null when there is no other
 * cap that anything is known of.
 */
export function capChange({ caps, recommended }: Plan, inForce: number): ChangeOfCap | null {
  const before = Math.min(inForce, caps.length);
  const after = recommended === before ? before - 1 : recommended;
  const [from, to] = [caps[before - 1], caps[after - 1]];
  if (from === undefined || to === undefined) return null;
  return {
    before,
    after,
    rows: lines.map(([name, value, text]) => {
      const [one, other] = [value(from), value(to)];
      const said = (each: number | null) => (each === null ? 'unknown' : text(each));
      return { name, before: one, after: other, beforeText: said(one), afterText: said(other) };
    }),
  };
}
