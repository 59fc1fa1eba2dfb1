import { Command, Option } from 'commander';
import { exportBatch } from '../../application/batch-results.js';
import { cancelBatch, findBatch } from '../../application/batches.js';
import { type ExportFormat, exportFormats } from '../../application/export-records.js';
import { followBatch, listBatches, readBatch } from '../../application/read-batch.js';
import { type BatchView, viewBatchDocument } from '../../application/views/batch-view.js';
import { type BatchState, batchStates } from '../../domain/batch.js';
import { workflowIds } from '../../domain/workflow-id.js';
import type { Engine } from '../../ports/engine.js';
import type { Store } from '../../ports/store.js';
import { batchDocumentTable, batchRemarks, batchSheet, batchTable } from '../batch-sheet.js';
import type { CliContext } from '../context.js';
import { exitCodes } from '../fault.js';
import { writeWhole } from '../file-output.js';
import { all, cursor, json, limit, spec, tenant } from '../options.js';
import { listed, printChange, printPage } from '../page.js';
import { startProgress } from '../progress.js';
import { withStore } from '../session.js';
import { changing } from '../trail.js';

interface Both {
  readonly store: Store;
  readonly engine: Engine;
}

/** Options stand on the command above, too, which reads them first. */
const optionsOf = <Options>(command: Command): Options => command.optsWithGlobals<Options & object>();

/** `endstop batch show ID`. */
export function batchShowCommand(context: CliContext): Command {
  return new Command('show')
    .description('how a batch fares')
    .argument('<id>', 'as `endstop batch` printed it, or its first 8 or more characters')
    .addOption(json())
    .action((id: string, _: unknown, command: Command) =>
      withBoth(context, async (both) => {
        const { json: asJson = false } = optionsOf<{ json?: boolean }>(command);
        printBatch(context, await readBatch(both, id), asJson);
      }),
    );
}

/** `endstop batch list`. */
export function batchListCommand(context: CliContext): Command {
  return new Command('list')
    .description('list batches, newest first')
    .addOption(tenant('all'))
    .addOption(spec())
    .addOption(new Option('--state <word>', 'only those in this state').choices(batchStates))
    .addOption(limit(50))
    .addOption(cursor())
    .addOption(all())
    .addOption(json())
    .action((_: unknown, command: Command) =>
      withStore(context, async (store) => {
        const options = optionsOf<{
          tenant?: string;
          spec?: string;
          state?: BatchState;
          limit: number;
          cursor?: string;
          all?: true;
          json?: true;
        }>(command);
        const page = await listed(options, (page) =>
          listBatches(
            { store },
            {
              ...(options.tenant === undefined ? {} : { tenant: options.tenant }),
              ...(options.spec === undefined ? {} : { specId: options.spec }),
              ...(options.state === undefined ? {} : { state: options.state }),
            },
            page,
          ),
        );
        printPage(context, page, options.json === true, (rows) => batchTable(context.terminal, rows));
      }),
    );
}

/** `endstop batch cancel ID`. */
export function batchCancelCommand(context: CliContext): Command {
  return new Command('cancel')
    .description('begin no further document; what is under way goes on to its end')
    .argument('<id>', 'as `endstop batch` printed it, or its first 8 or more characters')
    .option('--now', 'also cancel what is under way, each when its call in flight has ended')
    .addOption(json())
    .action((id: string, _: unknown, command: Command) =>
      withBoth(context, async ({ store, engine }) => {
        const { now = false, json: asJson } = optionsOf<{ now?: boolean; json?: boolean }>(command);
        const app = { store, engine, now: () => context.now() };
        const { kind, batch } = await changing(
          context,
          store,
          { action: 'cancelBatch', subject: id },
          () => cancelBatch(app, id, now ? 'cancel_runs' : 'let_finish'),
          ({ batch: { id, tenant } }) => ({ subject: id, tenant }),
        );
        const said = kind === 'ended' ? 'had ended before' : 'begins no further document';
        printChange(context, { kind, id: batch.id }, asJson, `Batch ${batch.id} ${said}.`);
      }),
    );
}

