import { Command } from 'commander';
import { setRetention, sweepRetention } from '../../application/retention.js';
import { instant } from '../../application/views/instant.js';
import type { CliContext } from '../context.js';
import { exitCodes } from '../fault.js';
import { minute } from '../format.js';
import { json, positive } from '../options.js';
import { printChange, printPage } from '../page.js';
import { withStore } from '../session.js';
import { table } from '../table.js';
import { changing } from '../trail.js';

interface SetOptions {
  readonly tenant: string;
  readonly days: number;
  readonly records?: number;
  readonly json?: true;
}

/** `endstop retention set|unset|list|sweep`. */
export function retentionCommand(context: CliContext): Command {
  return new Command('retention')
    .description("how long each tenant's documents are kept")
    .addCommand(setCommand(context))
    .addCommand(unsetCommand(context))
    .addCommand(listCommand(context))
    .addCommand(sweepCommand(context));
}

function setCommand(context: CliContext): Command {
  return new Command('set')
    .description('keep documents for so many days after they were last handed in, then erase what they said')
    .requiredOption('--tenant <name>', 'whose documents')
    .requiredOption('--days <n>', 'for so many days', positive)
    .option('--records <days>', 'verified records for so many days (default: for ever)', positive)
    .addOption(json())
    .action(({ tenant, days, records, json: asJson }: SetOptions) =>
      withStore(context, async (store) => {
        const rule = { tenant, documentDays: days, recordDays: records ?? null };
        await changing(context, store, { action: 'setRetention', subject: tenant, tenant }, () =>
          setRetention({ store, now: () => context.now() }, rule),
        );
        const said = `Documents of ${tenant} are kept for ${days} days, verified records ${kept(rule.recordDays)}.`;
        printChange(context, rule, asJson, said);
      }),
    );
}

function unsetCommand(context: CliContext): Command {
  return new Command('unset')
    .description('keep documents for ever again')
    .requiredOption('--tenant <name>', 'whose documents')
    .addOption(json())
    .action(({ tenant, json: asJson }: { readonly tenant: string; readonly json?: true }) =>
      withStore(context, async (store) => {
        const unset = await changing(
          context,
          store,
          { action: 'unsetRetention', subject: tenant, tenant },
          () => store.retention.unset(tenant),
          (had) => (had ? { subject: tenant, tenant } : 'refused'),
        );
        if (unset) {
          const rule = { tenant, documentDays: null, recordDays: null };
          printChange(context, rule, asJson, `Documents of ${tenant} are kept for ever.`);
          return;
        }
        context.terminal.error(`Tenant ${tenant} has no retention.\n`);
        context.exitCode = exitCodes.usage;
      }),
    );
}

function listCommand(context: CliContext): Command {
  return new Command('list')
    .description('list the tenants that have a retention')
    .addOption(json())
    .action((options: { readonly json?: true }) =>
      withStore(context, async (store) => {
        const rules = await store.retention.rules();
        const items = rules.map(({ setAt, ...rule }) => ({ ...rule, setAt: instant(setAt) }));
        printPage(context, { items, nextCursor: null }, options.json === true, (rows) =>
          table<(typeof items)[number]>(
            [
              { title: 'TENANT', cell: (row) => row.tenant },
              { title: 'DOCUMENTS', cell: (row) => `${row.documentDays} days` },
              { title: 'RECORDS', cell: (row) => kept(row.recordDays) },
              { title: 'SINCE', cell: (row) => minute(row.setAt) },
            ],
            rows,
          ),
        );
      }),
    );
}

function sweepCommand(context: CliContext): Command {
  return new Command('sweep')
    .description('erase now what is older than its tenant allows; what a run or a review needs is kept')
    .addOption(json())
    .action((options: { readonly json?: true }) =>
      withStore(context, async (store) => {
        const items = await changing(context, store, { action: 'sweepRetention' }, () =>
          sweepRetention({ store, now: () => context.now() }),
        );
        printPage(context, { items, nextCursor: null }, options.json === true, (rows) =>
          table<(typeof items)[number]>(
            [
              { title: 'TENANT', cell: (row) => row.tenant },
              { title: 'ERASED', align: 'right', cell: (row) => String(row.documents) },
              { title: 'IN USE', align: 'right', cell: (row) => String(row.inUse) },
              { title: 'RECORDS REMOVED', align: 'right', cell: (row) => String(row.records) },
            ],
            rows,
          ),
        );
      }),
    );
}

function kept(days: number | null): string {
  return days === null ? 'for ever' : `${days} days`;
}
