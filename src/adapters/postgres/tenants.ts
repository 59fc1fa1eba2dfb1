import { type Kysely, sql } from 'kysely';
import type { Money } from '../../domain/money.js';
import type { TenantRule, TenantStore, TenantUsage } from '../../ports/tenant-store.js';
import { retried } from './retry.js';
import type { Tables } from './tables.js';

export function tenantStore(db: Kysely<Tables>): TenantStore {
  const rules = async (tenant?: string): Promise<readonly TenantRule[]> => {
    const rows = await db
      .selectFrom('tenant_limits')
      .selectAll()
      .$if(tenant !== undefined, (all) => all.where('tenant', '=', tenant ?? ''))
      .orderBy('tenant')
      .execute();
    return rows.map(({ tenant: name, most_open, per_second, set_at }) => ({
      tenant: name,
      mostOpen: most_open,
      perSecond: per_second === null ? null : Number(per_second),
      setAt: set_at,
    }));
  };
  return {
    rule: async (tenant) => (await rules(tenant))[0] ?? null,
    rules: () => rules(),

    async setRule({ tenant, mostOpen, perSecond, setAt }) {
      const limits = {
        most_open: mostOpen,
        per_second: perSecond === null ? null : String(perSecond),
        set_at: setAt,
      };
      await db
        .insertInto('tenant_limits')
        .values({ tenant, ...limits })
        .onConflict((conflict) => conflict.column('tenant').doUpdateSet(limits))
        .execute();
    },

    async removeRule(tenant) {
      const { numDeletedRows } = await db
        .deleteFrom('tenant_limits')
        .where('tenant', '=', tenant)
        .executeTakeFirstOrThrow();
      return numDeletedRows > 0n;
    },

    async openCount(tenant) {
      const { count } = await db
        .selectFrom('extractions')
        .select((runs) => runs.fn.countAll<number>().as('count'))
        .where('tenant', '=', tenant)
        .where('state', '=', 'open')
        .executeTakeFirstOrThrow();
      return count;
    },

    admit: (tenant, perSecond) => admit(db, tenant, perSecond),
    usage: (range) => usage(db, range),
  };
}

/**
 * A leaky bucket in one row: each submission moves `due_at`, when all so far will have been worth their time, one share
 * of a second on. Whoever would move it further than a second's worth from now is refused.
 */
async function admit(db: Kysely<Tables>, tenant: string, perSecond: number): Promise<number> {
  const shareMs = 1_000 / perSecond;
  const roomMs = shareMs * (Math.max(1, Math.floor(perSecond)) - 1);
  const { rows } = await retried(() =>
    sql<{ due_at: number }>`
      with clock as materialized (select (extract(epoch from clock_timestamp()) * 1000)::float8 as now)
      insert into tenant_rates as rate (tenant, due_at)
      select ${tenant}, now + ${shareMs}::float8 from clock
      on conflict (tenant) do update set due_at = greatest(rate.due_at, (select now from clock)) + ${shareMs}::float8
      where rate.due_at <= (select now from clock) + ${roomMs}::float8
      returning due_at`.execute(db),
  );
  if (rows.length > 0) return 0;
  const waiting = await sql<{ ms: number }>`
    select due_at - ${roomMs}::float8 - (extract(epoch from clock_timestamp()) * 1000)::float8 as ms
    from tenant_rates where tenant = ${tenant}`.execute(db);
  return Math.max(1, Math.ceil(waiting.rows[0]?.ms ?? 1));
}

interface Runs {
  tenant: string;
  extractions: number;
  open: number;
  verified: number;
  unverified: number;
}

interface Spent {
  tenant: string;
  currency: string;
  calls: number;
  unknown: number;
  tokens: number;
  cost: string;
}

async function usage(
  db: Kysely<Tables>,
  { tenant, from, until }: Parameters<TenantStore['usage']>[0],
): Promise<readonly TenantUsage[]> {
  const own = tenant === undefined ? sql`` : sql`and tenant = ${tenant}`;
  const runs = await sql<Runs>`
    select tenant, count(*) as extractions, count(*) filter (where state = 'open') as open,
      count(*) filter (where outcome = 'verified') as verified,
      count(*) filter (where outcome = 'unverified') as unverified
    from extractions where started_at >= ${from} and started_at < ${until} ${own} group by tenant`.execute(
    db,
  );
  const spent = await sql<Spent>`
    select tenant, currency, count(*) as calls, count(*) filter (where not known) as unknown,
      sum(tokens)::int8 as tokens, sum(cost) as cost
    from calls where started_at >= ${from} and started_at < ${until} ${own}
    group by tenant, currency order by currency`.execute(db);
  const names = new Set([...runs.rows, ...spent.rows].map((row) => row.tenant));
  return [...names].sort().map((name) => {
    const calls = spent.rows.filter((row) => row.tenant === name);
    const sum = (part: (row: Spent) => number) => calls.reduce((total, row) => total + part(row), 0);
    const {
      extractions = 0,
      open = 0,
      verified = 0,
      unverified = 0,
    } = runs.rows.find((row) => row.tenant === name) ?? {};
    return {
      tenant: name,
      extractions,
      open,
      verified,
      unverified,
      calls: sum((row) => row.calls),
      unknownCalls: sum((row) => row.unknown),
      tokens: sum((row) => row.tokens),
      cost: calls.map(({ cost, currency }): Money => ({ amount: cost, currency })),
    };
  });
}
