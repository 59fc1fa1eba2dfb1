import { describe, expect, test } from 'vitest';
import { type Reason, reasons } from '../../../src/domain/reason.js';
import { heavy, letters, quick } from './alphabet.js';
import { explore, type Findings, type World } from './explorer.js';
import { core, smallWorld, world } from './worlds.js';

/** The smallest cap at which each ending can be reached; 1 where none is named. */
const needsMore: Partial<Record<Reason, number>> = {
  repair_budget: 2,
  contradiction: 2,
  no_progress: 2,
  empty_reply: 2,
  oscillation: 3,
};

function report(name: string, explored: World): Findings {
  const startedAt = performance.now();
  const findings = explore(core, explored);
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  const [states, transitions, paths] = [findings.states, findings.transitions, findings.paths].map((count) =>
    count.toLocaleString('en'),
  );
  console.log(`${name}: ${states} states, ${transitions} transitions, ${paths} paths in ${seconds} s`);
  return findings;
}

describe('every sequence of events', () => {
  test.each([1, 2, 3])(
    'ends as the tables say, and every reason is reached, under a cap of %d',
    { timeout: 120_000 },
    (cap) => {
      const { reasons: reached } = report(
        `cap ${cap}`,
        world({ cap }, cap < 3 ? {} : { prices: [quick, heavy] }),
      );
      const expected = reasons.filter((reason) => (needsMore[reason] ?? 1) <= cap);
      expect([...reached].sort()).toEqual([...expected, 'verified'].sort());
    },
  );

  test('ends as the tables say under a cap of 4, when all replies cost the same', {
    timeout: 120_000,
  }, () => {
    const names = letters.map(({ name }) => name);
    const { reasons: reached } = report('cap 4', smallWorld({ cap: 4, deadlineMs: 1_000 }, names));
    expect(reached).toContain('oscillation');
    expect(reached).toContain('token_ceiling');
  });

  test.each<[string, Partial<World['bounds']>]>([
    ['money is what runs out', { tokenCap: 1_000_000, centCap: 100 }],
    ['outages are not sat out', { patienceMs: 0 }],
    ['a pause is as short as can be', { patienceMs: 2, pauseMs: 0 }],
    ['there is one ceiling', { ceilings: [10] }],
    ['there is no time at all', { deadlineMs: 0 }],
  ])('ends as the tables say when %s', (name, bounds) => {
    const { reasons: reached } = report(name, world({ cap: 2, ...bounds }));
    expect(reached).toContain('deadline');
  });
});
