import { isDeepStrictEqual } from 'node:util';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { Application } from '../../application/application.js';
import { ApplicationError } from '../../application/application-error.js';
import { awaitEnd } from '../../application/await-outcome.js';
import { readOutcome } from '../../application/read-outcome.js';
import { redriveByKey, selectedGroups, startRedrive } from '../../application/redrive.js';
import { viewDeadLetterGroup } from '../../application/views/dead-letter-view.js';
import { viewExtraction } from '../../application/views/extraction-view.js';
import { lastCallOf } from '../../application/views/what-to-do.js';
import { workflowIds } from '../../domain/workflow-id.js';
import type { CliContext } from '../context.js';
import { extractionSheet } from '../extraction-table.js';
import { withFarewell } from '../farewell.js';
import { exitCodes } from '../fault.js';
import { minute, shortId } from '../format.js';
import { json, positive } from '../options.js';
import { tellStrangeSpecs, withApplication } from '../session.js';
import { changing } from '../trail.js';
import { groupTable, type LetterOptions, letterOptions, letterSelection } from './dead-letters.js';
import { redriveCancelCommand, redriveStatusCommand, watchRedrive } from './redrive-watch.js';

interface RedriveOptions extends LetterOptions {
  readonly with?: string;
  readonly all?: true;
  readonly max?: number;
  readonly rate?: number;
  readonly name?: string;
  readonly dryRun?: true;
  readonly wait: boolean;
  readonly json?: true;
}

/** `endstop redrive [ID]`, `endstop redrive status|cancel ID`. */
export function redriveCommand(context: CliContext): Command {
  const command = new Command('redrive')
    .description('run dead letters again: one by its id, or all that the options select')
    .argument('[id]', 'one extraction, wherever it went')
    .addCommand(redriveStatusCommand(context))
    .addCommand(redriveCancelCommand(context));
  for (const option of letterOptions()) command.addOption(option);
  return command
    .option('--all', 'every parked one, when no other option selects')
    .option('--with <version>', 'under this prompt version (default: the one each failed under)')
    .option('--max <n>', 'run at most this many, the oldest first', positive)
    .addOption(new Option('--rate <n/s>', 'start at most this many in a second').argParser(rate))
    .option('--name <text>', 'a name of its own, apart from the same selection of the same day')
    .option('--dry-run', 'only say how many it would be, and why they failed')
    .option('--no-wait', 'start it and return; it goes on by itself either way')
    .addOption(json())
    .addHelpText(
      'after',
      '\nThe same selection on the same day (UTC) is one redrive: asked for again, it is followed while it runs, and\n' +
        'takes only what it has not run yet once it has ended. ENDSTOP_IN_FLIGHT bounds how many run at once.\n',
    )
    .action(async (id: string | undefined, options: RedriveOptions) => {
      tellStrangeSpecs(context);
      await withApplication(context, [], (app) =>
        id === undefined ? redriveMany(context, app, options) : redriveOne(context, app, id, options),
      );
    });
}

async function redriveOne(
  context: CliContext,
  app: Application,
  id: string,
  options: RedriveOptions,
): Promise<void> {
  const { all, dryRun, max, rate, name } = options;
  if (isSelective(options) || all || dryRun || [max, rate, name].some((value) => value !== undefined)) {
    throw new ApplicationError('invalid_request', 'Name one id, or select many by options, not both.');
  }
  const started = await changing(
    context,
    app.store,
    { action: 'redrive', subject: id },
    () => redriveByKey(app, id, options.with ?? null),
    ({ key, tenant }) => ({ subject: key, tenant }),
  );
  if (hasOtherTable(app, started)) {
    context.terminal.error(
      `It keeps the routing table it was started with, which is no longer that of ${started.specId}. ` +
        'Handed in again ("endstop extract FILE --redrive"), it takes the present one.\n',
    );
  }
  const look = `endstop show ${shortId(started.key)}`;
  const farewell = {
    left: () => `It goes on without this command: ${look}`,
    kept: () => `It is kept and goes on at the next start: ${look}`,
  };
  const row = options.wait ? await withFarewell(context, farewell, () => awaitEnd(app, started)) : started;
  // It was closed when it came back: no run was begun.
  const wasRun = started.state === 'open';
  const view = viewExtraction(
    await readOutcome(app.store, row),
    context.engineUrl(workflowIds.extraction(row.key)),
    app.catalogue,
  );
  if (!wasRun) {
    context.terminal.error(
      `Nothing was run again. Run ${view.run} ended ${minute(view.closedAt) ?? 'before'}.\n`,
    );
  }
  const sheet = async () =>
    extractionSheet(context.terminal, view, { lastCall: await lastCallOf(app.store, view) });
  context.terminal.out(options.json ? `${JSON.stringify(view)}\n` : await sheet());
  if (view.outcomeKind === 'unverified') context.exitCode = exitCodes.unverified;
}

/** A redrive runs under the bounds and the table that were frozen with it. */
function hasOtherTable(
  { catalogue }: Pick<Application, 'catalogue'>,
  { policy, ...run }: Awaited<ReturnType<typeof redriveByKey>>,
): boolean {
  const spec = catalogue.find({ ...run, id: run.specId });
  return spec !== null && !isDeepStrictEqual(spec.policy.routes, policy.routes);
}

async function redriveMany(context: CliContext, app: Application, options: RedriveOptions): Promise<void> {
  const { terminal } = context;
  const asJson = options.json === true;
  if (!isSelective(options) && !options.all) {
    throw new ApplicationError('invalid_request', 'Name an id, or select by options, or say --all.');
  }
  const selection = letterSelection(options);
  if (options.dryRun) {
    const { parked, groups } = await selectedGroups(app, selection);
    const views = groups.map(viewDeadLetterGroup);
    if (asJson) terminal.out(`${JSON.stringify({ parked, groups: views })}\n`);
    else terminal.out(`${groupTable(views)}${parked} parked runs would be redriven.\n`);
    return;
  }
  const asked = {
    id: options.name ?? null,
    selection,
    promptVersion: options.with ?? null,
    most: options.max ?? null,
    inFlight: context.config().inFlight,
    perSecond: options.rate ?? null,
  };
  const { kind, order } = await changing(
    context,
    app.store,
    { action: 'redrive' },
    () => startRedrive(app, asked),
    ({ order }) => ({ subject: order.id, tenant: selection.tenant ?? null }),
  );
  const { id, parked } = order;
  if (!options.wait) {
    const said = kind === 'started' ? `of ${parked} parked runs is under way` : 'was under way already';
    terminal.out(asJson ? `${JSON.stringify({ id, kind, parked })}\n` : `Redrive ${id} ${said}.\n`);
    return;
  }
  if (!asJson) {
    const said = kind === 'started' ? `${parked} parked runs` : 'it runs already and is followed here';
    terminal.error(`Redrive ${id}: ${said}. To stop it: endstop redrive cancel ${id}\n`);
  }
  await watchRedrive(context, app.engine, id, Math.min(parked, order.most ?? parked), asJson);
}

function isSelective(options: RedriveOptions): boolean {
  return Object.keys(letterSelection(options)).length > 0;
}

/** "5/s" or "5". */
function rate(text: string): number {
  const count = /^(\d{1,4})(?:\/s)?$/.exec(text)?.[1];
  if (count !== undefined && Number(count) >= 1) return Number(count);
  throw new InvalidArgumentError('It must be a whole number of starts in a second, such as 5/s.');
}
