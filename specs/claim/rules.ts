import { sumEqualsTotal } from '../../src/spec/index.js';

/** The rules that hold for every claim, whatever its currency's decimals. */
export const claimRules = [
  sumEqualsTotal({
    id: 'total-equals-sum',
    says: 'The total claimed is exactly the sum of the amounts of all claimed items',
    addends: ['/line_items/*/amount'],
    total: '/total_claimed',
  }),
];
