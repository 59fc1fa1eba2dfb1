import { describe, expect, it } from 'vitest';
import type { Constraint, Finding } from '../../src/verification/constraint.js';
import { verify } from '../../src/verification/verify.js';

const context = { text: null, previous: null };

function rule(id: string, parts: Partial<Constraint<unknown>>): Constraint<unknown> {
  return { id, version: 1, says: `${id} holds`, repairable: true, check: () => [], ...parts };
}

function finding(pointer: string, expected: string | null = null): Finding {
  return { pointer, message: 'This is not so.', expected, found: null };
}

const broken = (id: string, pointer = '/a', parts: Partial<Constraint<unknown>> = {}) =>
  rule(id, { check: () => [finding(pointer)], ...parts });

describe('verifying a record', () => {
  it('keeps the evidence of a rule that does not tell what it was made from', () => {
    const at = { pointer: '/a', page: 1, start: 0, end: 1, printed: '1', otherReadings: [] };
    const own = rule('own', { inspect: () => ({ findings: [], evidence: [at], ungrounded: [] }) });
    expect(verify({ a: '1' }, [own], { text: { pages: ['1'] }, previous: null })).toMatchObject({
      kind: 'holds',
      evidence: [at],
    });
  });

  it('holds when no rule is broken', () => {
    expect(verify({}, [], context)).toEqual({ kind: 'holds', evidence: [], ungrounded: [] });
    expect(verify({}, [rule('one', {})], context).kind).toBe('holds');
  });

  it('reports every problem of every rule, in the order of the rules', () => {
    const verdict = verify({}, [broken('one'), rule('two', {}), broken('three', '/b')], context);
    expect(verdict).toMatchObject({
      kind: 'broken',
      problems: [
        { rule: 'one', pointer: '/a' },
        { rule: 'three', pointer: '/b' },
      ],
      repairable: true,
      contradiction: null,
    });
  });

  it('is repairable when one broken rule is, and is not when none is', () => {
    const hopeless = broken('hopeless', '/a', { repairable: false });
    expect(verify({}, [hopeless, rule('fine', {})], context)).toMatchObject({ repairable: false });
    expect(verify({}, [hopeless, broken('mendable')], context)).toMatchObject({ repairable: true });
  });

  it('keeps at most fifty findings of one rule', () => {
    const check = () => Array.from({ length: 400 }, (_, row) => finding(`/rows/${row}`));
    const verdict = verify({}, [rule('many', { check }), broken('other')], context);
    if (verdict.kind !== 'broken') throw new Error('expected broken rules');
    expect(verdict.problems).toHaveLength(51);
    expect(verdict.problems.at(-1)?.rule).toBe('other');
  });

  it('asks a rule about print once, and passes on its evidence and what it could not ground', () => {
    const evidence = { pointer: '/a', page: 1, start: 0, end: 1, printed: '1' };
    const inspect = () => ({ findings: [finding('/b')], evidence: [evidence], ungrounded: ['/c', '/c'] });
    const check = () => {
      throw new Error('asked twice');
    };
    expect(verify({}, [rule('printed', { inspect, check })], context)).toMatchObject({
      kind: 'broken',
      evidence: [evidence],
      ungrounded: ['/c'],
    });
  });
});

describe('a rule that throws', () => {
  const secret = 'policy holder Jane Roe';

  it.each<[string, Partial<Constraint<unknown>>]>([
    ['while checking', { check: () => thrown(new TypeError(secret)) }],
    ['while inspecting', { inspect: () => thrown(new TypeError(secret)) }],
    [
      'while saying what it wants',
      { check: () => [finding('/a')], wanted: () => thrown(new TypeError(secret)) },
    ],
  ])('is a fault that names rule and error, never the error text: %s', (_when, parts) => {
    const verdict = verify({ a: '1' }, [rule('good', {}), rule('bad', parts)], context);
    expect(verdict).toMatchObject({ kind: 'fault', rule: 'bad' });
    if (verdict.kind !== 'fault') throw new Error('expected a fault');
    expect(verdict.message).toMatch(/The rule "bad" threw a TypeError at .*verify\.test\.ts:\d+:\d+\./);
    expect(verdict.message).not.toContain('Jane');
  });

  it('is a fault also when it throws something else, or an error without a stack', () => {
    const bare = new Error(secret);
    delete bare.stack;
    expect(verify({}, [rule('bad', { check: () => thrown(bare) })], context)).toMatchObject({
      message: 'The rule "bad" threw a Error.',
    });
    expect(verify({}, [rule('bad', { check: () => thrown(secret) })], context)).toMatchObject({
      message: 'The rule "bad" threw something that is not an Error.',
    });
  });
});

