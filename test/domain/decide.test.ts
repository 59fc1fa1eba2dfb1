import { describe, expect, test } from 'vitest';
import { decide } from '../../src/domain/decide.js';
import { initialState } from '../../src/domain/initial-state.js';
import { samplePolicy } from './sample-policy.js';
import {
  accepted,
  batchBudgetExhausted,
  cancelRequested,
  capLowered,
  constraint,
  denied,
  failed,
  given,
  granted,
  later,
  parse,
  startedAt,
  truncated,
  waitEnded,
} from './scenario.js';

describe('the first attempt', () => {
  test('runs in the first lane, at the first ceiling, with nothing to tell and without a permit', () => {
    expect(given().decision()).toEqual({
      kind: 'attempt',
      attempt: 1,
      lane: 'first',
      model: 'model-a',
      maxTokens: 1_500,
      feedback: { kind: 'none' },
      estimateMs: 2_000,
    });
  });

  test('is decided the same way by a state that went through JSON and back', () => {
    const { state, now } = given().when(constraint('A', ['sum@/total']), granted);
    expect(decide(JSON.parse(JSON.stringify(state)), now)).toEqual(decide(state, now));
  });
});

describe('a repair', () => {
  test('asks for a permit before it may start, and then runs in the repair lane', () => {
    given().when(parse('x')).thenAsksForPermit(2).when(granted).thenAttempts({ attempt: 2, lane: 'repair' });
  });

  test('that is denied its permit stops the run', () => {
    given().when(parse('x'), denied).thenStops('repair_budget');
  });

  test('needs a permit of its own: the last attempt’s does not count', () => {
    given().when(parse('x'), granted, parse('y')).thenAsksForPermit(3);
  });

  test('keeps its permit over a wait', () => {
    given({ outage: { patienceMs: 1_000, pauseMs: 1_000 } })
      .when(parse('x'), granted, failed('provider_unavailable'))
      .thenWaits(1_000)
      .when(later(1_000), waitEnded)
      .thenAttempts({ attempt: 2, lane: 'repair' });
  });

  test('uses the model of its attempt index, the last one repeating', () => {
    const run = given({ models: ['small', 'large'] });
    run.thenAttempts({ model: 'small' });
    run.when(parse('x')).thenAttempts({ model: 'large' });
    run.when(parse('x'), parse('y')).thenAttempts({ model: 'large' });
  });
});

describe('before an attempt', () => {
  test('a requested cancel stops the run', () => {
    given().when(cancelRequested).thenStops('cancelled');
  });

  test('a cancel while the permit is asked for stops the run, granted or not', () => {
    given().when(parse('x'), cancelRequested, granted).thenStops('cancelled');
    given().when(parse('x'), cancelRequested, denied).thenStops('cancelled');
  });

  test('attempts at the cap stop the run', () => {
    const run = given({ attemptCap: 2 }).when(parse('x'));
    run.thenAttempts({ attempt: 2 });
    run.when(parse('y')).thenStops('attempt_cap');
  });

  test('a cap of one allows one attempt', () => {
    given({ attemptCap: 1 }).thenAttempts({ attempt: 1 }).when(parse('x')).thenStops('attempt_cap');
  });

  test('a batch may lower the cap while the run goes on', () => {
    given().when(parse('x'), capLowered(1)).thenStops('attempt_cap');
    given().when(capLowered(2), parse('x')).thenAttempts({ attempt: 2 });
  });

  test('a lowered cap is never raised again, and never falls below one', () => {
    given().when(capLowered(1), capLowered(3), parse('x')).thenStops('attempt_cap');
    expect(given().when(capLowered(9)).state.cap).toBe(3);
    for (const cap of [0, -4, 0.5, Number.NEGATIVE_INFINITY]) {
      given().when(capLowered(cap)).thenAttempts({ attempt: 1 }).when(parse('x')).thenStops('attempt_cap');
    }
  });

  test('a lowered cap that is not a number leaves the cap alone, and a fraction is rounded down', () => {
    expect(given().when(capLowered(Number.NaN)).state.cap).toBe(3);
    expect(given().when(capLowered(2.9)).state.cap).toBe(2);
  });

  test('a cap lowered while a call is in flight lets that call end', () => {
    given().when(parse('x'), granted, capLowered(1), accepted()).thenVerifies(2);
  });

  test('tokens over their cap stop the run although only failed calls spent them', () => {
    given({ tokenCap: 100, outage: { patienceMs: 500, pauseMs: 500 } })
      .when(failed('provider_unavailable', { tokens: 101 }))
      .thenStops('token_cap');
  });

  test('an attempt that would pass the deadline does not start', () => {
    const run = given({ deadlineMs: 5_000, estimateMs: [3_000] });
    run.when(later(2_000)).thenAttempts({ attempt: 1 });
    run.when(later(2_001)).thenStops('deadline');
  });

  test('case 36: five seconds, an estimate of three, and a first attempt of three leave no second one', () => {
    given({ deadlineMs: 5_000, estimateMs: [3_000] })
      .when(parse('x', { ms: 3_000 }))
      .thenStops('deadline');
  });

  test('a permit that comes too late meets the deadline first', () => {
    given({ deadlineMs: 5_000 }).when(parse('x'), later(4_000), denied).thenStops('deadline');
  });

  test('a batch without money left makes no first call', () => {
    given().when(batchBudgetExhausted).thenStops('batch_budget');
  });

  test('a batch that runs out of money while the first call is in flight makes no second one', () => {
    given().when(batchBudgetExhausted, accepted()).thenVerifies(1);
    given().when(batchBudgetExhausted, parse('x')).thenStops('attempt_cap');
  });
});

describe('the estimate', () => {
  test('is the prior of the attempt index, the last one repeating', () => {
    const run = given({ estimateMs: [1_000, 3_000] });
    run.thenAttempts({ estimateMs: 1_000 });
    run.when(parse('x')).thenAttempts({ estimateMs: 3_000 });
    run.when(parse('x'), parse('y')).thenAttempts({ estimateMs: 3_000 });
  });

  test('is this document’s own slowest attempt when that is larger', () => {
    given()
      .when(parse('x', { ms: 7_000 }), parse('y', { ms: 500 }))
      .thenAttempts({ estimateMs: 7_000 });
  });

  test('grows with the ceiling after a truncation, from whichever is larger, in whole milliseconds', () => {
    given().when(truncated()).thenAttempts({ estimateMs: 4_000 });
    given()
      .when(truncated({ ms: 3_001 }), truncated({ ms: 5_000 }))
      .thenAttempts({ maxTokens: 4_000, estimateMs: 6_667 });
  });

  test('grows for the attempt right after the truncation only', () => {
    given().when(truncated(), parse('x')).thenAttempts({ maxTokens: 3_000, estimateMs: 2_000 });
  });
});

describe('a policy under which a run might not end', () => {
  test('is refused with the bound that is wrong', () => {
    expect(() => initialState(samplePolicy({ attemptCap: Number.NaN }), startedAt)).toThrow(
      'attemptCap must be a whole number of at least 1.',
    );
  });
});
