import { Command } from 'commander';
import { ApplicationError } from '../../application/application-error.js';
import type { EngineRun, EngineView } from '../../ports/engine.js';
import type { CliContext } from '../context.js';
import { minute } from '../format.js';
import { json, limit } from '../options.js';
import { printPage } from '../page.js';
import { facts, table } from '../table.js';
import { asCalled, paint } from '../terminal.js';

interface ViewsOptions {
  readonly limit: number;
  readonly json?: true;
}

/** `endstop views [NAME]`. */
export function viewsCommand(context: CliContext): Command {
  return new Command('views')
    .description(
      "ready lists in the engine's own UI: past their deadline, exhausted by reason, waiting, failing",
    )
    .argument('[name]', 'one of these lists: prints its link and the runs in it')
    .addOption(limit(50))
    .addOption(json())
    .action(async (name: string | undefined, options: ViewsOptions) => {
      const engine = await context.openEngine();
      try {
        const views = engine.views();
        if (name === undefined) {
          const asJson = options.json === true;
          printPage(context, { items: views, nextCursor: null }, asJson, (rows) => viewList(context, rows));
          return;
        }
        const view = find(views, name);
        const items = await engine.list(view.query, options.limit);
        if (!options.json) context.terminal.out(`${view.says}\n${view.url ?? view.query}\n\n`);
        printPage(context, { items, nextCursor: null }, options.json === true, runTable);
      } finally {
        await engine.close();
      }
    });
}

function find(views: readonly EngineView[], name: string): EngineView {
  const view = views.find((candidate) => candidate.name === name);
  if (view !== undefined) return view;
  const known = views.map((candidate) => candidate.name).join(', ');
  throw new ApplicationError('invalid_request', `There is no view "${name}"; there are ${known}.`);
}

/** Links are long: they are shown one at a time. */
function viewList({ terminal }: CliContext, views: readonly EngineView[]): string {
  return `${facts(views.map(({ name, says }) => [name, says]))}${paint(
    terminal,
    'dim',
    asCalled(terminal, 'endstop views NAME prints its link and what is behind it; --json prints all links.'),
  )}\n`;
}

function runTable(runs: readonly EngineRun[]): string {
  return table<EngineRun>(
    [
      { title: 'WORKFLOW', cell: (run) => run.workflowId },
      { title: 'STATUS', cell: (run) => run.status },
      { title: 'STARTED', cell: (run) => minute(new Date(run.startedAt).toISOString()) },
      { title: 'LINK', cell: (run) => run.url ?? '' },
    ],
    runs,
  );
}
