import { expect, test } from 'vitest';
import type { ExtractionEvent } from '../../../src/domain/event.js';
import type { ExtractionState } from '../../../src/domain/state.js';
import { type Core, explore } from './explorer.js';
import { core, smallWorld } from './worlds.js';

/** A core that does one thing wrong after each event of a run that has not ended. */
const spoilt = (
  wrong: (
    after: ExtractionState,
    event: ExtractionEvent,
    before: ExtractionState,
  ) => Partial<ExtractionState>,
): Partial<Core> => ({
  evolve: (before, event) => {
    const after = core.evolve(before, event);
    return before.ending === null ? { ...after, ...wrong(after, event, before) } : after;
  },
});

const changesAfterTheEnd: Partial<Core> = {
  evolve: (state, event) =>
    event.kind === 'CapLowered' && state.ending !== null ? { ...state, cap: 1 } : core.evolve(state, event),
};

const isTruncated = (event: ExtractionEvent) =>
  event.kind === 'AttemptReported' &&
  event.report.result.kind === 'rejected' &&
  event.report.result.failureClass === 'truncated';

/** Too little time for all, time for all, and time for all with tokens for two calls. */
const worlds = [{ deadlineMs: 55 }, { deadlineMs: 400 }, { deadlineMs: 400, tokenCap: 250 }].map((bounds) =>
  smallWorld(bounds, ['ok', 'refuses', 'cut', 'x', 'void', 'A:r', 'B:s', 'A:clash', 'B:clash']),
);
const differs = /^decided .* where the table says/;

test('a sound core passes in the worlds of the planted faults', () => {
  for (const world of worlds) expect(explore(core, world).paths).toBeGreaterThan(1_000);
});

test.each<[string, Partial<Core>, RegExp]>([
  [
    'starts although a cancel was requested',
    { decide: (state, now) => core.decide({ ...state, cancelRequested: false }, now) },
    differs,
  ],
  [
    'is off by one at the deadline',
    { decide: (state, now) => core.decide({ ...state, deadlineAt: state.deadlineAt - 1 }, now) },
    differs,
  ],
  [
    'repairs without a permit',
    {
      decide: (state, now) =>
        core.decide({ ...state, permit: { attempt: state.attempts + 1, granted: true } }, now),
    },
    differs,
  ],
  [
    'lets a batch raise the cap',
    spoilt((after, event) => ({ cap: event.kind === 'CapLowered' ? event.cap + 9 : after.cap })),
    /^cap 2 moved the cap to 11/,
  ],
  [
    'counts a transport fault as an attempt',
    spoilt((after, event) => ({ attempts: after.attempts + (event.kind === 'AttemptFailed' ? 1 : 0) })),
    /^provider_unavailable counted as an attempt/,
  ],
  [
    'never uses up its patience',
    spoilt((_after, _event, before) => ({ patienceLeftMs: before.patienceLeftMs })),
    differs,
  ],
  [
    'forgets the permit over a wait',
    spoilt((after, event) => ({ permit: event.kind === 'WaitEnded' ? null : after.permit })),
    differs,
  ],
  [
    'goes on after a refusal',
    spoilt((after) => (after.lastClass === 'refusal' ? { ending: null } : {})),
    differs,
  ],
  [
    'lets a cancel beat an accepted record',
    spoilt((after, event) =>
      event.kind === 'AttemptReported' && after.cancelRequested ? { ending: null } : {},
    ),
    differs,
  ],
  ['changes after the end', changesAfterTheEnd, /after the end changed the run/],
  [
    'drops the feedback of a call that was cut off',
    spoilt((after, event) => ({ feedback: isTruncated(event) ? { kind: 'none' } : after.feedback })),
    differs,
  ],
  [
    'asks again at the ceiling that was hit',
    spoilt((after, _event, before) => ({ maxTokens: before.maxTokens, cutAtTokens: after.maxTokens })),
    differs,
  ],
  [
    'lowers the ceiling again',
    spoilt((after, event) =>
      event.kind === 'AttemptReported' && !isTruncated(event) ? { maxTokens: 10 } : after,
    ),
    /lowered the ceiling/,
  ],
  [
    'remembers the last candidate only',
    spoilt((after) => ({ candidates: after.candidates.slice(-1) })),
    differs,
  ],
  [
    'forgets an unparsed reply once another came',
    spoilt((after) => (after.lastClass === 'parse' ? {} : { lastUnparsedHash: null })),
    differs,
  ],
  ['does not scale the estimate', spoilt((after) => ({ cutAtTokens: after.maxTokens })), differs],
  [
    'does not count what a failed call spent',
    spoilt((after, event, before) => ({
      tokens: event.kind === 'AttemptFailed' ? before.tokens : after.tokens,
    })),
    differs,
  ],
  [
    'counts what an attempt spent each time it is told',
    spoilt((after, event, before) => {
      const { settled } = before;
      const told = event.kind.startsWith('Attempt') ? after.tokens - settled.tokens : 0;
      return { tokens: before.tokens + told };
    }),
    differs,
  ],
  [
    'forgets what earlier attempts spent',
    spoilt((_after, _event, before) => ({ settled: before.settled })),
    differs,
  ],
  [
    'keeps what JSON cannot',
    spoilt((after) => (after.resumeAt === null ? {} : { slowestMs: Number.POSITIVE_INFINITY })),
    /not plain JSON data|where the table says/,
  ],
])('a core that %s is found out', (_, wrong, says) => {
  const walk = () => worlds.map((world) => explore({ ...core, ...wrong }, world));
  expect(walk).toThrow(says);
});