/** `endstop batch results ID`. */
export function batchResultsCommand(context: CliContext): Command {
  return new Command('results')
    .description('every document of a batch, how it ended, and its verified record (CSV and JSON lines)')
    .argument('<id>', 'as `endstop batch` printed it, or its first 8 or more characters')
    .addOption(new Option('--format <name>', 'how (default: a table)').choices(exportFormats))
    .option('--out <file>', 'into this file, which is there only when it is whole')
    .addOption(json())
    .addHelpText(
      'after',
      '\nIn the order in which they were handed in. RUN says how a document came by its run: its own; known before the batch;\n' +
        'run elsewhere, under way for somebody else; same bytes as another document of the batch.\n',
    )
    .action(async (id: string, _: unknown, command: Command) => {
      const options = optionsOf<{ format?: ExportFormat; out?: string; json?: true }>(command);
      const format = options.format ?? (options.json || options.out !== undefined ? 'jsonl' : null);
      const catalogue = await context.catalogue([]);
      await withStore(context, async (store) => {
        if (format === null) return await printDocuments(context, store, id);
        let documents = 0;
        const texts = async function* () {
          for await (const { text, records } of exportBatch({ store, catalogue }, id, format)) {
            documents += records;
            yield text;
          }
        };
        if (options.out !== undefined) {
          await writeWhole(options.out, texts());
          context.terminal.error(`${documents} documents are in ${options.out}.\n`);
          return;
        }
        for await (const text of texts()) {
          context.terminal.out(text);
          await context.terminal.drained();
        }
      });
    });
}

async function printDocuments({ terminal }: CliContext, store: Store, name: string): Promise<void> {
  const { id } = await findBatch({ store }, name);
  for (let at: string | null | undefined; at !== null; ) {
    const page = await store.batches.documents(
      id,
      {},
      { limit: 200, ...(at === undefined ? {} : { cursor: at }) },
    );
    const settled = await store.records.settledByPerson(page.items.map(({ key }) => key));
    const rows = page.items.map((document) => ({
      ...viewBatchDocument(document),
      humanStatus: settled.get(document.key) ?? null,
    }));
    terminal.out(batchDocumentTable(terminal, rows));
    await terminal.drained();
    at = page.nextCursor;
  }
}

/** Shows how a batch fares until it does not run any more, then what it came to. JSON: a line for each document, too, and `more` in the last one. */
export async function watchBatch(
  context: CliContext,
  both: Both,
  id: string,
  asJson: boolean,
  more: object = {},
): Promise<void> {
  const { terminal } = context;
  const { documents } = await findBatch(both, id);
  const progress = startProgress(terminal, documents ?? 0, 'documents');
  let last: BatchView | null = null;
  try {
    for await (const news of followBatch(both, id)) {
      if (news.kind === 'document') {
        if (asJson) terminal.out(`${JSON.stringify({ batch: id, ...news.document })}\n`);
        continue;
      }
      last = news.batch;
      const { verified, unverified, refused, underWay } = last;
      const note = `${verified} verified, ${unverified} unverified, ${underWay} under way, ${spent(last)}`;
      progress.reach(verified + unverified + refused, note);
    }
  } finally {
    progress.stop();
  }
  printBatch(context, last ?? (await readBatch(both, id)), asJson, more);
}

function spent({ tokens, budgetTokens }: BatchView): string {
  return budgetTokens === null
    ? `${tokens} tokens`
    : `${Math.round((100 * tokens) / budgetTokens)} % of its tokens`;
}

/** Raises the exit code to 3 unless every document is verified, to 1 when it did not end by itself. */
function printBatch(context: CliContext, batch: BatchView, asJson: boolean, more: object = {}): void {
  const { terminal } = context;
  if (asJson) terminal.out(`${JSON.stringify({ ...batch, ...more })}\n`);
  else {
    terminal.out(batchSheet(terminal, batch, context.engineUrl(workflowIds.batch(batch.id))));
    for (const remark of batchRemarks(batch)) terminal.error(`${remark}\n`);
  }
  const isOver = batch.state === 'finished' || batch.state === 'cancelled';
  if (isOver && batch.verified < batch.documents) context.exitCode = exitCodes.unverified;
  if (batch.state === 'stopped') context.exitCode = exitCodes.fault;
}

async function withBoth(context: CliContext, work: (both: Both) => Promise<void>): Promise<void> {
  const engine = await context.openEngine();
  try {
    await withStore(context, (store) => work({ store, engine }));
  } finally {
    await engine.close();
  }
}
