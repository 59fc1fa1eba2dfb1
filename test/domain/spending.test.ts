import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDecimals } from '../../src/domain/decimal.js';
import {
  accepted,
  failed,
  failedUntold,
  given,
  granted,
  later,
  parse,
  type Step,
  waitEnded,
} from './scenario.js';

const outage = { patienceMs: 100, pauseMs: 10 };
const down = (tokens: number, amount: string) => failed('provider_unavailable', { tokens, amount });
const satOut: readonly Step[] = [later(10), waitEnded];

describe('what an attempt spent', () => {
  test('is told anew by each of its activity runs, and counted once', () => {
    // One call of 900 fails; a second one fails: 1,800 by then; a third one is answered for 700: 2,500 in all.
    const waiting = given({ outage }).when(down(900, '0.09'), ...satOut, down(1_800, '0.18'));
    expect(waiting.state).toMatchObject({ tokens: 1_800, money: [{ amount: '0.18', currency: 'USD' }] });
    const { state } = waiting.when(...satOut, parse('x', { tokens: 2_500, amount: '0.25' }));
    expect(state).toMatchObject({ tokens: 2_500, money: [{ amount: '0.25', currency: 'USD' }] });
  });

  test('comes on top of what the attempts before it spent', () => {
    // 1,000 for attempt 1; attempt 2 fails at 300, then at 600, and reports 1,100.
    const second = given({ outage }).when(parse('x', { tokens: 1_000, amount: '0.10' }), granted);
    const waiting = second.when(down(300, '0.03'), ...satOut, down(600, '0.06'));
    expect(waiting.state).toMatchObject({ tokens: 1_600, money: [{ amount: '0.16' }] });
    const { state } = waiting.when(...satOut, accepted({ tokens: 1_100, amount: '0.11' }));
    expect(state).toMatchObject({ tokens: 2_100, money: [{ amount: '0.21' }] });
  });

  test('may turn out to be less than its calls were estimated at', () => {
    const { state } = given({ outage }).when(down(4_200, '0.42'), ...satOut, accepted({ tokens: 980 }));
    expect(state.tokens).toBe(980);
  });

  test('stays what it was last when an activity run cannot tell', () => {
    const run = given({ outage }).when(down(900, '0.09'), ...satOut, failedUntold('deadline'));
    expect(run.thenStops('deadline').state).toMatchObject({ tokens: 900, money: [{ amount: '0.09' }] });
    expect(given().when(failedUntold('internal_error')).state).toMatchObject({ tokens: 0, money: [] });
  });

  test('does not strike the cap before it is spent', () => {
    // Added up, 900 and 1,800 would be over 2,000.
    const capped = given({ outage, tokenCap: 2_000 }).when(down(900, '0'), ...satOut, down(1_800, '0'));
    capped.when(...satOut).thenAttempts({ attempt: 1 });
    capped.when(...satOut, down(2_001, '0')).thenStops('token_cap');
  });
});

/** Of one activity run: it fails or reports, and tells so much, or nothing at all. */
const telling = fc.record({
  reports: fc.boolean(),
  tokens: fc.option(fc.nat(5_000), { freq: 5 }),
  cents: fc.nat(99),
});

test('a run has spent what each of its attempts told last', () => {
  const bounds = { attemptCap: 99, tokenCap: 1e9, deadlineMs: 1e9, outage: { patienceMs: 1e6, pauseMs: 1 } };
  fc.assert(
    fc.property(fc.array(telling, { maxLength: 30 }), (tellings) => {
      let run = given(bounds);
      const last = new Map<number, { tokens: number; amount: string }>();
      for (const [at, { reports, tokens, cents }] of tellings.entries()) {
        const attempt = run.state.attempts + 1;
        const costs = { tokens: tokens ?? 0, amount: `0.${String(cents).padStart(2, '0')}` };
        if (reports) run = run.when(parse(`reply ${at}`, costs));
        else if (tokens === null) run = run.when(failedUntold('provider_unavailable'));
        else run = run.when(failed('provider_unavailable', costs));
        if (reports || tokens !== null) last.set(attempt, costs);
      }
      const told = [...last.values()];
      expect(run.state.tokens).toBe(told.reduce((sum, { tokens }) => sum + tokens, 0));
      const amount = told.reduce((sum, costs) => addDecimals(sum, costs.amount), '0.00');
      expect(run.state.money).toEqual(told.length === 0 ? [] : [{ amount, currency: 'USD' }]);
      expect(run.state.ending).toBeNull();
    }),
  );
});
