import { readReport } from '../../../src/application/reports.js';
import type { Report } from '../../../src/reports/report.js';
import type { AttemptRow, DocumentRow } from '../../../src/reports/rows.js';
import { attempt, documentOf, times, unanswered } from '../documents.js';

/** Some hour, at its beginning. The report is made seven minutes later. */
export const t0 = Date.parse('2026-03-02T10:00:00Z');
const now = t0 + 420_000;
const later = t0 + 300_000;

const eur = (tokens: number) => ({ amount: String(tokens / 10_000), currency: 'EUR' });

/** Attempts of these seconds each, one after the other, 100 tokens unless told; 0.0001 EUR a token. */
function attemptsFrom(
  startedAt: number,
  ...each: readonly (Partial<AttemptRow> & { readonly s: number })[]
): AttemptRow[] {
  let at = startedAt;
  return each.map(({ s, tokens = 100, ...changes }) => {
    const begun = at;
    at += s * 1_000;
    const kept = attempt({ startedAt: begun, durationMs: s * 1_000, tokens, cost: eur(tokens), ...changes });
    return { ...kept, endedAt: at };
  });
}

const run = (
  startedAt: number,
  attempts: Parameters<typeof attemptsFrom>[1][],
  changes: Partial<DocumentRow> = {},
) => documentOf(attemptsFrom(startedAt, ...attempts), { startedAt, ...changes });

const right = { accepted: true } as const;
const rowsLost = { rules: ['line-count'] } as const;
const cut = { failureClass: 'truncated' } as const;

const calledTwice = {
  busyMs: 2_000,
  onWire: [
    [t0 + 3_000, t0 + 4_000],
    [t0 + 5_000, t0 + 6_000],
  ],
} as const;

/** Fifteen runs of fourteen documents: so few that everything about them can be worked out by hand. */
export const runs: readonly DocumentRow[] = [
  ...times(5, () => run(t0, [{ s: 1, ...right }])),
  // Lost rows, then mended by a call that was made twice: a second each, and a second between them.
  run(t0 + 2_000, [
    { s: 1, ...rowsLost },
    { s: 3, ...right, tokens: 300, calls: 2, failedCalls: 1, durationMs: 1_000, ...calledTwice },
  ]),
  run(
    t0 + 2_000,
    [
      { s: 1, failureClass: 'schema' },
      { s: 2, rules: ['dates'], tokens: 200 },
      { s: 4, ...rowsLost, tokens: 400 },
    ],
    { reason: 'attempt_cap', route: 'human_review' },
  ),
  run(t0 + 4_000, [{ s: 1.5, failureClass: 'refusal' }], { reason: 'refusal', route: 'human_review' }),
  // Five minutes later. Cut off twice, then verified.
  run(later, [
    { s: 1, ...cut },
    { s: 2, ...cut, tokens: 200 },
    { s: 5, ...right, tokens: 500 },
  ]),
  // Its second attempt was on the wire when the deadline came.
  run(later, [{ s: 1, rules: ['dates'] }], {
    ...{ reason: 'deadline', route: 'dead_letter', deadlineAt: later + 90_000, endedAt: later + 90_000 },
    unanswered: unanswered({ startedAt: later + 1_000, busyMs: 0, onWireSince: later + 1_000 }),
  }),
  // Refused its second attempt with 1.5 s left.
  run(later, [{ s: 1, rules: ['dates'] }], {
    ...{ reason: 'deadline', route: 'dead_letter', deadlineAt: later + 2_500 },
  }),
  // Never got a slot.
  run(later, [], { reason: 'deadline', route: 'dead_letter', endedAt: later + 60_000 }),
  run(later, [{ s: 1, rules: ['dates'] }], { reason: 'repair_budget', route: 'dead_letter' }),
  // Open: its third attempt is on the wire.
  run(
    later,
    [
      { s: 1, ...rowsLost },
      { s: 2, ...rowsLost, tokens: 200 },
    ],
    {
      ...{ endedAt: null, deadlineAt: later + 600_000 },
      unanswered: unanswered({
        ...{ startedAt: later + 4_000, busyMs: 0, onWireSince: later + 4_000, tokens: 650, cost: eur(650) },
      }),
    },
  ),
  run(later, [{ s: 2, ...right }], { specId: 'letter', attemptCap: 5 }),
];

/** What the store says beside the rows: 14 documents, six of eight audited records judged, twelve decisions in 36 minutes. */
const store = {
  reports: {
    extent: async () => ({
      ...{ documents: 14, runs: 15, firstAt: t0, lastAt: later, specIds: ['claim', 'letter'] },
    }),
    verdicts: async () => [
      { specId: 'claim', attempt: 1, decided: 4, defects: 1 },
      { specId: 'claim', attempt: 3, decided: 1, defects: 0 },
      { specId: 'letter', attempt: 1, decided: 1, defects: 0 },
    ],
    runs: async function* () {
      yield runs;
    },
  },
  reviews: { tally: async () => ({ decisions: 12, decidingMs: 36 * 60_000 }) },
};
const claim = { id: 'claim', repairBudget: { share: 0.5, floor: 1, windowMs: 10_000 } };
const catalogue = {
  current: (id: string) => (id === 'claim' ? claim : null),
  list: () => [
    { ...claim, constraints: [{ id: 'line-count', noticesLostRows: true }, { id: 'dates' }] },
    { id: 'letter', constraints: [{ id: 'dates' }] },
  ],
};

export function reportOfRuns(): Promise<Report> {
  const app = { store, catalogue, now: () => now } as unknown as Parameters<typeof readReport>[0];
  return readReport(app, {}, { perHour: { amount: '40', currency: 'EUR' } });
}
