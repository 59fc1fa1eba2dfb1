import { describe, expect, it } from 'vitest';
import type { PlanInput } from '../../src/planner/plan-input.js';
import { planScenarios } from '../../src/planner/scenarios.js';
import { createCommandLine, jsonLines } from './command-line.js';
import { claims } from './plan-inputs/claims.js';
import { monthEnd } from './plan-inputs/month-end.js';
import { ofPricedClaims, pricedClaims } from './plan-inputs/priced-claims.js';
import type { Row, Verdict } from './plan-inputs/row.js';

type Leaf = number | string | null;

/** Numbers by where they stand, money as its amount; words are no numbers. */
function leaves(value: unknown, at = '', found = new Map<string, Leaf>()): Map<string, Leaf> {
  if (value !== null && typeof value === 'object') {
    for (const [name, each] of Object.entries(value)) leaves(each, at === '' ? name : `${at}.${name}`, found);
  } else if (typeof value === 'number' || value === null || at.endsWith('.amount')) {
    found.set(at, value as Leaf);
  }
  return found;
}

const isSame = (one: Leaf | undefined, other: Leaf | undefined) =>
  typeof one === 'number' && typeof other === 'number'
    ? Math.abs(one - other) <= 1e-6 * Math.max(1, Math.abs(other))
    : one === other;

/** What `endstop plan --json` prints of these numbers. */
async function planned(input: unknown) {
  const line = createCommandLine();
  const ran = await line.run('plan', '--from', line.file('plan.json', JSON.stringify(input)), '--json');
  if (ran.code !== 0) return { error: ran.error, caps: [], verdict: null };
  const [made] = jsonLines(ran) as unknown as [{ caps: object[]; decidedBy: { says: string }[] } & Verdict];
  const { recommended, decidedBy, warnings } = made;
  const verdict = { recommended, decidedBy: decidedBy.map(({ says }) => says), warnings };
  return { error: '', caps: made.caps.map((cap) => leaves(cap)), verdict };
}

function changed(input: PlanInput, path: string, to: number | string): unknown {
  const copy = JSON.parse(JSON.stringify(input)) as Record<string, unknown>;
  const names = path.split('.');
  let at = copy;
  for (const name of names.slice(0, -1)) at = at[name] as Record<string, unknown>;
  const last = names.at(-1) as string;
  if (typeof at[last] !== typeof to) throw new Error(`There is no input ${path}.`);
  at[last] = to;
  return copy;
}

const numbersOf = (input: PlanInput) =>
  [...leaves(input)].filter(([, value]) => value !== null).map(([path]) => path);

const worlds: readonly (readonly [name: string, input: PlanInput, rows: readonly Row[]])[] = [
  ['claims', planScenarios.claims, claims],
  ['month-end', planScenarios['month-end'], monthEnd],
  ['claims with prices', pricedClaims, ofPricedClaims],
];

describe.each(worlds)('given the numbers of %s', (name, input, rows) => {
  const cases = rows.map((row) => ({ ...row, from: leaves(input).get(row.input) }));

  it.each(cases)(
    'when $input goes from $from to $to, then what depends on it is what hand calculation says, and the rest stays',
    async ({ input: path, to, cap, moves, caps, verdict, refused }) => {
      const [before, after] = [await planned(input), await planned(changed(input, path, to))];
      if (refused !== undefined) {
        expect(after.error).toContain(refused);
        return;
      }
      expect(after.error).toBe('');
      const moved = after.caps.map((figures, index) => {
        const old = before.caps[index] ?? new Map<string, Leaf>();
        return [...figures]
          .filter(([figure, value]) => !isSame(value, old.get(figure)))
          .map(([figure]) => figure);
      });
      const figures = after.caps[cap - 1] ?? new Map<string, Leaf>();
      for (const [figure, value] of Object.entries(moves)) {
        expect(figures.has(figure), figure).toBe(true);
        const got = figures.get(figure);
        expect(isSame(got, value), `${figure}: ${got} against ${value}`).toBe(true);
      }
      expect(moved[cap - 1]?.filter((figure) => !(figure in moves))).toEqual([]);
      expect(moved.flatMap((list, index) => (list.length === 0 ? [] : [index + 1]))).toEqual(caps);
      expect(after.verdict).toEqual({ ...before.verdict, ...verdict });
    },
  );

  it('when its inputs are listed, then none is missing from the table', () => {
    const covered = new Set(
      [...rows, ...(name === 'claims with prices' ? claims : [])].map((row) => row.input),
    );
    expect([...covered].sort()).toEqual(numbersOf(input).sort());
  });
});
