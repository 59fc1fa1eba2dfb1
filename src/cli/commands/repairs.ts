import { Command } from 'commander';
import { type RepairStanding, repairStandings, switchRepairs } from '../../application/repairs.js';
import type { CliContext } from '../context.js';
import { duration, minute } from '../format.js';
import { json } from '../options.js';
import { printPage } from '../page.js';
import { type ActorOption, actor, nameOf } from '../review-options.js';
import { withStore } from '../session.js';
import { table } from '../table.js';
import { paint } from '../terminal.js';
import { changing } from '../trail.js';

interface SwitchOptions extends ActorOption {
  readonly spec?: string;
  readonly reason?: string;
  readonly json?: true;
}

/** `endstop repairs status|pause|resume`. */
export function repairsCommand(context: CliContext): Command {
  return new Command('repairs')
    .description('the repair budget of each spec: how much of it is used, and pausing repairs')
    .addCommand(statusCommand(context))
    .addCommand(switchCommand(context, true))
    .addCommand(switchCommand(context, false));
}

function statusCommand(context: CliContext): Command {
  return new Command('status')
    .description('show what each budget allows, what was granted and denied, and who paused repairs')
    .option('--spec <id>', 'only of this spec')
    .addOption(json())
    .action((options: SwitchOptions) =>
      withRepairs(context, async (app) =>
        print(context, await repairStandings(app, options.spec), options.json === true),
      ),
    );
}

function switchCommand(context: CliContext, paused: boolean): Command {
  const does = paused
    ? 'make no further repairs, on any worker: runs that need one end as repair_budget'
    : 'make repairs again; what was paused by its own --spec stays paused';
  return new Command(paused ? 'pause' : 'resume')
    .description(does)
    .option('--spec <id>', 'only of this spec (default: of all)')
    .option('--reason <text>', 'why, for whoever asks')
    .addOption(actor())
    .addOption(json())
    .action((options: SwitchOptions) =>
      withRepairs(context, async (app) => {
        const { spec = null, reason = null } = options;
        const name = nameOf(options);
        const action = paused ? 'pauseRepairs' : 'resumeRepairs';
        const standings = await changing(
          context,
          app.store,
          { action, subject: spec ?? '', actor: name },
          () => switchRepairs(app, { specId: spec, paused, actor: name, reason }),
        );
        print(context, standings, options.json === true);
        if (paused) context.terminal.error(pauseRemark(spec));
      }),
    );
}

/** What was just done, and how it is undone. */
function pauseRemark(spec: string | null): string {
  const whose = spec === null ? 'Runs of every spec' : `Runs of ${spec}`;
  const undo = `endstop repairs resume${spec === null ? '' : ` --spec ${spec}`}`;
  return `${whose} that need a repair end as repair_budget from now on; "${undo}" undoes this.\n`;
}

function withRepairs(
  context: CliContext,
  work: (app: Parameters<typeof repairStandings>[0]) => Promise<void>,
): Promise<void> {
  return withStore(context, async (store) => {
    const catalogue = await context.catalogue([]);
    await work({ store, catalogue, now: () => context.now() });
  });
}

function print(context: CliContext, items: readonly RepairStanding[], asJson: boolean): void {
  printPage(context, { items, nextCursor: null }, asJson, (rows) =>
    table<RepairStanding>(
      [
        { title: 'SPEC', cell: ({ spec }) => spec },
        {
          title: 'BUDGET',
          cell: (row) => `${percent(row.share)}, at least ${row.floor}, in ${duration(row.windowMs)}`,
        },
        { title: 'PRIMARIES', align: 'right', cell: (row) => String(row.primaries) },
        { title: 'ALLOWED', align: 'right', cell: (row) => String(row.allowed) },
        { title: 'GRANTED', align: 'right', cell: (row) => String(row.granted) },
        {
          title: 'USED',
          align: 'right',
          cell: ({ usedShare }) => (usedShare === null ? '-' : percent(usedShare)),
        },
        { title: 'DENIED', align: 'right', cell: (row) => String(row.deniedByBudget + row.deniedByPause) },
        {
          title: 'STATE',
          cell: ({ paused }) => (paused === null ? 'on' : pausedText(paused)),
          paint: ({ paused }, text) => paint(context.terminal, paused === null ? 'green' : 'yellow', text),
        },
      ],
      rows,
    ),
  );
}

/** Who paused repairs, since when and why. */
export function pausedText({ scope, actor, reason, since }: NonNullable<RepairStanding['paused']>): string {
  const what = scope === 'all' ? 'all paused' : 'paused';
  return `${what} by ${actor} since ${minute(since)}${reason === null ? '' : `: ${reason}`}`;
}

function percent(share: number): string {
  return `${Math.round(share * 1_000) / 10} %`;
}
