import { Command } from 'commander';
import { cancelRedrive, followRedrive, readRedrive } from '../../application/redrive.js';
import type { RedriveReport } from '../../domain/redrive.js';
import { workflowIds } from '../../domain/workflow-id.js';
import type { Engine } from '../../ports/engine.js';
import type { CliContext } from '../context.js';
import { withFarewell } from '../farewell.js';
import { exitCodes } from '../fault.js';
import { minute } from '../format.js';
import { json } from '../options.js';
import { printChange, printPage } from '../page.js';
import { startProgress } from '../progress.js';
import { redriveRemarks, redriveSheet } from '../redrive-sheet.js';
import { withStore } from '../session.js';
import { table } from '../table.js';
import { changing } from '../trail.js';

/** `endstop redrive status ID`. Options stand on the command above, too, which reads them first. */
export function redriveStatusCommand(context: CliContext): Command {
  return new Command('status')
    .description('how a redrive of many fares; without an id, the redrives there were, newest first')
    .argument('[id]', 'as `endstop redrive` printed it, or its first 8 or more characters')
    .addOption(json())
    .action((id: string | undefined, _: unknown, command: Command) =>
      withEngine(context, async (engine) => {
        const asJson = command.optsWithGlobals<{ json?: true }>().json === true;
        if (id === undefined) await printRedrives(context, engine, asJson);
        else printReport(context, await readRedrive({ engine }, await redriveNamed(engine, id)), asJson);
      }),
    );
}

/** `endstop redrive cancel ID`. */
export function redriveCancelCommand(context: CliContext): Command {
  return new Command('cancel')
    .description('stop a redrive: it starts no further runs; those under way go on')
    .argument('<id>', 'as `endstop redrive` printed it, or its first 8 or more characters')
    .addOption(json())
    .action((name: string, _: unknown, command: Command) =>
      withEngine(context, async (engine) => {
        const id = await redriveNamed(engine, name);
        await withStore(context, (store) =>
          changing(context, store, { action: 'cancelRedrive', subject: id }, () =>
            cancelRedrive({ engine }, id),
          ),
        );
        const asJson = command.optsWithGlobals<{ json?: true }>().json;
        printChange(context, { kind: 'requested', id }, asJson, `Redrive ${id} runs no further letter.`);
      }),
    );
}

const mostListed = 50;

async function printRedrives(context: CliContext, engine: Engine, asJson: boolean): Promise<void> {
  const runs = await engine.list(`WorkflowId STARTS_WITH '${workflowIds.redrive('')}'`, mostListed);
  const items = runs.map(({ workflowId, status, startedAt }) => ({
    ...{ id: workflowId.slice(workflowIds.redrive('').length), status },
    startedAt: new Date(startedAt).toISOString(),
  }));
  printPage(context, { items, nextCursor: null }, asJson, (rows) =>
    table<(typeof items)[number]>(
      [
        { title: 'ID', cell: (row) => row.id },
        { title: 'STATUS', cell: (row) => row.status },
        { title: 'STARTED', cell: (row) => minute(row.startedAt) },
      ],
      rows,
    ),
  );
}

/** Shows how a redrive fares until it has ended, then its report. `total`: how many letters it may deal with. */
export async function watchRedrive(
  context: CliContext,
  engine: Engine,
  id: string,
  total: number,
  asJson: boolean,
): Promise<void> {
  const progress = startProgress(context.terminal, total, 'letters');
  const follow = `endstop redrive status ${id}`;
  const farewell = {
    left: () => `The redrive goes on without this command: ${follow}, or endstop redrive cancel ${id}`,
    kept: () => `The redrive is kept and goes on at the next start: ${follow}`,
  };
  const report = await withFarewell(context, farewell, () =>
    followRedrive({ engine }, id, (seen) => {
      progress.reach(
        seen.selected - seen.underWay,
        `${seen.recovered} recovered, ${seen.returned} returned, ${seen.underWay} under way`,
      );
    }).finally(() => progress.stop()),
  );
  printReport(context, report, asJson);
}

/** Raises the exit code to 3 when some came back, to 1 when it did not end by itself. */
function printReport(context: CliContext, report: RedriveReport, asJson: boolean): void {
  const { terminal } = context;
  if (asJson) terminal.out(`${JSON.stringify(report)}\n`);
  else {
    terminal.out(redriveSheet(terminal, report, context.engineUrl(workflowIds.redrive(report.id))));
    for (const remark of redriveRemarks(report)) terminal.error(`${remark}\n`);
  }
  if (report.returned > 0) context.exitCode = exitCodes.unverified;
  if (report.state === 'stopped') context.exitCode = exitCodes.fault;
}

/** The whole id of which this is a beginning that no other redrive has; else what was given. */
async function redriveNamed(engine: Engine, name: string): Promise<string> {
  // Nothing else may stand in the query; what is no id is refused by whoever uses it.
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{7,63}$/.test(name)) return name;
  if ((await engine.redriveReport(name)) !== null) return name;
  const [only, other] = await engine.list(`WorkflowId STARTS_WITH '${workflowIds.redrive(name)}'`, 2);
  if (only === undefined || other !== undefined) return name;
  return only.workflowId.slice(workflowIds.redrive('').length);
}

async function withEngine(context: CliContext, work: (engine: Engine) => Promise<void>): Promise<void> {
  const engine = await context.openEngine();
  try {
    await work(engine);
  } finally {
    await engine.close();
  }
}
