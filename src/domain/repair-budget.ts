/** How much of a spec's traffic may be repairs. Operators pause repairs with a share and a floor of 0. */
export interface RepairBudget {
  /** Repairs per primary call, 0.1 = one repair in ten calls. */
  readonly share: number;
  /** Repairs allowed however few primary calls there were, so that a quiet service can repair at all. */
  readonly floor: number;
  /** Length of the sliding window both are counted in. */
  readonly windowMs: number;
}

/** Calls within the window that ends now. Granted permits are counted as repairs and never given back. */
interface Traffic {
  readonly primaries: number;
  readonly repairs: number;
}

/** Repairs allowed within the window: the larger of the floor and the share of the primary calls, in whole repairs. */
export function allowedRepairs(budget: RepairBudget, primaries: number): number {
  // The margin undoes binary fractions: 0.29 of 100 is 28.999999999999996 but allows 29.
  return Math.max(Math.floor(budget.floor), Math.floor(budget.share * primaries + 1e-9));
}

/** True when one more repair stays within the budget. */
export function permitFits(budget: RepairBudget, traffic: Traffic): boolean {
  return traffic.repairs < allowedRepairs(budget, traffic.primaries);
}
