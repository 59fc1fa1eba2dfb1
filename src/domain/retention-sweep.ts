/** What a sweep looks at next, in the order of tenant and part. */
export interface SweepPoint {
  readonly tenant: string;
  readonly part: 'documents' | 'records';
  /** Behind this one; null: from the oldest. */
  readonly after: { readonly at: number; readonly name: string } | null;
}

/** What a sweep came to. */
export interface Swept {
  readonly documents: number;
  /** Documents that are old enough, but a run or a review of them is open. */
  readonly inUse: number;
  readonly records: number;
}

/** A part of a sweep; `next` is null when it is through. */
export interface SweptSome {
  readonly swept: Swept;
  readonly next: SweepPoint | null;
}

export const nothingSwept: Swept = { documents: 0, inUse: 0, records: 0 };

export function addSwept(left: Swept, right: Swept): Swept {
  return {
    documents: left.documents + right.documents,
    inUse: left.inUse + right.inUse,
    records: left.records + right.records,
  };
}
