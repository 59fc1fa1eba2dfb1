import { Command, InvalidArgumentError } from 'commander';
import { ApplicationError } from '../../application/application-error.js';
import { limitTenant, type TenantAccount, tenantAccounts } from '../../application/tenants.js';
import type { TenantLimits } from '../../ports/tenant-store.js';
import type { CliContext } from '../context.js';
import { exitCodes } from '../fault.js';
import { price } from '../format.js';
import { instant, json, positive, tenant } from '../options.js';
import { printChange, printPage } from '../page.js';
import { withStore } from '../session.js';
import { table } from '../table.js';
import { type CommandChange, changing } from '../trail.js';

interface ReportOptions {
  readonly tenant?: string;
  readonly since?: number;
  readonly until?: number;
  readonly json?: true;
}

interface LimitsAsked {
  readonly mostOpen?: number;
  readonly perSecond?: number;
  readonly json?: true;
}

/** `endstop tenants`, `endstop tenants limit|unlimit`. */
export function tenantsCommand(context: CliContext): Command {
  return new Command('tenants')
    .description('what each tenant used, and what it may use')
    .addCommand(reportCommand(context), { isDefault: true })
    .addCommand(limitCommand(context))
    .addCommand(unlimitCommand(context));
}

function reportCommand(context: CliContext): Command {
  return new Command('report')
    .description('calls, tokens, money and outcomes of each tenant over a time')
    .addOption(tenant('all'))
    .option('--since <when>', 'from this day or instant on (default: the last 30 days)', instant)
    .option('--until <when>', 'before this day or instant (default: now)', instant)
    .addOption(json())
    .action(({ json: asJson, ...query }: ReportOptions) =>
      withStore(context, async (store) => {
        const items = await tenantAccounts({ store, now: () => context.now() }, query);
        printPage(context, { items, nextCursor: null }, asJson === true, (rows) =>
          table<TenantAccount>(
            [
              { title: 'TENANT', cell: (row) => row.tenant },
              { title: 'EXTRACTIONS', align: 'right', cell: (row) => String(row.extractions) },
              { title: 'OPEN', align: 'right', cell: (row) => String(row.open) },
              { title: 'VERIFIED', align: 'right', cell: (row) => String(row.verified) },
              { title: 'UNVERIFIED', align: 'right', cell: (row) => String(row.unverified) },
              { title: 'CALLS', align: 'right', cell: (row) => String(row.calls) },
              { title: 'TOKENS', align: 'right', cell: (row) => String(row.tokens) },
              { title: 'COST', align: 'right', cell: (row) => row.cost.map(price).join(', ') || '-' },
              { title: 'LIMITS', cell: ({ limits }) => (limits === null ? '' : limitText(limits)) },
            ],
            rows,
          ),
        );
      }),
    );
}

function limitCommand(context: CliContext): Command {
  return new Command('limit')
    .description('set what a tenant may use; what is not named is not limited')
    .argument('<tenant>', 'its name')
    .option('--most-open <n>', 'so many extractions open at once', positive)
    .option('--per-second <n>', 'so many submissions a second, such as 5 or 0.5', rate)
    .addOption(json())
    .action((name: string, options: LimitsAsked) =>
      withStore(context, async (store) => {
        if (options.mostOpen === undefined && options.perSecond === undefined) throw nothingToLimit(name);
        const limits = { mostOpen: options.mostOpen ?? null, perSecond: options.perSecond ?? null };
        await changing(context, store, limitsOf(name), () =>
          limitTenant({ store, now: () => context.now() }, name, limits),
        );
        printChange(
          context,
          { tenant: name, ...limits },
          options.json,
          `Tenant ${name}: ${limitText(limits)}.`,
        );
      }),
    );
}

function nothingToLimit(name: string): ApplicationError {
  return new ApplicationError(
    'invalid_request',
    `Say which limit: --most-open N, --per-second N or both; "endstop tenants unlimit ${name}" takes its own limits away.`,
  );
}

function unlimitCommand(context: CliContext): Command {
  return new Command('unlimit')
    .description("take a tenant's own limits away; those of the configuration hold again")
    .argument('<tenant>', 'its name')
    .addOption(json())
    .action((name: string, options: { readonly json?: true }) =>
      withStore(context, async (store) => {
        const removed = await changing(
          context,
          store,
          limitsOf(name),
          () => store.tenants.removeRule(name),
          (had) => (had ? { subject: name, tenant: name } : 'refused'),
        );
        if (removed) {
          const said = `Tenant ${name} has no limits of its own any more.`;
          printChange(context, { tenant: name, limits: null }, options.json, said);
          return;
        }
        context.terminal.error(`Tenant ${name} has no limits of its own.\n`);
        context.exitCode = exitCodes.usage;
      }),
    );
}

/** Setting them and taking them away are one operation. */
function limitsOf(tenant: string): CommandChange {
  return { action: 'setTenantLimits', subject: tenant, tenant };
}

function limitText({ mostOpen, perSecond }: TenantLimits): string {
  const parts = [
    mostOpen === null ? [] : [`at most ${mostOpen} open`],
    perSecond === null ? [] : [`${perSecond} a second`],
  ].flat();
  return parts.join(', ') || 'no limit';
}

function rate(text: string): number {
  const value = Number(text);
  if (/^\d{1,5}(\.\d{1,3})?$/.test(text) && value > 0) return value;
  throw new InvalidArgumentError('It must be a number such as 5 or 0.5.');
}
