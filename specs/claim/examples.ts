import type { Claim } from './record.js';

/** Known-good claims whose amounts use every decimal of the currency: 401.125 + 803.25 = 1204.375 for three. */
export function exampleClaims(currency: string, minorUnits: number): readonly Claim[] {
  const amount = (units: string, digits: string) =>
    minorUnits === 0 ? units : `${units}.${digits.slice(0, minorUnits).padEnd(minorUnits, '1')}`;
  const claim = {
    claim_number: 'CLM-2024-0001',
    policy_number: 'POL-77-1234',
    claimant: 'Example Trading',
    loss_date: '2024-02-29',
    currency,
  };
  return [
    {
      ...claim,
      line_items: [
        { description: 'Water damage to stock', amount: amount('401', '1231') },
        { description: 'Drying and cleaning', amount: amount('803', '2522') },
      ],
      total_claimed: amount('1204', '3753'),
      deductible: amount('250', '1111'),
    },
    {
      ...claim,
      line_items: [{ description: 'Broken window', amount: amount('95', '1111') }],
      total_claimed: amount('95', '1111'),
      deductible: 'not_printed',
    },
  ];
}
