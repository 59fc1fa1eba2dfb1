import { Command, Option } from 'commander';
import { plainFileName } from '../../application/intake.js';
import { summarise } from '../../application/views/extraction-view.js';
import type { Reason } from '../../domain/reason.js';
import type { RouteName } from '../../domain/route.js';
import type { CliContext } from '../context.js';
import { extractionTable } from '../extraction-table.js';
import { all, cursor, json, limit, reason, route, spec, tenant } from '../options.js';
import { listed, printPage } from '../page.js';
import { withStore } from '../session.js';

interface ListOptions {
  readonly tenant?: string;
  readonly spec?: string;
  readonly outcome?: 'verified' | 'unverified';
  readonly reason?: Reason;
  readonly route?: RouteName;
  readonly tag?: string;
  readonly file?: string;
  readonly batch?: string;
  readonly running?: true;
  readonly limit: number;
  readonly cursor?: string;
  readonly all?: true;
  readonly json?: true;
}

/** `endstop list`. */
export function listCommand(context: CliContext): Command {
  return new Command('list')
    .description('list extractions, newest first')
    .addOption(tenant())
    .addOption(spec())
    .addOption(
      new Option('--outcome <kind>', 'only those that ended like this').choices(['verified', 'unverified']),
    )
    .addOption(reason())
    .addOption(route())
    .option('--tag <text>', 'only those with this tag')
    .option('--file <name>', 'only documents whose name begins like this')
    .option('--batch <id>', 'only those of this batch; those of a redrive: redrive/ID')
    .option('--running', 'only those that still run')
    .addOption(limit(50))
    .addOption(cursor())
    .addOption(all())
    .addOption(json())
    .action((options: ListOptions) =>
      withStore(context, async (store) => {
        const page = await listed(options, (page) =>
          store.extractions.list(
            {
              ...(options.tenant === undefined ? {} : { tenant: options.tenant }),
              ...(options.spec === undefined ? {} : { specId: options.spec }),
              ...(options.outcome === undefined ? {} : { outcome: options.outcome }),
              ...(options.reason === undefined ? {} : { reason: options.reason }),
              ...(options.route === undefined ? {} : { route: options.route }),
              ...(options.tag === undefined ? {} : { tag: options.tag }),
              ...(options.file === undefined ? {} : { file: plainFileName(options.file) ?? '' }),
              ...(options.batch === undefined ? {} : { batchId: options.batch }),
              ...(options.running === undefined ? {} : { state: 'open' as const }),
            },
            page,
          ),
        );
        const settled = await store.records.settledByPerson(page.items.map(({ key }) => key));
        const items = page.items.map((row) => ({
          ...summarise(row),
          humanStatus: settled.get(row.key) ?? null,
        }));
        const view = { items, nextCursor: page.nextCursor };
        printPage(context, view, options.json === true, (rows) => extractionTable(context.terminal, rows));
      }),
    );
}
