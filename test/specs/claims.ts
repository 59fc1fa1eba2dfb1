import type { Claim } from '../../specs/claim/record.js';
import { printRecord } from '../../src/spec/print-record.js';
import type { Spec } from '../../src/spec/spec.js';
import type { DocumentText } from '../../src/verification/document-text.js';

/** A claim with these amounts; everything else is in order. */
export function aClaim(parts: {
  currency?: string;
  amounts: readonly string[];
  total: string;
  deductible?: string;
}): Claim {
  return {
    claim_number: 'CLM-2024-0815',
    policy_number: 'POL-77-1234',
    claimant: 'Pearl Shipping',
    loss_date: '2024-02-29',
    currency: parts.currency ?? 'EUR',
    line_items: parts.amounts.map((amount, index) => ({ description: `Damaged item ${index + 1}`, amount })),
    total_claimed: parts.total,
    deductible: parts.deductible ?? 'not_printed',
  };
}

export function printed<T>(spec: Spec<T>, record: T): DocumentText {
  return printRecord(spec.fields, record);
}
