import { describe, expect, it } from 'vitest';
import specs from '../../specs/index.js';
import { checkSpec, type KnownGood } from '../../src/spec/check-spec.js';
import { defineSpec, list, money, sumEqualsTotal } from '../../src/spec/index.js';
import { printRecord } from '../../src/spec/print-record.js';
import type { Spec } from '../../src/spec/spec.js';
import { aClaim } from '../specs/claims.js';

const named = (id: string): Spec => {
  const spec = specs.find((each) => each.id === id);
  if (spec === undefined) throw new Error(id);
  return spec;
};
const claim = named('claim');

describe('given the example specs', () => {
  it.each(['claim', 'invoice', 'invoice-plain'])(
    'when %s is checked, then it accepts an example in every class',
    (id) => {
      expect(checkSpec(named(id), [])).toEqual({ records: 8, examples: 8, findings: [] });
    },
  );

  it('when the two-decimal variant is checked, then the pair is named for every currency of more decimals', () => {
    const { findings } = checkSpec(named('claim-two-decimals'), []);
    expect(findings.map(({ name, kind }) => [name, kind])).toEqual([
      ['example 1 in BHD (3 decimals)', 'contradiction'],
      ['example 2 in BHD (3 decimals)', 'contradiction'],
      ['example 1 in CLF (4 decimals)', 'contradiction'],
      ['example 2 in CLF (4 decimals)', 'contradiction'],
    ]);
    expect(findings[0]).toMatchObject({
      contradiction: {
        rules: ['total-equals-sum', 'two-decimals'],
        pointer: '/total_claimed',
        values: ['1204.375', '1204.38'],
        explanation: expect.stringContaining('one of the two rules has to change'),
      },
    });
  });
});

describe('given truth records', () => {
  const truth = (changes: Partial<KnownGood>): KnownGood => ({
    name: 'a',
    record: aClaim({ amounts: ['401.125', '803.250'], total: '1204.375', currency: 'BHD' }),
    text: null,
    ...changes,
  });

  it('when one is right, then it is counted and nothing is found', () => {
    expect(checkSpec(claim, [truth({})])).toEqual({ records: 9, examples: 8, findings: [] });
  });

  it('when only the truth breaks the two-decimal rule, then the truth is named', () => {
    const spec: Spec = { ...named('claim-two-decimals'), examples: null };
    expect(checkSpec(spec, [truth({ name: 'claim-bhd.pdf' })])).toMatchObject({
      records: 1,
      findings: [{ name: 'claim-bhd.pdf', kind: 'contradiction' }],
    });
  });

  it('when a record does not add up, then the rule and what the document prints are named', () => {
    const record = aClaim({ amounts: ['1.00'], total: '2.00' });
    expect(checkSpec(claim, [truth({ record })]).findings).toMatchObject([
      { kind: 'refused', problems: [{ rule: 'total-equals-sum', pointer: '/total_claimed' }] },
    ]);
    const text = printRecord(claim.fields, record);
    expect(checkSpec(claim, [truth({ record, text })]).findings).toMatchObject([
      {
        kind: 'contradiction',
        contradiction: { rules: ['printed/total_claimed', 'total-equals-sum'], values: ['2.00', '1.00'] },
      },
    ]);
  });

  it('when a record has another shape, then the schema says where', () => {
    expect(checkSpec(claim, [truth({ record: { total: 1 } })]).findings).toMatchObject([
      {
        kind: 'refused',
        problems: expect.arrayContaining([expect.objectContaining({ rule: 'schema/missing' })]),
      },
    ]);
  });

  it('when its document prints another value, then the record is held against the document', () => {
    const record = aClaim({ amounts: ['1.00'], total: '1.00' });
    const text = printRecord(claim.fields, { ...record, policy_number: 'POL-00-0000' });
    expect(checkSpec(claim, [truth({ record, text })]).findings).toMatchObject([
      { kind: 'refused', problems: [{ rule: 'printed/policy_number' }] },
    ]);
  });

  it('when several are refused, then contradictions come first', () => {
    const spec: Spec = { ...named('claim-two-decimals'), examples: null };
    const other = truth({ name: 'other', record: {} });
    expect(checkSpec(spec, [other, truth({})]).findings.map(({ kind }) => kind)).toEqual([
      'contradiction',
      'refused',
    ]);
  });
});

describe('given a rule that throws', () => {
  it('when the spec is checked, then the fault names the rule and nothing of the record', () => {
    const broken: Spec = {
      ...claim,
      constraints: [
        {
          id: 'fragile',
          version: 1,
          says: 'never',
          repairable: true,
          check: () => {
            throw new TypeError('POL-77-1234');
          },
        },
      ],
    };
    const [finding] = checkSpec(broken, []).findings;
    expect(finding).toMatchObject({
      kind: 'fault',
      message: expect.stringContaining('"fragile" threw a TypeError'),
    });
    expect(JSON.stringify(finding)).not.toContain('POL-77');
  });
});

describe('given a spec without examples', () => {
  it('when there are no truth records either, then it says that nothing was checked', () => {
    const bare = defineSpec({
      id: 'bare',
      title: 'Bare',
      schemaVersion: '1',
      prompt: { version: '1', text: 'Read.' },
      fields: { rows: list('Rows', { amount: money('Amount') }), total: money('Total') },
      constraints: [sumEqualsTotal({ id: 'sum', addends: ['/rows/*/amount'], total: '/total' })],
    });
    expect(checkSpec(bare as Spec, [])).toEqual({ records: 0, examples: 0, findings: [] });
  });
});
