import { TenantFull, type TenantLimits } from '../ports/tenant-store.js';
import type { Application } from './application.js';
import { ApplicationError } from './application-error.js';
import { remembered } from './remembered.js';

/** Limits may be as old as this. */
const rule = remembered<Application['store']['tenants'], string, TenantLimits | null>(1_000);

/** When to come again for one of the open places: nobody knows when one of them becomes free. */
const openRetryMs = 5_000;

const unlimited: TenantLimits = { mostOpen: null, perSecond: null };

/** What a tenant may do here: its own limits, else those of the configuration. Whoever has none lets everything in. */
export async function limitsOf(
  app: Pick<Application, 'store' | 'limits' | 'now'>,
  tenant: string,
): Promise<TenantLimits> {
  const { limits } = app;
  if (limits === undefined) return unlimited;
  const { tenants } = app.store;
  return (await rule(tenants, tenant, app.now(), () => tenants.rule(tenant))) ?? limits;
}

/** Counts one submission. Throws ApplicationError `too_many` when the tenant hands in more than it may. */
export async function admitSubmission(
  app: Pick<Application, 'store'>,
  tenant: string,
  { perSecond }: TenantLimits,
): Promise<void> {
  if (perSecond === null) return;
  const waitMs = await app.store.tenants.admit(tenant, perSecond);
  if (waitMs === 0) return;
  const seconds = Math.ceil(waitMs / 1_000);
  throw tooMany(
    `Tenant "${tenant}" hands in more than its ${perSecond} documents a second; try again in ${seconds} s.`,
    waitMs,
  );
}

/**
 * Looks before anything is stored; opening the run looks again, exactly. Throws ApplicationError `too_many` when the
 * tenant has as many extractions open as it may have.
 */
export async function assertRoom(
  app: Pick<Application, 'store'>,
  tenant: string,
  limits: TenantLimits,
): Promise<void> {
  if (limits.mostOpen === null) return;
  if ((await app.store.tenants.openCount(tenant)) >= limits.mostOpen) throw noRoom(tenant, limits);
}

/** What became of opening a run, with a full tenant told in words. */
export async function withRoom<T>(tenant: string, limits: TenantLimits, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    throw error instanceof TenantFull ? noRoom(tenant, limits) : error;
  }
}

function noRoom(tenant: string, { mostOpen }: TenantLimits): ApplicationError {
  return tooMany(
    `Tenant "${tenant}" has ${mostOpen} extractions open, the most it may have; try again when some have ended.`,
    openRetryMs,
  );
}

function tooMany(message: string, retryAfterMs: number): ApplicationError {
  return new ApplicationError('too_many', message, [], retryAfterMs);
}
