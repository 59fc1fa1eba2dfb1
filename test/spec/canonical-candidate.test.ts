import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { claim } from '../../specs/claim/claim.js';
import { NumberText } from '../../src/reply/json-value.js';
import { canonicalCandidate } from '../../src/spec/canonical-candidate.js';
import { aClaim } from '../specs/claims.js';

const canonicalClaim = (candidate: Parameters<typeof canonicalCandidate>[1]) =>
  canonicalCandidate(claim, candidate);
const right = aClaim({ amounts: ['25.00'], total: '25.00' });

describe('given two spellings of one candidate', () => {
  it('when an amount has more zeros, or came as a number, then they are the same', () => {
    const shorter = { ...right, total_claimed: '25.0' };
    const number = { ...right, total_claimed: new NumberText('25') };
    expect(canonicalClaim(shorter)).toBe(canonicalClaim(right));
    expect(canonicalClaim(number)).toBe(canonicalClaim(right));
  });

  it('when the amount stands in a row, then that is the same too', () => {
    const rows = [{ ...right.line_items[0], amount: '25' }];
    expect(canonicalClaim({ ...right, line_items: rows as never })).toBe(canonicalClaim(right));
  });

  it('when only the keys stand in another order, then they are the same', () => {
    const reversed = Object.fromEntries(Object.entries(right).reverse());
    expect(canonicalClaim(reversed as never)).toBe(canonicalClaim(right));
  });

  it('when any two decimal texts are compared, then they are the same exactly when their values are', () => {
    const decimal = fc
      .tuple(fc.integer({ min: -999, max: 999 }), fc.nat({ max: 3 }), fc.nat({ max: 3 }))
      .map(([units, places, zeros]) => ({
        value: units / 10 ** places,
        text: (units / 10 ** places).toFixed(places + zeros),
      }));
    fc.assert(
      fc.property(decimal, decimal, (left, right) => {
        const same =
          canonicalClaim({ total_claimed: left.text }) === canonicalClaim({ total_claimed: right.text });
        expect(same).toBe(left.value === right.value);
      }),
    );
  });
});

describe('given two candidates', () => {
  it('when one digit differs, then they differ', () => {
    expect(canonicalClaim({ ...right, total_claimed: '25.01' })).not.toBe(canonicalClaim(right));
  });

  it('when a code or a word looks like a number, then its spelling counts', () => {
    for (const changed of [{ claim_number: '007' }, { claimant: '1.50' }]) {
      const other = { claim_number: '7', claimant: '1.5' };
      const [name = ''] = Object.keys(changed);
      expect(canonicalClaim({ ...right, ...changed })).not.toBe(
        canonicalClaim({ ...right, [name]: other[name as keyof typeof other] }),
      );
    }
  });

  it('when a field is unknown to the spec, or no record at all, then it is compared as it is', () => {
    expect(canonicalClaim({ made_up: '1.0' })).not.toBe(canonicalClaim({ made_up: '1.00' }));
    expect(canonicalClaim({ total_claimed: 'n/a' })).not.toBe(canonicalClaim({ total_claimed: 'none' }));
    expect(canonicalClaim(null)).toBe('null');
    expect(canonicalClaim({ currency: { total_claimed: '1.0' } })).not.toBe(
      canonicalClaim({ currency: { total_claimed: '1' } }),
    );
  });
});
