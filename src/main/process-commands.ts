import { fileURLToPath } from 'node:url';
import { Command, InvalidArgumentError, Option } from 'commander';
import { type WorkerLane, workerLanes } from '../adapters/temporal/worker-lanes.js';
import type { CliContext } from '../cli/context.js';
import { json } from '../cli/options.js';
import type { Config } from '../config.js';
import type { ProcessContext } from './context.js';
import { databaseUrlOf, temporalServerOf } from './parts.js';

// Commands that are processes of a deployment: each runs until SIGINT or SIGTERM, or does one thing and ends. What they run
// is loaded when they do.

/** `endstop worker`. */
export function workerCommand(context: CliContext): Command {
  return new Command('worker')
    .description('run workers; the lanes decide which task queues this process serves')
    .addOption(
      new Option('--lanes <list>', `comma-separated, of ${workerLanes.join(', ')}`)
        .argParser(parseLanes)
        .default(workerLanes, 'all'),
    )
    .addOption(slots('first', 'first attempts', 'ENDSTOP_FIRST_SLOTS'))
    .addOption(slots('repair', 'repairs', 'ENDSTOP_REPAIR_SLOTS'))
    .addOption(slots('store', 'landings and upkeep', 'ENDSTOP_STORE_SLOTS'))
    .addOption(
      new Option(
        '--grace <seconds>',
        'how long running work may go on after a SIGTERM (default: ENDSTOP_SHUTDOWN_GRACE_SECONDS, or 60)',
      ).argParser(seconds),
    )
    .action(async (options: WorkerFlags) => {
      const config = context.config();
      const { firstSlots, repairSlots, storeSlots, grace } = options;
      const asked: Config = {
        ...config,
        slots: {
          first: firstSlots ?? config.slots.first,
          repair: repairSlots ?? config.slots.repair,
          store: storeSlots ?? config.slots.store,
        },
        shutdownGraceMs: grace === undefined ? config.shutdownGraceMs : grace * 1_000,
      };
      const { runWorker } = await import('./worker.js');
      await runWorker(asked, options.lanes, (line) => context.terminal.error(`${line}\n`));
    });
}

interface WorkerFlags {
  readonly lanes: readonly WorkerLane[];
  readonly firstSlots?: number;
  readonly repairSlots?: number;
  readonly storeSlots?: number;
  readonly grace?: number;
}

function slots(lane: string, what: string, variable: string): Option {
  return new Option(
    `--${lane}-slots <n>`,
    `how many ${what} at once in this process (default: ${variable}, or by cores and memory)`,
  ).argParser(wholeNumber(1, 1_000));
}

const seconds = wholeNumber(0, 3_600);

function wholeNumber(least: number, most: number) {
  return (text: string): number => {
    const value = Number(text);
    if (/^\d{1,9}$/.test(text) && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
  };
}

/** `endstop api`. */
export function apiCommand(context: ProcessContext, version: string): Command {
  return new Command('api')
    .description('serve the HTTP API (ENDSTOP_API_HOST, ENDSTOP_API_PORT, ENDSTOP_API_KEY)')
    .action(async () => {
      const { runApi } = await import('./api.js');
      await runApi(context, version);
    });
}

/** `endstop standin`: a server of its own that knows nothing of this program: its options are its own. */
export function standinCommand(): Command {
  return new Command('standin')
    .description('serve the stand-in for the Messages API; its settings: endstop standin -- --help')
    .allowUnknownOption()
    .argument('[settings...]')
    .action(async (_settings: unknown, _options: unknown, command: Command) => {
      process.argv = [process.execPath, fileURLToPath(import.meta.url), ...command.args];
      await import('../standin/main.js');
    });
}

/** `endstop db migrate`. */
export function databaseCommand(context: CliContext): Command {
  const migrateCommand = new Command('migrate')
    .description('bring the database up to this version; safe to run again and by several at once')
    .option('--search-attributes', 'also register the search attributes with the Temporal server')
    .option(
      '--schedules <minutes>',
      'also keep the schedules, the reconciler every so many minutes: where no worker process stays to do it',
      parseMinutes,
    )
    .addOption(json())
    .action(async (options: MigrateFlags) => {
      const config = context.config();
      const say = (line: string) => (options.json ? undefined : context.terminal.out(`${line}\n`));
      const { migrate } = await import('../adapters/postgres/migrate.js');
      const applied = await migrate(databaseUrlOf(config));
      say(applied.length === 0 ? 'The database is up to date.' : `Applied ${applied.join(', ')}.`);
      if (options.schedules !== undefined) {
        const { scheduleReconciler, scheduleRetention } = await import('../adapters/temporal/schedule.js');
        const server = temporalServerOf(config);
        await scheduleReconciler(server, options.schedules * 60_000);
        await scheduleRetention(server);
        say(`The reconciler runs every ${options.schedules} minutes.`);
      }
      if (options.searchAttributes) {
        const { connect } = await import('../adapters/temporal/connection.js');
        const { registerSearchAttributes } = await import('../adapters/temporal/search-attribute-setup.js');
        const connection = await connect(temporalServerOf(config));
        try {
          await registerSearchAttributes(connection, config.temporal.namespace);
        } finally {
          await connection.close();
        }
        say('Search attributes are registered.');
      }
      const done = {
        applied,
        reconcilerMinutes: options.schedules ?? null,
        searchAttributes: options.searchAttributes === true,
      };
      if (options.json) context.terminal.out(`${JSON.stringify(done)}\n`);
    });
  return new Command('db').description('bring the database up to this version').addCommand(migrateCommand);
}

interface MigrateFlags {
  readonly searchAttributes?: true;
  readonly schedules?: number;
  readonly json?: true;
}

function parseMinutes(text: string): number {
  const minutes = Number(text);
  if (Number.isInteger(minutes) && minutes >= 1 && minutes <= 1_440) return minutes;
  throw new InvalidArgumentError('Minutes are a whole number from 1 to 1440.');
}

function parseLanes(text: string): readonly WorkerLane[] {
  const lanes = text.split(',').map((lane) => lane.trim());
  const unknown = lanes.find((lane) => !workerLanes.some((known) => known === lane));
  if (unknown !== undefined) throw new InvalidArgumentError(`There is no lane "${unknown}".`);
  return workerLanes.filter((lane) => lanes.includes(lane));
}
