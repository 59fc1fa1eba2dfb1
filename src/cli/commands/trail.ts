import { Command } from 'commander';
import { type TrailView, viewTrail } from '../../application/views/trail-view.js';
import type { CliContext } from '../context.js';
import { minute, shortId } from '../format.js';
import { all, cursor, instant, json, limit, tenant } from '../options.js';
import { listed, printPage } from '../page.js';
import { withStore } from '../session.js';
import { table } from '../table.js';

interface TrailOptions {
  readonly tenant?: string;
  readonly actor?: string;
  readonly action?: string;
  readonly subject?: string;
  readonly since?: number;
  readonly limit: number;
  readonly cursor?: string;
  readonly all?: true;
  readonly json?: true;
}

/** `endstop trail`. */
export function trailCommand(context: CliContext): Command {
  return new Command('trail')
    .description('list who changed what through API, console and command line, newest first')
    .addOption(tenant('all'))
    .option('--actor <name>', 'only by this key or person')
    .option('--action <word>', 'only this operation, such as cancelExtraction')
    .option('--subject <id>', 'only of this thing, by its whole id')
    .option('--since <instant>', 'only from this day or instant on', instant)
    .addOption(limit(50))
    .addOption(cursor())
    .addOption(all())
    .addOption(json())
    .action(({ limit, cursor: from, all: whole, json: asJson, ...filter }: TrailOptions) =>
      withStore(context, async (store) => {
        const page = await listed(
          {
            limit,
            ...(from === undefined ? {} : { cursor: from }),
            ...(whole === undefined ? {} : { all: whole }),
          },
          (page) => store.trail.list(filter, page),
        );
        const view = { items: page.items.map(viewTrail), nextCursor: page.nextCursor };
        printPage(context, view, asJson === true, trailTable);
      }),
    );
}

function trailTable(rows: readonly TrailView[]): string {
  return table<TrailView>(
    [
      { title: 'AT', cell: (row) => minute(row.at) },
      { title: 'ACTOR', cell: (row) => row.actor },
      { title: 'ACTION', cell: (row) => row.action },
      { title: 'SUBJECT', cell: (row) => shortId(row.subject) },
      { title: 'TENANT', cell: (row) => row.tenant ?? 'all' },
    ],
    rows,
  );
}
