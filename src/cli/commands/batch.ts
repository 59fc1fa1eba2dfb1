import { Command, Option } from 'commander';
import type { Application } from '../../application/application.js';
import { ApplicationError } from '../../application/application-error.js';
import { batchIdOf, createBatch, findBatch, startBatch } from '../../application/batches.js';
import { currentSpec } from '../../application/submit-extraction.js';
import { handIn, type SourceSurvey, survey } from '../batch-intake.js';
import { type BatchSource, openSource } from '../batch-source.js';
import type { CliContext } from '../context.js';
import { withFarewell } from '../farewell.js';
import { collect, json, positive, specId } from '../options.js';
import { startProgress } from '../progress.js';
import { duration, someTime, tokens } from '../quantities.js';
import { withApplication } from '../session.js';
import { oneLine } from '../table.js';
import { changing } from '../trail.js';
import {
  batchCancelCommand,
  batchListCommand,
  batchResultsCommand,
  batchShowCommand,
  watchBatch,
} from './batch-watch.js';

interface BatchOptions {
  readonly spec?: string;
  readonly specFile?: readonly string[];
  readonly tokens?: number;
  readonly deadline?: number;
  readonly patience?: number;
  readonly attempts?: number;
  readonly inFlight?: number;
  readonly name?: string;
  readonly tag?: readonly string[];
  readonly tenant?: string;
  readonly redrive?: true;
  readonly resume?: string;
  readonly wait: boolean;
  readonly json?: true;
}

/** `endstop batch DIR|MANIFEST`, `endstop batch show|list|cancel|results`. */
export function batchCommand(context: CliContext): Command {
  return new Command('batch')
    .description('extract a folder or a manifest of documents under one budget and one deadline')
    .argument('[source]', 'a folder, folders inside of it included, or a manifest (.jsonl)')
    .addCommand(batchShowCommand(context))
    .addCommand(batchListCommand(context))
    .addCommand(batchCancelCommand(context))
    .addCommand(batchResultsCommand(context))
    .option('--spec <id>', 'what to extract', specId)
    .addOption(
      new Option(
        '--spec-file <path>',
        'a file that exports the spec; workers must know it too (ENDSTOP_SPECS)',
      ).argParser(collect),
    )
    .addOption(new Option('--tokens <n>', 'for all documents together, such as 30M').argParser(tokens))
    .addOption(new Option('--deadline <time>', 'for all documents together, such as 6h').argParser(someTime))
    .addOption(
      new Option(
        '--patience <time>',
        'how long a document sits out a provider outage (default: 30m)',
      ).argParser(duration),
    )
    .addOption(new Option('--attempts <n>', 'a lower attempt cap than the spec has').argParser(positive))
    .addOption(
      new Option('--in-flight <n>', 'documents under way at once (default: ENDSTOP_IN_FLIGHT)').argParser(
        positive,
      ),
    )
    .option('--name <text>', 'a name, which makes it another batch than the same documents without it')
    .addOption(new Option('--tag <text>', 'a tag of your own; can be given several times').argParser(collect))
    .option('--tenant <name>', 'whose documents they are (default: ENDSTOP_TENANT)')
    .option('--redrive', 'run again what has ended unverified')
    .option(
      '--resume <id>',
      'go on with a batch that was cancelled or stopped; its id, or its first 8 or more characters',
    )
    .option('--no-wait', 'start it and return; it goes on by itself either way')
    .addOption(json())
    .addHelpText('after', help)
    .action(async (path: string | undefined, options: BatchOptions) => {
      const given = await look(context, path, options);
      await withApplication(context, options.specFile ?? [], (app) => run(context, app, given, options));
    });
}

/** Documents that were looked at before anything is opened, or the batch to resume. */
type Given =
  | (SourceSurvey & { readonly source: BatchSource; readonly spec: string })
  | { readonly resume: string };

async function look(context: CliContext, path: string | undefined, options: BatchOptions): Promise<Given> {
  const { spec, resume } = options;
  if (resume !== undefined) {
    if (path !== undefined) throw invalid('Name a source, or a batch to resume, not both.');
    return { resume };
  }
  if (path === undefined) throw invalid('Name a folder or a manifest, or say --resume ID.');
  if (spec === undefined) throw invalid('Say what to extract: --spec ID.');
  const source = await openSource(path);
  const looked = await survey(source, path);
  tellLeftOut(context, source.skipped);
  return { ...looked, source, spec };
}

