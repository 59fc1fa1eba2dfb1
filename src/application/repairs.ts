import { allowedRepairs } from '../domain/repair-budget.js';
import type { RepairSwitch } from '../ports/store.js';
import type { Application } from './application.js';
import { ApplicationError } from './application-error.js';
import { currentSpec } from './submit-extraction.js';
import { instant } from './views/instant.js';

/** How a spec stands with its repair budget. Instants are ISO 8601. */
export interface RepairStanding {
  readonly spec: string;
  /** The budget: so many repairs per primary call, but never fewer than the floor, in any window of this length. */
  readonly share: number;
  readonly floor: number;
  readonly windowMs: number;
  /** What was counted in the window that ends now. */
  readonly primaries: number;
  readonly granted: number;
  readonly deniedByBudget: number;
  readonly deniedByPause: number;
  /** Repairs that the budget allows in this window, whether or not they are paused. */
  readonly allowed: number;
  /** Repairs per primary call; null without primary calls. */
  readonly usedShare: number | null;
  /** Who paused its repairs, and whether those of all specs; null while they are not paused. */
  readonly paused: PausedBy | null;
}

interface PausedBy {
  readonly scope: 'all' | 'spec';
  readonly actor: string;
  readonly reason: string | null;
  readonly since: string;
}

/** Throws ApplicationError `unknown_spec`. */
export async function repairStandings(
  app: Pick<Application, 'store' | 'catalogue' | 'now'>,
  specId?: string,
): Promise<readonly RepairStanding[]> {
  const ids =
    specId === undefined
      ? [...new Set(app.catalogue.list().map(({ id }) => id))].sort()
      : [currentSpec(app, specId).id];
  const switches = await app.store.traffic.switches();
  return await Promise.all(
    ids.map(async (id) => {
      const budget = currentSpec(app, id).repairBudget;
      const counts = await app.store.traffic.repairTraffic(id, app.now() - budget.windowMs);
      return {
        spec: id,
        share: budget.share,
        floor: budget.floor,
        windowMs: budget.windowMs,
        ...counts,
        allowed: allowedRepairs(budget, counts.primaries),
        usedShare: counts.primaries === 0 ? null : counts.granted / counts.primaries,
        paused: pausedBy(switches, id),
      };
    }),
  );
}

/**
 * From now on no worker gets a permit for a repair of this spec, or of any (null): runs that need one end as
 * `repair_budget`. Those that have one go on. `paused: false` undoes the same: what was paused apart stays paused.
 *
 * Throws ApplicationError (`unknown_spec`, `invalid_request`).
 */
export async function switchRepairs(
  app: Pick<Application, 'store' | 'catalogue' | 'now'>,
  change: Omit<RepairSwitch, 'at'>,
): Promise<readonly RepairStanding[]> {
  const { specId, actor, reason } = change;
  if (specId !== null) currentSpec(app, specId);
  assertText('actor', actor, 100);
  if (reason !== null) assertText('reason', reason, 500);
  await app.store.traffic.switchRepairs({ ...change, at: app.now() });
  return await repairStandings(app, specId ?? undefined);
}

function assertText(name: 'actor' | 'reason', text: string, most: number): void {
  if (text.trim() !== '' && text.length <= most && !/\p{C}/u.test(text)) return;
  const detail = `The ${name} is 1 to ${most} printable characters on one line.`;
  throw new ApplicationError('invalid_request', detail, [{ pointer: `/${name}`, detail }]);
}

function pausedBy(switches: readonly RepairSwitch[], specId: string): PausedBy | null {
  const all = switches.find((each) => each.specId === null && each.paused);
  const own = switches.find((each) => each.specId === specId && each.paused);
  const found = all ?? own;
  if (found === undefined) return null;
  const { actor, reason, at } = found;
  return { scope: found === all ? 'all' : 'spec', actor, reason, since: instant(at) };
}
