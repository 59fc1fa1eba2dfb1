import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  dear,
  type Letter,
  letterNamed,
  letters,
  type Move,
  quick,
  slow,
  toEvent,
  untold,
} from './alphabet.js';
import { policyOf } from './explorer.js';
import { answer, begin, tell } from './oracle.js';
import { core } from './worlds.js';

const startedAt = 5_000;

const bounds = fc.record({
  cap: fc.integer({ min: 1, max: 12 }),
  deadlineMs: fc.integer({ min: 0, max: 2_000 }),
  tokenCap: fc.integer({ min: 0, max: 6_000 }),
  centCap: fc.option(fc.integer({ min: 0, max: 500 })),
  ceilings: fc
    .uniqueArray(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 6 })
    .map((all) => all.sort((a, b) => a - b)),
  priors: fc.array(fc.nat(60), { minLength: 1, maxLength: 4 }),
  patienceMs: fc.nat(100),
  pauseMs: fc.nat(40),
});

const prices = fc.constantFrom(quick, slow, dear);
const rules = ['r@/x', 'r@/y', 's@/x', 't@/z'];
const whole: fc.Arbitrary<Letter> = fc
  .record({
    is: fc.constantFrom('schema' as const, 'constraint' as const),
    candidate: fc.nat(99).map((n) => `c${n}`),
    failing: fc.subarray(rules, { minLength: 1 }),
    clash: fc.option(fc.constantFrom('r+s@/x', 'r+s@/y', 'r+t@/x'), { freq: 2 }),
    mirrored: fc.boolean(),
  })
  .map((some) => ({ ...some, name: some.candidate, mendable: true, cut: null, bytes: some.candidate }));
const unparsed = fc.nat(99).map((n): Letter => ({ ...letterNamed('x'), bytes: n === 0 ? null : `b${n}` }));
/** Replies after which a run usually goes on come up most, so that the runs get long. */
const reply = fc.oneof(
  { weight: 6, arbitrary: whole },
  { weight: 6, arbitrary: unparsed },
  { weight: 3, arbitrary: fc.constantFrom(letterNamed('cut'), letterNamed('void')) },
  { weight: 1, arbitrary: fc.constantFrom(...letters) },
);
const call: fc.Arbitrary<Move> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('report'), letter: reply, price: prices }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('fault'),
      fault: fc.constant('provider_unavailable'),
      price: fc.oneof({ weight: 3, arbitrary: prices }, { weight: 1, arbitrary: fc.constant(untold) }),
    }),
  },
);
const signal: fc.Arbitrary<Move> = fc.oneof(
  fc.record({ kind: fc.constant('cap'), to: fc.integer({ min: -2, max: 14 }) }),
  fc.record({ kind: fc.constantFrom('cancel', 'purse') }),
);
const turn = fc.record({
  call,
  granted: fc.nat(19).map((die) => die > 0),
  signal: fc.oneof({ weight: 15, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: signal }),
  delay: fc.nat(20),
});

test('long random runs are decided as the tables say, and always end', () => {
  let longest = 0;
  fc.assert(
    fc.property(bounds, fc.infiniteStream(turn), (limits, turns) => {
      let state = core.initialState(policyOf(limits), startedAt);
      let story = begin(limits);
      let now = 0;
      const make = (move: Move, at: number) => {
        now = at;
        state = core.evolve(state, toEvent(move, story.replies.length + 1, startedAt + now));
        story = tell(story, move, now);
        expect(core.decide(state, startedAt + now)).toEqual(answer(story, now));
      };
      for (let moves = 0; moves < 200; moves += 1) {
        const decision = core.decide(state, startedAt + now);
        expect(decision).toEqual(answer(story, now));
        if (decision.kind === 'land') {
          longest = Math.max(longest, story.replies.length);
          return;
        }
        const { call: made, granted, signal: sent, delay } = turns.next().value;
        if (sent !== null) make(sent, now);
        if (decision.kind === 'wait') make({ kind: 'resume' }, now + decision.pauseMs);
        else if (decision.kind === 'permit') make({ kind: granted ? 'grant' : 'deny' }, now + delay);
        else make(made, now + ('price' in made ? made.price.ms : 0));
      }
      throw new Error('the run did not end');
    }),
    { numRuns: 3_000 },
  );
  expect(longest).toBeGreaterThan(8);
});
