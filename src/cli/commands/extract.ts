import { Command, Option } from 'commander';
import type { Application } from '../../application/application.js';
import { ApplicationError } from '../../application/application-error.js';
import { awaitEnd } from '../../application/await-outcome.js';
import type { Budgets } from '../../application/budgets.js';
import { assertSize } from '../../application/intake.js';
import { pagesName } from '../../application/page-document.js';
import { readOutcome } from '../../application/read-outcome.js';
import type { Started } from '../../application/start-run.js';
import { type Submission, submitExtraction } from '../../application/submit-extraction.js';
import { type ExtractionView, viewExtraction } from '../../application/views/extraction-view.js';
import { lastCallOf } from '../../application/views/what-to-do.js';
import { workflowIds } from '../../domain/workflow-id.js';
import { loadSpecs } from '../../spec/load-spec.js';
import type { CliContext } from '../context.js';
import { assertDocuments, assertReadable, readDocument, readPages } from '../document-file.js';
import { extractionSheet, extractionTable } from '../extraction-table.js';
import { type Farewell, withFarewell } from '../farewell.js';
import { exitCodes, readCliFault } from '../fault.js';
import { minute, shortId } from '../format.js';
import { collect, json, positive, specId } from '../options.js';
import { startProgress } from '../progress.js';
import { someTime } from '../quantities.js';
import { tellStrangeSpecs, withApplication } from '../session.js';
import { changing } from '../trail.js';

interface ExtractOptions {
  readonly spec?: string;
  readonly pages?: true;
  readonly specFile?: readonly string[];
  readonly tenant?: string;
  readonly tag?: readonly string[];
  readonly attempts?: number;
  readonly deadline?: number;
  readonly tokens?: number;
  readonly redrive?: true;
  readonly webhook?: string;
  readonly wait: boolean;
  readonly json?: true;
}

type Chosen = ExtractOptions & { readonly spec: string };

type Submitted = {
  readonly view: ExtractionView;
  readonly policyDiffers: boolean;
  /** Whether it was started now, or runs or ended since before. */
  readonly started: Started['kind'];
};

/** `endstop extract FILES... --spec ID`. */
export function extractCommand(context: CliContext): Command {
  return new Command('extract')
    .description('extract documents: verified records, or typed reasons why not (exit code 0 or 3)')
    .argument('<files...>', 'documents: PDF, text, PNG, JPEG or WebP')
    .option('--spec <id>', 'what to extract (default: the only spec of --spec-file)', specId)
    .addOption(
      new Option(
        '--spec-file <path>',
        'a file that exports the spec; workers must know it too (ENDSTOP_SPECS)',
      ).argParser(collect),
    )
    .option('--pages', 'the files are images, and the pages of one document in this order')
    .option('--tenant <name>', 'whose documents they are (default: ENDSTOP_TENANT)')
    .addOption(new Option('--tag <text>', 'a tag of your own; can be given several times').argParser(collect))
    .addOption(new Option('--attempts <n>', 'a lower attempt cap than the spec has').argParser(positive))
    .addOption(
      new Option('--deadline <time>', 'an earlier deadline than the spec has, such as 90s or 6h').argParser(
        someTime,
      ),
    )
    .addOption(new Option('--tokens <n>', 'a lower token cap than the spec has').argParser(positive))
    .option('--redrive', 'run again what has ended unverified')
    .option('--webhook <url>', 'a URL to tell when they end, and whatever becomes of them later')
    .option('--no-wait', 'start them and return')
    .addOption(json())
    .action(async (files: readonly string[], options: ExtractOptions) => {
      await assertReadable(files);
      await assertDocuments(files);
      const spec = options.spec ?? (await onlySpecOf(options.specFile ?? []));
      tellStrangeSpecs(context);
      const underWay = new Set<string>();
      await withApplication(context, options.specFile ?? [], (app) =>
        withFarewell(context, farewell(underWay), () =>
          extractAll(context, app, files, { ...options, spec }, underWay),
        ),
      );
    });
}

/** Spares naming what there is only one of. */
async function onlySpecOf(files: readonly string[]): Promise<string> {
  const ids = new Set((await Promise.all(files.map(loadSpecs))).flat().map(({ id }) => id));
  const [only] = ids;
  if (only !== undefined && ids.size === 1) return only;
  throw new ApplicationError(
    'invalid_request',
    ids.size === 0
      ? 'Say what to extract with --spec; "endstop spec list" shows the specs there are.'
      : `Say with --spec which of these to extract: ${[...ids].join(', ')}.`,
  );
}

/** Whoever hands a document in need not wait for it. */
function farewell(underWay: ReadonlySet<string>): Farewell {
  const said = (becomes: string): string | null => {
    const [key] = underWay;
    if (key === undefined) return null;
    return underWay.size === 1
      ? `It ${becomes}: endstop show ${shortId(key)}`
      : `What was handed in ${becomes}: endstop list`;
  };
  return {
    left: () => said('goes on without this command'),
    kept: () => said('is kept and goes on at the next start'),
  };
}

