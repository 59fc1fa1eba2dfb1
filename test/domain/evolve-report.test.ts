import { describe, expect, test } from 'vitest';
import {
  accepted,
  cancelRequested,
  constraint,
  empty,
  given,
  overflowed,
  parse,
  refusal,
  schema,
  truncated,
  verifierFault,
} from './scenario.js';

describe('after an attempt: the run ends', () => {
  test('accepted verifies, at any attempt', () => {
    given().when(accepted()).thenVerifies(1);
    given().when(parse('x'), schema('A'), accepted()).thenVerifies(3);
  });

  test('accepted beats a cancel that arrived meanwhile, and money or tokens over their cap', () => {
    given().when(cancelRequested, accepted()).thenVerifies(1);
    given({ tokenCap: 1 })
      .when(accepted({ tokens: 500 }))
      .thenVerifies(1);
  });

  test('a cancel beats every other ending', () => {
    for (const step of [refusal, verifierFault, overflowed, parse('x')]) {
      given().when(cancelRequested, step).thenStops('cancelled');
    }
  });

  test('a rule that threw stops the run as the verifier’s fault, never the model’s', () => {
    given().when(verifierFault).thenStops('verifier_fault');
  });

  test('case 19: a refusal stops at once, with one call made', () => {
    const run = given().when(refusal).thenStops('refusal');
    expect(run.state.attempts).toBe(1);
  });

  test('case 3: a truncation climbs the ceilings and stops at the maximum', () => {
    const first = given({ attemptCap: 9 }).when(truncated());
    first.thenAttempts({ maxTokens: 3_000 });
    const second = first.when(truncated());
    second.thenAttempts({ maxTokens: 4_000 });
    second.when(truncated()).thenStops('token_ceiling');
  });

  test('a full context window stops at once: a larger ceiling cannot help', () => {
    given().when(overflowed).thenStops('token_ceiling');
  });

  test('case 31: a model that never answers well is called exactly as often as the cap says', () => {
    for (const attemptCap of [1, 2, 5]) {
      let run = given({ attemptCap });
      let calls = 0;
      while (run.decision().kind !== 'land') {
        calls += 1;
        run = run.when(calls % 2 === 0 ? schema(`c${calls}`, [`rule${calls}`]) : parse(`x${calls}`));
      }
      run.thenStops('attempt_cap');
      expect(calls).toBe(attemptCap);
    }
  });
});

describe('after an attempt: the other stops', () => {
  test('problems that no repair can mend stop the run', () => {
    given()
      .when(constraint('A', ['no_deductible'], { repairable: false }))
      .thenStops('not_repairable');
  });

  test('a reply without a candidate is never called unmendable', () => {
    given().when(parse('x')).thenAttempts({ attempt: 2 });
  });

  test('tokens over their cap stop the run; at the cap it goes on', () => {
    const run = given({ tokenCap: 1_000 });
    run.when(parse('x', { tokens: 1_000 })).thenAttempts({ attempt: 2 });
    run.when(parse('x', { tokens: 600 }), parse('y', { tokens: 401 })).thenStops('token_cap');
  });

  test('money over its cap stops the run, to the last digit', () => {
    const run = given({ moneyCap: { amount: '0.30', currency: 'USD' } }).when(parse('x', { amount: '0.1' }));
    run.when(parse('y', { amount: '0.2' })).thenAttempts({ attempt: 3 });
    run.when(parse('y', { amount: '0.20000000000000001' })).thenStops('token_cap');
  });

  test('money in another currency than the cap’s cannot be compared, so it is over the cap', () => {
    const run = given({ moneyCap: { amount: '9', currency: 'USD' } });
    run.when(parse('x', { amount: '0.01', currency: 'EUR' })).thenStops('token_cap');
    run.when(parse('x', { amount: '0.00', currency: 'EUR' })).thenAttempts({ attempt: 2 });
  });

  test('case 18: an empty reply gets one reminder; a second in a row stops', () => {
    const run = given({ attemptCap: 9 }).when(empty);
    run.thenAttempts({ feedback: { kind: 'format' } });
    run.when(empty).thenStops('empty_reply');
    run.when(parse('x'), empty).thenAttempts({ attempt: 4 });
  });
});

describe('after an attempt: the repair', () => {
  test('a first attempt that was cut off is made again with more room and nothing to tell', () => {
    given()
      .when(truncated())
      .thenAttempts({ maxTokens: 3_000, feedback: { kind: 'none' } });
  });

  test('a repair that was cut off is told the same again', () => {
    const run = given({ attemptCap: 9 });
    run
      .when(constraint('A', ['sum']), truncated())
      .thenAttempts({ maxTokens: 3_000, feedback: { kind: 'problems', ofAttempt: 1 } });
    run.when(parse('x'), truncated(), truncated()).thenAttempts({ feedback: { kind: 'format' } });
  });

  test('an unparsed reply gets a format reminder', () => {
    given()
      .when(parse('x'))
      .thenAttempts({ maxTokens: 1_500, feedback: { kind: 'format' } });
  });

  test('case 33: broken rules are told, those of the last failure only', () => {
    const run = given({ attemptCap: 9 }).when(schema('A'));
    run.thenAttempts({ feedback: { kind: 'problems', ofAttempt: 1 } });
    run.when(constraint('B', ['sum'])).thenAttempts({ feedback: { kind: 'problems', ofAttempt: 2 } });
    run.when(parse('x')).thenAttempts({ feedback: { kind: 'format' } });
  });

  test('ceilings never go down', () => {
    given({ attemptCap: 9 }).when(truncated(), parse('x'), schema('A')).thenAttempts({ maxTokens: 3_000 });
  });
});
