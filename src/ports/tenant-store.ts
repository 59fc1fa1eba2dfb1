import type { Money } from '../domain/money.js';

/** What a tenant may have under way and hand in; null: as much as it likes. */
export interface TenantLimits {
  readonly mostOpen: number | null;
  /** Submissions a second, may be a fraction; as many as fit into one second may come at once. */
  readonly perSecond: number | null;
}

/** A tenant's own limits, which take the place of those of the configuration. */
export interface TenantRule extends TenantLimits {
  readonly tenant: string;
  readonly setAt: number;
}

/** What a tenant used: runs that began in the range, and calls that were made in it. */
export interface TenantUsage {
  readonly tenant: string;
  readonly extractions: number;
  readonly open: number;
  readonly verified: number;
  readonly unverified: number;
  readonly calls: number;
  /** Upper estimates where the provider told nothing: of so many calls. */
  readonly unknownCalls: number;
  readonly tokens: number;
  /** One sum for each currency. */
  readonly cost: readonly Money[];
}

export interface UsageRange {
  readonly tenant?: string;
  /** Epoch ms, from included, until not. */
  readonly from: number;
  readonly until: number;
}

export interface TenantStore {
  rule(tenant: string): Promise<TenantRule | null>;
  rules(): Promise<readonly TenantRule[]>;
  setRule(rule: TenantRule): Promise<void>;
  /** False when it had none. */
  removeRule(tenant: string): Promise<boolean>;
  /** Extractions that are open now. */
  openCount(tenant: string): Promise<number>;
  /**
   * Lets one more submission in, counted by the database's own clock for all processes together: 0, or how many ms until
   * one would be let in. One that is refused is not counted.
   */
  admit(tenant: string, perSecond: number): Promise<number>;
  /** Every tenant that has anything in the range, by name. */
  usage(range: UsageRange): Promise<readonly TenantUsage[]>;
}

/** A run was not opened, since its tenant has as many open as it may have. */
export class TenantFull extends Error {
  override readonly name = 'TenantFull';

  constructor() {
    super('The tenant has as many open extractions as it may have.');
  }
}
