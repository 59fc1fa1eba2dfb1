import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createBreaker } from '../../../src/adapters/cockatiel/breaker.js';
import { CallsSuspended } from '../../../src/ports/breaker.js';
import { CallFault } from '../../../src/ports/extractor.js';
import { StoreUnavailable } from '../../../src/ports/store.js';

const start = 1_800_000_000_000;
beforeEach(() => {
  vi.useFakeTimers({ now: start, toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});
const pass = (ms: number) => vi.setSystemTime(Date.now() + ms);

const fault = (changes: Partial<ConstructorParameters<typeof CallFault>[0]> = {}) =>
  new CallFault({
    kind: 'transient',
    faultClass: 'overloaded',
    status: 529,
    retryAfterMs: null,
    requestId: null,
    message: 'The model API answered status 529.',
    ...changes,
  });

/** A breaker of five failures, and what became of calls to it. */
function bench() {
  const said: string[] = [];
  const breaker = createBreaker((line) => said.push(line));
  let made = 0;
  const call = (error: Error | null, model = 'm') =>
    breaker
      .guard(model, async () => {
        made += 1;
        if (error !== null) throw error;
        return 'answer';
      })
      .catch((thrown: unknown) => thrown);
  const fail = async (times: number, error: Error = fault()) => {
    for (let time = 0; time < times; time += 1) await call(error);
  };
  return { breaker, said, call, fail, made: () => made };
}

describe('a breaker', () => {
  it('opens after five calls in a row that failed on the way, and makes no further ones', async () => {
    const { breaker, call, fail, made, said } = bench();
    await fail(4);
    expect(await call(null)).toBe('answer');
    await fail(4);
    expect(breaker.suspendedUntil('m')).toBeNull();
    await fail(1);
    expect(breaker.breakers()).toEqual([
      { model: 'm', state: 'open', since: start, cause: 'overloaded', nextProbeAt: start + 5_000 },
    ]);
    const refused = await call(null);
    expect(refused).toBeInstanceOf(CallsSuspended);
    expect(refused).toMatchObject({ nextProbeAt: start + 5_000 });
    expect(made()).toBe(10);
    expect(said).toEqual([
      'warning: breaker open: calls to m fail (overloaded); the next one is tried in 5.0 s',
    ]);
  });

  it('does not count what is no fault of the way: refusals, and a store that is down', async () => {
    const { breaker, fail } = bench();
    await fail(9, fault({ kind: 'permanent', faultClass: 'rejected', status: 400 }));
    await fail(9, new StoreUnavailable('down'));
    expect(breaker.breakers()).toEqual([
      { model: 'm', state: 'closed', since: start, cause: null, nextProbeAt: null },
    ]);
  });

  it('lets one call through when its pause is over, and closes when that is answered', async () => {
    const { breaker, call, fail, made, said } = bench();
    await fail(5);
    pass(4_999);
    expect(await call(null)).toBeInstanceOf(CallsSuspended);
    pass(1);
    expect(breaker.suspendedUntil('m')).toBeNull();
    let answer = (_text: string): void => undefined;
    const probe = breaker.guard('m', () => new Promise<string>((resolve) => (answer = resolve)));
    expect(breaker.breakers()).toEqual([
      { model: 'm', state: 'half_open', since: start, cause: 'overloaded', nextProbeAt: null },
    ]);
    expect(await Promise.all([call(null), call(null)])).toEqual([
      expect.any(CallsSuspended),
      expect.any(CallsSuspended),
    ]);
    answer('back');
    expect(await probe).toBe('back');
    expect(await call(null)).toBe('answer');
    expect(made()).toBe(6);
    expect(breaker.breakers()).toMatchObject([{ state: 'closed', since: start + 5_000, cause: null }]);
    expect(said.slice(1)).toEqual([
      'breaker half-open: one call to m is tried',
      'breaker closed: calls to m get through again',
    ]);
  });

  it('doubles its pause with each probe that fails, up to a minute, and begins anew once it closed', async () => {
    const { breaker, call, fail } = bench();
    await fail(5);
    const pauses: number[] = [];
    for (let probe = 0; probe < 6; probe += 1) {
      const at = breaker.breakers()[0]?.nextProbeAt ?? 0;
      pauses.push(at - Date.now());
      vi.setSystemTime(at);
      await call(fault());
    }
    expect(pauses).toEqual([5_000, 10_000, 20_000, 40_000, 60_000, 60_000]);
    pass(60_000);
    await call(null);
    await fail(5);
    expect(breaker.suspendedUntil('m')).toBe(Date.now() + 5_000);
  });

  it('stays open as long as the provider asks, within reason', async () => {
    const { breaker, fail } = bench();
    await fail(5, fault({ faultClass: 'rate_limited', status: 429, retryAfterMs: 90_000 }));
    expect(breaker.suspendedUntil('m')).toBe(start + 90_000);
    const other = bench();
    await other.fail(5, fault({ retryAfterMs: 86_400_000 }));
    expect(other.breaker.suspendedUntil('m')).toBe(start + 300_000);
  });

  it('learns nothing from a probe that was cut short', async () => {
    const { breaker, call, fail, said } = bench();
    await fail(5);
    pass(5_000);
    await call(new DOMException('The worker shuts down.', 'AbortError'));
    expect(breaker.breakers()).toMatchObject([
      { state: 'open', since: start, cause: 'the probe was cut short', nextProbeAt: start + 15_000 },
    ]);
    expect(said.at(-1)).toContain('(the probe was cut short)');
  });

  it('takes a refusal for a sign of life', async () => {
    const { breaker, call, fail } = bench();
    await fail(5);
    pass(5_000);
    await call(fault({ kind: 'permanent', faultClass: 'rejected', status: 400 }));
    expect(breaker.suspendedUntil('m')).toBeNull();
  });

  it('is one for each model', async () => {
    const { breaker, call, fail } = bench();
    await fail(5);
    expect(await call(null, 'another')).toBe('answer');
    expect(breaker.breakers().map(({ model, state }) => `${model} ${state}`)).toEqual([
      'm open',
      'another closed',
    ]);
  });
});
