import { describe, test } from 'vitest';
import { constraint, contradicting, empty, failed, given, parse, schema, truncated } from './scenario.js';

describe('after an attempt: contradiction', () => {
  const pair = contradicting('sum', 'minor_units');

  test('case 21: the same pair and pointer on two whole candidates in a row stop with the diagnosis', () => {
    given()
      .when(
        constraint('A', ['sum'], { contradiction: pair }),
        constraint('B', ['minor_units'], { contradiction: pair }),
      )
      .thenStops('contradiction', { kind: 'contradiction', ...pair });
  });

  test('the order of the two rules does not matter', () => {
    given()
      .when(
        constraint('A', ['sum'], { contradiction: pair }),
        constraint('B', ['sum'], { contradiction: contradicting('minor_units', 'sum') }),
      )
      .thenStops('contradiction', { kind: 'contradiction', ...contradicting('minor_units', 'sum') });
  });

  test('attempts without a whole candidate between them do not count', () => {
    given({ attemptCap: 9 })
      .when(constraint('A', ['sum'], { contradiction: pair }), parse('x'), truncated(), empty)
      .when(constraint('B', ['sum'], { contradiction: pair }))
      .thenStops('contradiction', { kind: 'contradiction', ...pair });
  });

  test('a whole candidate without it between them starts anew', () => {
    given({ attemptCap: 9 })
      .when(constraint('A', ['sum'], { contradiction: pair }), constraint('B', ['sum']))
      .when(constraint('C', ['sum'], { contradiction: pair }))
      .thenAttempts({ attempt: 4 });
  });

  test('another pointer or another rule is another contradiction', () => {
    for (const other of [
      contradicting('sum', 'minor_units', '/tax'),
      contradicting('sum', 'range'),
      contradicting('range', 'sum'),
      contradicting('range', 'minor_units'),
    ]) {
      given()
        .when(constraint('A', ['sum'], { contradiction: pair }))
        .when(constraint('B', ['sum'], { contradiction: other }))
        .thenAttempts({ attempt: 3 });
    }
  });

  test('it is named before the missing progress that often comes with it', () => {
    given()
      .when(
        constraint('A', ['sum'], { contradiction: pair }),
        constraint('A', ['sum'], { contradiction: pair }),
      )
      .thenStops('contradiction', { kind: 'contradiction', ...pair });
  });
});

describe('after an attempt: no progress', () => {
  test('the same candidate as the last one read', () => {
    given().when(schema('A'), schema('A')).thenStops('no_progress');
  });

  test('also when attempts without a candidate lie between', () => {
    given({ attemptCap: 9 }).when(schema('A'), parse('x'), truncated(), schema('A')).thenStops('no_progress');
  });

  test('the same bytes as the last reply that could not be parsed, also over other attempts', () => {
    given().when(parse('x'), parse('x')).thenStops('no_progress');
    given({ attemptCap: 9 }).when(parse('x'), schema('A'), truncated(), parse('x')).thenStops('no_progress');
  });

  test('bytes that came before the last unparsed reply are not missing progress', () => {
    given({ attemptCap: 9 }).when(parse('x'), parse('y'), parse('x')).thenAttempts({ attempt: 4 });
  });

  test('a truncated reply is no unparsed one: the next has more room', () => {
    given({ attemptCap: 9 }).when(truncated(), truncated()).thenAttempts({ maxTokens: 4_000 });
  });

  test('case 34: transport faults between two attempts never count as missing progress', () => {
    given({ outage: { patienceMs: 9, pauseMs: 1 } })
      .when(
        schema('A'),
        failed('provider_unavailable'),
        failed('provider_unavailable'),
        schema('B', ['other']),
      )
      .thenAttempts({ attempt: 3 });
  });
});

describe('after an attempt: oscillation', () => {
  const run = given({ attemptCap: 9 });

  test('case 34: a candidate that comes back stops with the rules that alternate', () => {
    run
      .when(
        constraint('A', ['sum', 'date']),
        constraint('B', ['units', 'date']),
        constraint('A', ['sum', 'date']),
      )
      .thenStops('oscillation', { kind: 'oscillation', rules: ['sum', 'units'] });
  });

  test('a failing-rule set that comes back with other values stops too', () => {
    run
      .when(constraint('A', ['sum']), constraint('B', ['units']), constraint('C', ['sum']))
      .thenStops('oscillation', { kind: 'oscillation', rules: ['sum', 'units'] });
  });

  test('a rotation of three is found, with every rule that came and went', () => {
    run
      .when(constraint('A', ['a']), constraint('B', ['b']), constraint('C', ['c']), constraint('D', ['a']))
      .thenStops('oscillation', { kind: 'oscillation', rules: ['a', 'b', 'c'] });
  });

  test('what failed before the cycle, or throughout it, is not named', () => {
    run
      .when(
        constraint('A', ['a']),
        constraint('B', ['b']),
        constraint('C', ['b', 'c']),
        constraint('D', ['b']),
      )
      .thenStops('oscillation', { kind: 'oscillation', rules: ['c'] });
  });

  test('the cycle starts at the latest time that the candidate or its rules were seen', () => {
    run
      .when(constraint('A', ['a']), constraint('B', ['b']), constraint('C', ['c']), constraint('A', ['b']))
      .thenStops('oscillation', { kind: 'oscillation', rules: ['b', 'c'] });
  });

  test('candidates that alternate under the same rules name those rules', () => {
    run
      .when(constraint('A', ['sum']), constraint('B', ['sum']), constraint('A', ['sum']))
      .thenStops('oscillation', { kind: 'oscillation', rules: ['sum'] });
  });

  test('the pointer belongs to the set: the same rule on another field is another set', () => {
    run
      .when(constraint('A', ['sum@/a']), constraint('B', ['sum@/b']), constraint('C', ['sum@/c']))
      .thenAttempts({ attempt: 4 });
    run
      .when(constraint('A', ['sum@/a']), constraint('B', ['sum@/b']), constraint('C', ['sum@/a']))
      .thenStops('oscillation', { kind: 'oscillation', rules: ['sum'] });
  });

  test('order and repetition of the problems do not make another set', () => {
    run
      .when(constraint('A', ['a', 'b']), constraint('B', ['c']), constraint('C', ['b', 'a', 'b']))
      .thenStops('oscillation', { kind: 'oscillation', rules: ['a', 'b', 'c'] });
  });

  test('the same rules failing on new values in a row may be progress', () => {
    run
      .when(constraint('A', ['sum']), constraint('B', ['sum']), constraint('C', ['sum']))
      .thenAttempts({ attempt: 4 });
  });

  test('attempts without a candidate are not "another in between"', () => {
    run.when(constraint('A', ['sum']), parse('x'), constraint('B', ['sum'])).thenAttempts({ attempt: 4 });
  });
});
