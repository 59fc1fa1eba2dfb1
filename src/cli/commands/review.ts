import { readFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { text } from 'node:stream/consumers';
import { Argument, Command, Option } from 'commander';
import { ApplicationError } from '../../application/application-error.js';
import { claimReview } from '../../application/claim-review.js';
import { decideReview } from '../../application/decide-review.js';
import { type ReviewSummary, readReview, summariseReview } from '../../application/views/review-view.js';
import type { StoredJson } from '../../ports/attempt-store.js';
import { type ReviewTask, type ReviewVerb, reviewVerbs } from '../../ports/review-store.js';
import type { CliContext } from '../context.js';
import { price, shortId, why } from '../format.js';
import { collect, cursor, json, limit, spec, tenant } from '../options.js';
import { printPage } from '../page.js';
import { reviewSheet } from '../review-sheet.js';
import { withApplication, withStore } from '../session.js';
import { table } from '../table.js';

interface ListOptions {
  readonly tenant?: string;
  readonly spec?: string;
  readonly state: ReviewTask['state'];
  readonly limit: number;
  readonly cursor?: string;
  readonly json?: true;
}

interface DecideOptions {
  readonly as?: string;
  readonly values?: string;
  readonly note?: string;
  readonly override?: readonly string[];
  readonly json?: true;
}

const review = () =>
  new Argument('<id>', "the review's or its extraction's id, or the first 8 or more digits");
const actor = () => new Option('--as <name>', 'who you are (default: your user name)');

/** `endstop review list|show|claim|decide`. */
export function reviewCommand(context: CliContext): Command {
  return new Command('review')
    .description('documents that wait for a person')
    .addCommand(listCommand(context))
    .addCommand(showCommand(context))
    .addCommand(claimCommand(context))
    .addCommand(decideCommand(context));
}

function listCommand(context: CliContext): Command {
  return new Command('list')
    .description('list reviews, the highest amount first, then the oldest')
    .addOption(tenant())
    .addOption(spec())
    .addOption(
      new Option('--state <word>', 'in this state').choices(['open', 'decided', 'withdrawn']).default('open'),
    )
    .addOption(limit(50))
    .addOption(cursor())
    .addOption(json())
    .action((options: ListOptions) =>
      withStore(context, async (store) => {
        const page = await store.reviews.list(
          {
            state: options.state,
            ...(options.tenant === undefined ? {} : { tenant: options.tenant }),
            ...(options.spec === undefined ? {} : { specId: options.spec }),
          },
          { limit: options.limit, ...(options.cursor === undefined ? {} : { cursor: options.cursor }) },
        );
        const now = context.now();
        const items = page.items.map((task) => summariseReview(task, now));
        printPage(context, { items, nextCursor: page.nextCursor }, options.json === true, reviewTable);
      }),
    );
}

function showCommand(context: CliContext): Command {
  return new Command('show')
    .description('show why a document waits, what does not hold and what is offered as a start')
    .addArgument(review())
    .addOption(json())
    .action((id: string, options: { readonly json?: true }) =>
      withStore(context, async (store) => {
        const view = await readReview(store, id, context.now());
        context.terminal.out(
          options.json ? `${JSON.stringify(view)}\n` : reviewSheet(context.terminal, view),
        );
      }),
    );
}

function claimCommand(context: CliContext): Command {
  return new Command('claim')
    .description('take a review for a quarter of an hour, so that nobody else works on it')
    .addArgument(review())
    .addOption(actor())
    .option('--steal', 'take it from whoever holds it')
    .action((id: string, options: { readonly as?: string; readonly steal?: true }) =>
      withStore(context, async (store) => {
        const now = context.now();
        const task = await claimReview(store, {
          review: id,
          holder: nameOf(options),
          steal: options.steal === true,
          now,
        });
        const { holder, leaseExpiresAt } = summariseReview(task, now);
        context.terminal.out(`${shortId(task.subject)} is held by ${holder} until ${leaseExpiresAt}.\n`);
      }),
    );
}

function decideCommand(context: CliContext): Command {
  return new Command('decide')
    .description('decide a review; the rules run again over the values you stand for')
    .addArgument(review())
    .addArgument(new Argument('<verb>', 'what you decide').choices(reviewVerbs))
    .addOption(actor())
    .option('--values <file>', 'JSON file with the record you stand for; - reads it from standard input')
    .option('--note <text>', 'why; needed to reject and to override')
    .addOption(
      new Option('--override <rule>', 'a rule that may stay unmet; can be given several times').argParser(
        collect,
      ),
    )
    .addOption(json())
    .action(async (id: string, verb: ReviewVerb, options: DecideOptions) => {
      const values = options.values === undefined ? null : await readValues(options.values);
      await withApplication(context, [], async (app) => {
        const decided = await decideReview(app, {
          review: id,
          actor: nameOf(options),
          verb,
          values,
          note: options.note ?? null,
          overrides: options.override ?? [],
        });
        const view = summariseReview(decided.task, context.now());
        const rerun = decided.redriven === null ? '' : ` Run ${decided.redriven.run} is under way.`;
        context.terminal.out(
          options.json ? `${JSON.stringify(view)}\n` : `${shortId(view.id)} is decided: ${verb}.${rerun}\n`,
        );
      });
    });
}

/** JSON of a person. What a parser says about it may quote it, so only the fact is told. */
async function readValues(path: string): Promise<StoredJson> {
  const reading = path === '-' ? text(process.stdin) : readFile(path, 'utf8');
  const content = await reading.catch((error: NodeJS.ErrnoException) => {
    throw new ApplicationError('invalid_request', `${path} cannot be read (${error.code ?? error.name}).`);
  });
  try {
    return JSON.parse(content) as StoredJson;
  } catch {
    throw new ApplicationError('invalid_request', `${path} does not hold JSON.`);
  }
}

function nameOf({ as }: { readonly as?: string }): string {
  if (as !== undefined) return as;
  try {
    return userInfo().username;
  } catch {
    throw new ApplicationError('invalid_request', 'This user has no name here; say who you are with --as.');
  }
}

function reviewTable(rows: readonly ReviewSummary[]): string {
  return table<ReviewSummary>(
    [
      { title: 'ID', cell: (row) => shortId(row.id) },
      { title: 'EXTRACTION', cell: (row) => shortId(row.extractionId) },
      { title: 'SPEC', cell: (row) => row.spec },
      { title: 'AMOUNT', align: 'right', cell: (row) => (row.amount === null ? '-' : price(row.amount)) },
      { title: 'WHY', cell: why },
      { title: 'STATE', cell: (row) => row.verdict ?? row.state },
      { title: 'HELD BY', cell: (row) => row.holder ?? '' },
      { title: 'DUE', cell: (row) => (row.overdue ? `${row.dueAt} (overdue)` : row.dueAt) },
    ],
    rows,
  );
}
