import { describe, expect, test } from 'vitest';
import type { ExtractionEvent } from '../../src/domain/event.js';
import { evolve } from '../../src/domain/evolve.js';
import { faults } from '../../src/domain/fault.js';
import {
  accepted,
  batchBudgetExhausted,
  cancelRequested,
  capLowered,
  denied,
  failed,
  given,
  granted,
  later,
  parse,
  schema,
  startedAt,
  waitEnded,
} from './scenario.js';

describe('around an attempt', () => {
  test.each(faults)('%s without patience stops with that very reason, and is no attempt', (fault) => {
    const run = given().when(failed(fault)).thenStops(fault);
    expect(run.state).toMatchObject({
      attempts: 0,
      ending: { attempts: 0, repliesRead: 0, failureClass: null },
    });
  });

  test.each(faults)('%s after a reply keeps the class of that reply', (fault) => {
    const run = given().when(schema('A'), failed(fault)).thenStops(fault);
    expect(run.state.ending).toMatchObject({ attempts: 1, repliesRead: 1, failureClass: 'schema' });
  });

  test.each(faults)('a cancel comes before %s', (fault) => {
    given({ outage: { patienceMs: 9, pauseMs: 1 } })
      .when(cancelRequested, failed(fault))
      .thenStops('cancelled');
  });

  test.each(faults.filter((fault) => fault !== 'provider_unavailable'))('%s never waits', (fault) => {
    given({ outage: { patienceMs: 9, pauseMs: 1 } })
      .when(failed(fault))
      .thenStops(fault);
  });

  test('what failed calls spent is counted', () => {
    const { state } = given().when(failed('internal_error', { tokens: 700, amount: '0.5' }));
    expect(state).toMatchObject({ tokens: 700, money: [{ amount: '0.5', currency: 'USD' }] });
  });
});

describe('a provider outage', () => {
  const outage = { patienceMs: 25_000, pauseMs: 10_000 };

  test('case 37: is sat out, and the same attempt follows with the same request', () => {
    const run = given({ outage }).when(schema('A'), granted);
    const before = run.decision();
    const waiting = run.when(failed('provider_unavailable')).thenWaits(10_000);
    expect(waiting.when(later(10_000), waitEnded).decision()).toEqual(before);
  });

  test('keeps the first attempt in the first lane', () => {
    given({ outage })
      .when(failed('provider_unavailable'), later(10_000), waitEnded)
      .thenAttempts({ attempt: 1, lane: 'first' });
  });

  test('is sat out until the patience is used up, the last pause being what is left of it', () => {
    let run = given({ outage });
    for (const pauseMs of [10_000, 10_000, 5_000]) {
      run = run.when(failed('provider_unavailable')).thenWaits(pauseMs).when(later(pauseMs), waitEnded);
    }
    run.when(failed('provider_unavailable')).thenStops('provider_unavailable');
  });

  test('is not sat out when the pause and the attempt after it pass the deadline', () => {
    const run = given({ outage, deadlineMs: 12_001 });
    run.when(failed('provider_unavailable', { ms: 1 })).thenWaits(10_000);
    run.when(failed('provider_unavailable', { ms: 2 })).thenStops('provider_unavailable');
  });

  test('a pause of zero is taken as one millisecond, so that waiting always moves on', () => {
    given({ outage: { patienceMs: 5, pauseMs: 0 } })
      .when(failed('provider_unavailable'))
      .thenWaits(1);
  });

  test('asked again in the middle of the pause, only the rest is waited', () => {
    given({ outage })
      .when(failed('provider_unavailable'), later(4_000))
      .thenWaits(6_000)
      .when(later(6_000))
      .thenAttempts({ attempt: 1 });
  });

  test('the timer’s word is taken although the clock says earlier', () => {
    given({ outage })
      .when(failed('provider_unavailable'), later(9_999), waitEnded)
      .thenAttempts({ attempt: 1 });
  });

  test('a cancel, a lowered cap or an empty batch purse ends the pause', () => {
    const run = given({ outage }).when(failed('provider_unavailable'));
    run.when(cancelRequested).thenStops('cancelled');
    run.when(batchBudgetExhausted).thenStops('batch_budget');
    given({ outage })
      .when(parse('x'), granted, failed('provider_unavailable'), capLowered(1))
      .thenStops('attempt_cap');
  });

  test('a WaitEnded without a wait changes nothing', () => {
    const run = given();
    expect(run.when(waitEnded).state).toEqual(run.state);
  });
});

describe('after the end', () => {
  const late: readonly ExtractionEvent[] = [
    { kind: 'CancelRequested', at: startedAt },
    { kind: 'CapLowered', at: startedAt, cap: 1 },
    { kind: 'BatchBudgetExhausted', at: startedAt },
    { kind: 'PermitGranted', at: startedAt, attempt: 2 },
    { kind: 'PermitDenied', at: startedAt, attempt: 2 },
    { kind: 'WaitEnded', at: startedAt },
    {
      kind: 'AttemptFailed',
      at: startedAt,
      attempt: 2,
      fault: 'deadline',
      spending: { tokens: 1, cost: { amount: '1', currency: 'USD' }, known: true },
    },
  ];

  test.each(late)('$kind changes nothing', (event) => {
    for (const { state } of [given().when(accepted()), given().when(failed('internal_error'))]) {
      expect(evolve(state, event)).toBe(state);
    }
  });

  test('a late report changes nothing', () => {
    const run = given().when(parse('x'), parse('x'));
    expect(run.when(accepted()).state).toBe(run.state);
  });

  test('a denied permit stays denied for its attempt whatever is signalled later', () => {
    given().when(parse('x'), denied, capLowered(2)).thenStops('repair_budget');
  });
});
