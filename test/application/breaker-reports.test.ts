import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createBreaker } from '../../src/adapters/cockatiel/breaker.js';
import { breakersToldEveryMs, createBreakerReports } from '../../src/application/breaker-reports.js';
import { breakerStandings } from '../../src/application/breakers.js';
import type { BreakerState } from '../../src/ports/breaker.js';
import type { BreakerStore, ReportedBreaker } from '../../src/ports/breaker-store.js';
import { CallFault } from '../../src/ports/extractor.js';
import { StoreUnavailable } from '../../src/ports/store.js';

const start = 1_800_000_000_000;
beforeEach(() => {
  vi.useFakeTimers({ now: start });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A worker with a breaker, and what it told the store. */
function worker() {
  const told: (readonly BreakerState[] | 'left')[] = [];
  let isDown = false;
  const keep = async (what: (typeof told)[number]) => {
    if (isDown) throw new StoreUnavailable('away');
    told.push(what);
  };
  const breakers: BreakerStore = {
    report: (_worker, states) => keep(states),
    leave: () => keep('left'),
    list: async () => [],
  };
  const breaker = createBreaker(() => reports.changed());
  const reports = createBreakerReports({
    ...{ store: { breakers }, breaker, worker: '1@a', provider: 'stand-in', now: Date.now },
  });
  const call = (error: Error | null) =>
    breaker
      .guard('m', async () => {
        if (error !== null) throw error;
      })
      .catch(() => undefined);
  const overloaded = new CallFault({
    ...{ kind: 'transient', faultClass: 'overloaded', status: 529, retryAfterMs: null, requestId: null },
    message: 'The model API answered status 529.',
  });
  const states = () => told.map((each) => (each === 'left' ? each : each.map(({ state }) => state)));
  return {
    ...{ reports, call, overloaded, states, told },
    settle: () => vi.advanceTimersByTimeAsync(0),
    setDown: (down: boolean) => {
      isDown = down;
    },
  };
}

describe('a worker', () => {
  it('tells nothing with a call that gets through: only of changes, and every half minute', async () => {
    const { call, overloaded, states, told, settle } = worker();
    await settle();
    // Whatever a process of the same name left behind.
    expect(states()).toEqual(['left']);
    for (let time = 0; time < 1_000; time += 1) await call(null);
    await settle();
    expect(states()).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(breakersToldEveryMs);
    expect(states().slice(1)).toEqual([['closed']]);

    for (let time = 0; time < 5; time += 1) await call(overloaded);
    await settle();
    expect(told.at(-1)).toEqual([
      {
        ...{ model: 'm', state: 'open', since: start + breakersToldEveryMs, cause: 'overloaded' },
        nextProbeAt: start + breakersToldEveryMs + 5_000,
      },
    ]);
    await vi.advanceTimersByTimeAsync(5_000);
    await call(null);
    await settle();
    expect(states().at(-1)).toEqual(['closed']);
  });

  it('tells a store that was away at the next occasion, and takes its breakers along when it leaves', async () => {
    const { reports, call, overloaded, states, settle, setDown } = worker();
    await settle();
    setDown(true);
    for (let time = 0; time < 5; time += 1) await call(overloaded);
    await settle();
    expect(states()).toEqual(['left']);
    setDown(false);
    await vi.advanceTimersByTimeAsync(breakersToldEveryMs);
    expect(states().slice(1)).toEqual([['open']]);
    await reports.stop();
    expect(states().slice(2)).toEqual(['left']);
    await vi.advanceTimersByTimeAsync(10 * breakersToldEveryMs);
    expect(states()).toHaveLength(3);
  });
});

describe('what workers told', () => {
  const breaker = (worker: string, state: BreakerState['state'], seenAt: number): ReportedBreaker => ({
    ...{ worker, model: 'm', provider: 'p', state, since: 1, cause: null, nextProbeAt: null, seenAt },
  });

  it('holds for three half minutes: then an open breaker is lost, and a closed one is nobody’s', async () => {
    const seen = start - 3 * breakersToldEveryMs;
    const list = async () => [
      breaker('open', 'open', seen),
      breaker('half', 'half_open', start),
      breaker('lost', 'half_open', seen - 1),
      breaker('closed', 'closed', seen),
      breaker('gone', 'closed', seen - 1),
    ];
    const store = { breakers: { list } } as unknown as Parameters<typeof breakerStandings>[0]['store'];
    const { open, closed, lost } = await breakerStandings({ store, now: Date.now });
    const names = (of: readonly ReportedBreaker[]) => of.map(({ worker }) => worker);
    expect([names(open), names(closed), names(lost)]).toEqual([['open', 'half'], ['closed'], ['lost']]);
  });
});