describe('a proof of contradiction', () => {
  const holdsAt = (id: string, ...values: string[]) =>
    rule(id, {
      check: (record) =>
        values.includes((record as { a: string }).a) ? [] : [finding('/a', values[0] ?? null)],
    });
  const only = (id: string, value: string) => ({
    ...holdsAt(id, value),
    wanted: () => ({ pointer: '/a', value }),
  });

  it('names the pair sorted, the field, and what each rule needs', () => {
    const verdict = verify({ a: '2' }, [only('zeta', '1'), holdsAt('alpha', '2')], context);
    expect(verdict).toMatchObject({
      contradiction: { rules: ['alpha', 'zeta'], pointer: '/a', values: ['2', '1'] },
    });
  });

  it('is found from either side of the pair', () => {
    const pair = [only('one', '1'), only('two', '2')];
    for (const a of ['1', '2']) {
      expect(verify({ a }, pair, context)).toMatchObject({
        contradiction: { rules: ['one', 'two'], pointer: '/a' },
      });
    }
  });

  it('is not found where a value satisfies both rules', () => {
    expect(verify({ a: '3' }, [only('one', '1'), holdsAt('two', '2', '1')], context)).toMatchObject({
      kind: 'broken',
      contradiction: null,
    });
  });

  it('is not found when the rule says no only value, or names a field that is not there', () => {
    const silent = { ...holdsAt('one', '1'), wanted: () => null };
    expect(verify({ a: '2' }, [silent, holdsAt('two', '2')], context)).toMatchObject({ contradiction: null });
    const elsewhere = { ...holdsAt('one', '1'), wanted: () => ({ pointer: '/missing', value: '1' }) };
    expect(verify({ a: '2' }, [elsewhere, holdsAt('two', '2')], context)).toMatchObject({
      contradiction: null,
    });
  });

  it('needs one of the two to be broken now, at that field', () => {
    const quiet = rule('quiet', { wanted: () => ({ pointer: '/a', value: '1' }) });
    const other = broken('unrelated', '/b');
    expect(verify({ a: '2', b: '0' }, [quiet, holdsAt('two', '2'), other], context)).toMatchObject({
      contradiction: null,
    });
  });

  it('shows another value where the broken rule does not say what it expects', () => {
    const vague = rule('vague', { check: () => [finding('/a')] });
    expect(verify({ a: '2' }, [only('one', '1'), vague], context)).toMatchObject({
      contradiction: { values: ['1', 'another value'] },
    });
  });

  it('ignores a rule that cannot judge the substituted record', () => {
    const brittle = rule('brittle', {
      check: (record) => ((record as { a: string }).a === '1' ? thrown(new Error('no')) : []),
    });
    expect(verify({ a: '2' }, [only('one', '1'), brittle], context)).toMatchObject({
      kind: 'broken',
      contradiction: null,
    });
  });

  describe('against a rule about the document', () => {
    const printed = (value: string) => {
      const { check, ...rest } = holdsAt('printed', value);
      const inspect = (record: unknown) => ({
        findings: check(record, context),
        evidence: [],
        ungrounded: [],
      });
      return { ...rest, check, inspect };
    };
    const rules = [only('sum', '1'), printed('2')];

    it('stands on a first candidate, and says that a person has to look', () => {
      const verdict = verify({ a: '2' }, rules, context);
      expect(verdict).toMatchObject({ contradiction: { rules: ['printed', 'sum'], values: ['2', '1'] } });
      if (verdict.kind !== 'broken') throw new Error('expected broken rules');
      expect(verdict.contradiction?.explanation).toMatch(/a person has to look/);
    });

    it('stands on a later candidate only if the one before led to the same value', () => {
      expect(verify({ a: '2' }, rules, { text: null, previous: { a: '5' } })).toMatchObject({
        contradiction: { rules: ['printed', 'sum'] },
      });
      const moving = { ...only('sum', '1'), wanted: (record: unknown) => wantedOf(record) };
      const verdict = verify({ a: '2', sum: '1' }, [moving, printed('2')], {
        text: null,
        previous: { a: '2', sum: '9' },
      });
      expect(verdict).toMatchObject({ kind: 'broken', contradiction: null });
    });

    it('does not stand when the rule cannot judge the candidate before', () => {
      const brittle = {
        ...only('sum', '1'),
        wanted: (record: unknown) =>
          'a' in (record as object) ? { pointer: '/a', value: '1' } : thrown(new Error('no')),
      };
      const verdict = verify({ a: '2' }, [brittle, printed('2')], { text: null, previous: {} });
      expect(verdict).toMatchObject({ kind: 'broken', contradiction: null });
      expect(
        verify({ a: '2' }, [{ ...brittle, wanted: nothingBefore }, printed('2')], {
          text: null,
          previous: {},
        }),
      ).toMatchObject({ contradiction: null });
    });
  });
});

function wantedOf(record: unknown) {
  return { pointer: '/a', value: (record as { sum: string }).sum };
}

function nothingBefore(record: unknown) {
  return 'a' in (record as object) ? { pointer: '/a', value: '1' } : null;
}

function thrown(what: unknown): never {
  throw what;
}
