import type { TenantLimits, TenantUsage } from '../ports/tenant-store.js';
import type { Application } from './application.js';
import { ApplicationError } from './application-error.js';
import { assertLabels } from './intake.js';

/** A tenant's usage in a range, beside what it may do. `limits` null: those of the configuration, or none. */
export interface TenantAccount extends TenantUsage {
  readonly limits: TenantLimits | null;
}

const dayMs = 86_400_000;

/** What a caller asks of the accounts; absent: all tenants, the last thirty days. */
export interface AccountQuery {
  readonly tenant?: string;
  /** Epoch ms. */
  readonly since?: number;
  readonly until?: number;
}

/** Throws ApplicationError `invalid_request` when the range ends before it begins. */
export async function tenantAccounts(
  app: Pick<Application, 'store' | 'now'>,
  { tenant, since, until }: AccountQuery,
): Promise<readonly TenantAccount[]> {
  const to = until ?? app.now();
  const from = since ?? to - 30 * dayMs;
  if (from >= to) throw invalid('/since', 'The range must end after it begins.');
  const { tenants } = app.store;
  const [used, rules] = await Promise.all([
    tenants.usage({ from, until: to, ...(tenant === undefined ? {} : { tenant }) }),
    tenants.rules(),
  ]);
  return used.map((each) => {
    const rule = rules.find((one) => one.tenant === each.tenant);
    const limits = rule === undefined ? null : { mostOpen: rule.mostOpen, perSecond: rule.perSecond };
    return { ...each, limits };
  });
}

/** Throws ApplicationError `invalid_request` for limits that cannot be meant. They hold within a second. */
export async function limitTenant(
  app: Pick<Application, 'store' | 'now'>,
  tenant: string,
  limits: TenantLimits,
): Promise<void> {
  assertLabels({ tenant, tags: [], mediaType: null });
  const { mostOpen, perSecond } = limits;
  if (mostOpen !== null && !(Number.isSafeInteger(mostOpen) && mostOpen >= 1 && mostOpen <= 1_000_000))
    throw invalid('/mostOpen', 'At most 1 to 1000000 extractions can be open.');
  if (perSecond !== null && !(perSecond >= 0.001 && perSecond <= 10_000))
    throw invalid('/perSecond', 'Submissions a second are 0.001 to 10000.');
  await app.store.tenants.setRule({ tenant, ...limits, setAt: app.now() });
}

function invalid(pointer: string, detail: string): ApplicationError {
  return new ApplicationError('invalid_request', detail, [{ pointer, detail }]);
}
