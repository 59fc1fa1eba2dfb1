import { describe, expect, it } from 'vitest';
import { claim } from '../../specs/claim/claim.js';
import { claimTwoDecimals } from '../../specs/claim/two-decimals.js';
import { verify } from '../../src/verification/verify.js';
import { aClaim, printed } from '../specs/claims.js';

describe('case 21: amounts of 1,204.375 Bahraini dinars', () => {
  const exact = aClaim({ currency: 'BHD', amounts: ['401.125', '803.25'], total: '1204.375' });
  const rounded = { ...exact, total_claimed: '1204.38' };

  it('verify first time when decimals are counted per currency', () => {
    expect(verify(exact, claim.constraints, { text: printed(claim, exact), previous: null }).kind).toBe(
      'holds',
    );
  });

  it.each([
    ['exact, which breaks the decimals', exact, 'two-decimals'],
    ['rounded, which breaks the sum', rounded, 'total-equals-sum'],
  ])('are a proved contradiction under fixed two decimals when the total is %s', (_how, record, broken) => {
    const text = printed(claimTwoDecimals, exact);
    const verdict = verify(record, claimTwoDecimals.constraints, { text, previous: null });
    expect(verdict).toMatchObject({
      kind: 'broken',
      contradiction: {
        rules: ['total-equals-sum', 'two-decimals'],
        pointer: '/total_claimed',
        values: ['1204.375', '1204.38'],
      },
    });
    if (verdict.kind !== 'broken') throw new Error('expected broken rules');
    expect(verdict.problems.map(({ rule }) => rule)).toContain(broken);
    for (const word of ['total-equals-sum', 'two-decimals', '/total_claimed', '1204.375']) {
      expect(verdict.contradiction?.explanation).toContain(word);
    }
  });

  it('are no contradiction of these two when a total of two decimals satisfies both', () => {
    const record = aClaim({ currency: 'BHD', amounts: ['401.12', '803.25'], total: '1204.375' });
    const rules = claimTwoDecimals.constraints.filter(({ inspect }) => inspect === undefined);
    const verdict = verify(record, rules, { text: null, previous: null });
    expect(verdict).toMatchObject({ kind: 'broken', contradiction: null });
  });
});