/** `underWay` holds the keys of runs that are waited for. */
async function extractAll(
  context: CliContext,
  app: Application,
  files: readonly string[],
  options: Chosen,
  underWay: Set<string>,
): Promise<void> {
  const { terminal } = context;
  const { inFlight } = context.config();
  const documents = options.pages ? [files] : files.map((file) => [file]);
  const progress = startProgress(terminal, documents.length, 'documents');
  const done = new Map<number, ExtractionView>();
  const waiting = [...documents.entries()];
  const faults: unknown[] = [];
  const lane = async () => {
    for (let next = waiting.shift(); next !== undefined && faults.length === 0; next = waiting.shift()) {
      const [place, paths] = next;
      const file = pagesName(paths);
      const { view, policyDiffers, started } = await extractOne(context, app, paths, options, underWay);
      done.set(place, view);
      progress.step(view.fileName ?? '');
      if (started === 'ended') terminal.error(`${file} ${endedText(view, options.redrive === true)}\n`);
      // Bounds that nobody asked for are missed by nobody.
      if (policyDiffers && Object.keys(budgetsOf(options)).length > 0) {
        terminal.error(
          `${file} runs under the bounds it was first started with; this request's are not used.\n`,
        );
      }
      if (options.json) terminal.out(`${JSON.stringify({ file, started, policyDiffers, ...view })}\n`);
      if (view.outcomeKind === 'unverified') context.exitCode = exitCodes.unverified;
    }
  };
  const lanes = Array.from({ length: Math.min(inFlight, documents.length) }, () =>
    lane().catch((error: unknown) => {
      faults.push(error);
    }),
  );
  await Promise.all(lanes);
  progress.stop();
  // What ended before a fault is shown all the same: it was paid for.
  if (!options.json) {
    const inOrder = [...done].sort(([left], [right]) => left - right).map(([, view]) => view);
    terminal.out(await shown(context, app, inOrder, options.wait));
  }
  if (faults.length > 0) throw worst(faults);
}

async function extractOne(
  context: CliContext,
  app: Application,
  paths: readonly string[],
  options: Chosen,
  underWay: Set<string>,
): Promise<Submitted> {
  const document = options.pages ? await readPages(paths) : await readDocument(paths[0] ?? '');
  assertSize(document, paths[0]);
  const submission: Submission = {
    tenant: options.tenant ?? context.config().tenant,
    specId: options.spec,
    document,
    fileName: pagesName(paths),
    tags: options.tag ?? [],
    budgets: budgetsOf(options),
    redrive: options.redrive === true,
    webhookUrl: options.webhook ?? null,
  };
  const { extraction, policyDiffers, kind } = await changing(
    context,
    app.store,
    { action: 'submitExtraction', tenant: submission.tenant },
    () => submitExtraction(app, submission),
    ({ extraction: { key, tenant } }) => ({ subject: key, tenant }),
  );
  if (extraction.state === 'open') underWay.add(extraction.key);
  const row = options.wait ? await awaitEnd(app, extraction) : extraction;
  if (row.state === 'closed') underWay.delete(row.key);
  const view = viewExtraction(
    await readOutcome(app.store, row),
    context.engineUrl(workflowIds.extraction(row.key)),
    app.catalogue,
  );
  return { view, policyDiffers, started: kind };
}

function budgetsOf({ attempts, deadline, tokens }: ExtractOptions): Budgets {
  return {
    ...(attempts === undefined ? {} : { attemptCap: attempts }),
    ...(deadline === undefined ? {} : { deadlineMs: deadline }),
    ...(tokens === undefined ? {} : { tokenCap: tokens }),
  };
}

/** What is printed below is no news. */
function endedText(view: ExtractionView, isRedrive: boolean): string {
  const ended = `ended ${minute(view.closedAt) ?? 'before'} (run ${view.run}); nothing was run again`;
  if (view.humanRecord !== null)
    return `${ended}: a person settled it (${view.humanRecord.verificationStatus}).`;
  if (view.outcomeKind === 'verified' || isRedrive) return `${ended}.`;
  return `${ended}: --redrive runs it again.`;
}

/** One document on a sheet, several in a table. */
async function shown(
  { terminal }: CliContext,
  { store }: Application,
  views: readonly ExtractionView[],
  waited: boolean,
): Promise<string> {
  const [only] = views;
  if (only !== undefined && views.length === 1 && waited) {
    return extractionSheet(terminal, only, { lastCall: await lastCallOf(store, only) });
  }
  return extractionTable(terminal, views);
}

/** A fault that stands in the way says more than a request that was refused. */
function worst(faults: readonly unknown[]): unknown {
  return faults.find((error) => readCliFault(error).exitCode === exitCodes.fault) ?? faults[0];
}
