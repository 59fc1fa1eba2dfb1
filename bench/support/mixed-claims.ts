import { createDice, exponential } from '../../src/simulator/dice.js';
import { claimText } from '../../test/support/papers.js';

export type Kind = 'easy' | 'mendable' | 'hopeless';

export interface MixedClaim {
  readonly kind: Kind;
  /** Since the first. */
  readonly arrivesMs: number;
  /** A new document each time, of the same kind and size, since a document that ran once is not run again. */
  text(): string;
}

const texts: Readonly<Record<Kind, () => string>> = {
  easy: () => claimText({}),
  // Talked about but not printed: the first answer makes one up, and feedback takes it back.
  mendable: () => claimText({ extra: 'The usual deductible applies to this claim.' }),
  // The printed total is not the sum of the lines: no answer is both as printed and right.
  hopeless: () => claimText({}).replace('Total claimed: 200.00', 'Total claimed: 250.00'),
};

/** A burst of claims: random arrivals and kinds, the same for the same seed. */
export function mixedClaims(seed: number, count: number, perSecond: number, shares: Record<Kind, number>) {
  let arrivesMs = 0;
  return Array.from({ length: count }, (_, stream): MixedClaim => {
    const dice = createDice(seed, stream);
    arrivesMs += exponential(dice, 1_000 / perSecond);
    const drawn = dice.next();
    const kind =
      drawn < shares.easy ? 'easy' : drawn < shares.easy + shares.mendable ? 'mendable' : 'hopeless';
    return { kind, arrivesMs, text: texts[kind] };
  });
}
