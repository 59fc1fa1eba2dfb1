import { Command } from 'commander';
import type { Application } from '../../application/application.js';
import { ApplicationError } from '../../application/application-error.js';
import { awaitEnd } from '../../application/await-outcome.js';
import { readOutcome } from '../../application/read-outcome.js';
import { countRedrivable, redrive, redriveByKey } from '../../application/redrive.js';
import { viewExtraction } from '../../application/views/extraction-view.js';
import { workflowIds } from '../../domain/workflow-id.js';
import type { CliContext } from '../context.js';
import { extractionSheet } from '../extraction-table.js';
import { exitCodes } from '../fault.js';
import { json, positive } from '../options.js';
import { startProgress } from '../progress.js';
import { withApplication } from '../session.js';
import { facts } from '../table.js';
import { type LetterOptions, letterFilter, letterOptions } from './dead-letters.js';

interface RedriveOptions extends LetterOptions {
  readonly with?: string;
  readonly all?: true;
  readonly limit?: number;
  readonly dryRun?: true;
  readonly wait: boolean;
  readonly json?: true;
}

/** `endstop redrive [ID]`. */
export function redriveCommand(context: CliContext): Command {
  const command = new Command('redrive')
    .description('run dead letters again: one by its id, or all that the options select')
    .argument('[id]', 'one extraction, wherever it went');
  for (const option of letterOptions()) command.addOption(option);
  return command
    .option('--all', 'every parked one, when no other option selects')
    .option('--with <version>', 'under this prompt version (default: the one each failed under)')
    .option('--limit <n>', 'at most this many, the oldest first', positive)
    .option('--dry-run', 'only say how many it would be')
    .option(
      '--no-wait',
      'start them and return; at most ENDSTOP_IN_FLIGHT of them unless --limit says otherwise',
    )
    .addOption(json())
    .action((id: string | undefined, options: RedriveOptions) =>
      withApplication(context, [], (app) =>
        id === undefined ? redriveMany(context, app, options) : redriveOne(context, app, id, options),
      ),
    );
}

async function redriveOne(
  context: CliContext,
  app: Application,
  id: string,
  options: RedriveOptions,
): Promise<void> {
  if (isSelective(options) || options.all || options.dryRun || options.limit !== undefined) {
    throw new ApplicationError('invalid_request', 'Name one id, or select many by options, not both.');
  }
  const started = await redriveByKey(app, id, options.with ?? null);
  const row = options.wait ? await awaitEnd(app, started) : started;
  const view = viewExtraction(
    await readOutcome(app.store, row),
    context.engineUrl(workflowIds.extraction(row.key)),
    app.catalogue,
  );
  context.terminal.out(options.json ? `${JSON.stringify(view)}\n` : extractionSheet(context.terminal, view));
  if (view.outcomeKind === 'unverified') context.exitCode = exitCodes.unverified;
}

async function redriveMany(context: CliContext, app: Application, options: RedriveOptions): Promise<void> {
  const { terminal } = context;
  if (!isSelective(options) && !options.all) {
    throw new ApplicationError('invalid_request', 'Name an id, or select by options, or say --all.');
  }
  const filter = letterFilter(options);
  const parked = await countRedrivable(app, filter);
  if (options.dryRun) {
    terminal.out(
      options.json ? `${JSON.stringify({ parked })}\n` : `${parked} parked runs would be redriven.\n`,
    );
    return;
  }
  const { inFlight } = context.config();
  // Without waiting nothing frees a place, so the number started is what bounds the engine's load.
  const most = options.limit ?? (options.wait ? null : inFlight);
  const progress = startProgress(terminal, Math.min(parked, most ?? parked), 'runs');
  const report = await redrive(
    app,
    { filter, promptVersion: options.with ?? null, limit: most, inFlight, wait: options.wait },
    ({ letter, redriven }) => {
      progress.step(letter.fileName ?? '');
      if (redriven.kind === 'refused') terminal.error(`${letter.key.slice(0, 12)}: ${redriven.why}\n`);
    },
  ).finally(() => progress.stop());
  if (options.json) terminal.out(`${JSON.stringify(report)}\n`);
  else terminal.out(facts(Object.entries(report).map(([name, count]) => [wordOf(name), String(count)])));
  if (report.unverified > 0) context.exitCode = exitCodes.unverified;
}

function isSelective(options: RedriveOptions): boolean {
  return Object.keys(letterFilter(options)).length > 0;
}

/** `alreadyVerified` as "already verified". */
function wordOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