const mostLeftOutShown = 5;

function tellLeftOut({ terminal }: CliContext, { count, names }: BatchSource['skipped']): void {
  if (count === 0) return;
  const shown = names.slice(0, mostLeftOutShown).map(oneLine).join(', ');
  const more = count > mostLeftOutShown ? `, and ${count - mostLeftOutShown} more` : '';
  const are = count === 1 ? '1 file is no document and is' : `${count} files are no documents and are`;
  terminal.error(`${are} left out: ${shown}${more}.\n`);
}

const help = `
Above its budget the attempt cap is lowered for the rest; once it is gone, the rest is parked without a call
(reason batch_budget). The same command again, over the same files, is the same batch: what was interrupted goes on.
A line of a manifest is "a.pdf", {"file": "a.pdf", "tags": [...]}, {"pages": ["1.png", "2.png"]}, {"text": "..."} or
{"documentHash": "..."}; paths are meant from the manifest's folder.
`;

async function run(
  context: CliContext,
  app: Application,
  given: Given,
  options: BatchOptions,
): Promise<void> {
  const { terminal } = context;
  const { kind, batch } = await changing(
    context,
    app.store,
    { action: 'submitBatch' },
    async () =>
      startBatch(
        app,
        'resume' in given ? await resumable(app, given.resume) : await intake(context, app, given, options),
      ),
    ({ batch: { id, tenant } }) => ({ subject: id, tenant }),
  );
  const { id } = batch;
  const documents = batch.documents ?? 0;
  const leftOut = 'resume' in given ? {} : { leftOut: given.source.skipped.names };
  if (!options.wait) {
    const said = { started: 'is under way', running: 'was under way already', ended: 'has ended before' }[
      kind
    ];
    terminal.out(
      options.json
        ? `${JSON.stringify({ id, kind, documents, ...leftOut })}\n`
        : `Batch ${id} of ${documents} documents ${said}.\n`,
    );
    return;
  }
  if (!options.json) {
    const said = {
      started: `${documents} documents`,
      running: 'it runs already and is followed here',
      ended: 'it has ended before; give it a --name to make another one',
    }[kind];
    terminal.error(
      `Batch ${id}: ${said}.${kind === 'ended' ? '' : ` To stop it: endstop batch cancel ${id}`}\n`,
    );
  }
  const follow = `endstop batch show ${id}`;
  const farewell = {
    left: () => `The batch goes on without this command: ${follow}, or endstop batch cancel ${id}`,
    kept: () => `The batch is kept and goes on at the next start: ${follow}`,
  };
  await withFarewell(context, farewell, () => watchBatch(context, app, id, options.json === true, leftOut));
}

/** Creates the batch and hands its documents in, unless that was done before. */
async function intake(
  context: CliContext,
  app: Application,
  { documents, digest, source, spec }: Exclude<Given, { readonly resume: string }>,
  options: BatchOptions,
): Promise<string> {
  const config = context.config();
  const { id: specId, schemaVersion, prompt } = currentSpec(app, spec);
  const { inFlight = config.inFlight, tokens: budgetTokens = null, deadline: deadlineMs = null } = options;
  const asked = {
    ...{ specId, budgetTokens, deadlineMs },
    tenant: options.tenant ?? config.tenant,
    name: options.name ?? null,
    tags: options.tag ?? [],
    budgets: options.attempts === undefined ? {} : { attemptCap: options.attempts },
    redrive: options.redrive === true,
    patienceMs: options.patience ?? null,
  };
  const id = batchIdOf([digest, schemaVersion, prompt.version, asked]);
  const batch = await createBatch(app, { ...asked, id, inFlight });
  if (batch.state !== 'collecting') return id;
  const progress = startProgress(context.terminal, documents, 'handed in');
  const goOn = 'What was handed in is kept, and the same command goes on with it; nothing is extracted yet.';
  await withFarewell(context, { left: () => goOn, kept: () => goOn }, () =>
    handIn(app, batch, source, (added) => progress.reach(added, '')).finally(() => progress.stop()),
  );
  return id;
}

async function resumable(app: Application, resume: string): Promise<string> {
  const { state, id } = await findBatch(app, resume);
  if (state !== 'collecting') return id;
  throw invalid(
    `Batch ${id} was interrupted while its documents were handed in: run the command that began it again.`,
  );
}

function invalid(message: string): ApplicationError {
  return new ApplicationError('invalid_request', message);
}
