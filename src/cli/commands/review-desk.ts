import { Command, Option } from 'commander';
import { listReviews, readQueue } from '../../application/review-queue.js';
import { readReviewSheet } from '../../application/review-sheet.js';
import type { ListedReview, ReviewSummary } from '../../application/views/review-view.js';
import type { FailureClass } from '../../domain/failure-class.js';
import type { Reason } from '../../domain/reason.js';
import { type ReviewKind, type ReviewState, reviewStates } from '../../ports/review-store.js';
import type { CliContext } from '../context.js';
import { minute, price, shortId, why } from '../format.js';
import { all, cursor, failureClass, json, limit, reason, spec, tenant } from '../options.js';
import { listed, printPage } from '../page.js';
import { type ActorOption, actor, kind, nameOf, review } from '../review-options.js';
import { queueFooter } from '../review-queue.js';
import { reviewSheet } from '../review-sheet.js';
import { withStore } from '../session.js';
import { table } from '../table.js';

interface ListOptions {
  readonly tenant?: string;
  readonly spec?: string;
  readonly state: ReviewState;
  readonly kind?: ReviewKind;
  readonly reason?: Reason;
  readonly class?: FailureClass;
  readonly heldBy?: string;
  readonly free?: true;
  readonly overdue?: true;
  readonly escalated?: true;
  readonly limit: number;
  readonly cursor?: string;
  readonly all?: true;
  readonly json?: true;
}

/** `endstop review list` and `show`. */
export function reviewDeskCommands(context: CliContext): readonly Command[] {
  return [listCommand(context), queueCommand(context), showCommand(context)];
}

function listCommand(context: CliContext): Command {
  return new Command('list')
    .description(
      "list reviews, the highest amount first, then the oldest; below them, what the queue takes; a review is named by its own id or its extraction's",
    )
    .addOption(tenant())
    .addOption(spec())
    .addOption(new Option('--state <word>', 'in this state').choices(reviewStates).default('open'))
    .addOption(kind())
    .addOption(reason())
    .addOption(failureClass())
    .option('--held-by <name>', 'only what this person holds; of withdrawn ones, what they held until then')
    .option('--free', 'only what nobody holds')
    .option('--overdue', 'only what is past its time')
    .option('--escalated', 'only what was escalated')
    .addOption(limit(50))
    .addOption(cursor())
    .addOption(all())
    .addOption(json())
    .action((options: ListOptions) =>
      withStore(context, async (store) => {
        const desk = { store, now: () => context.now() };
        const page = await listed(options, (request) => listReviews(desk, filterOf(options), request));
        printPage(context, page, options.json === true, reviewTable);
        if (options.json || options.state !== 'open') return;
        context.terminal.out(queueFooter(await readQueue(desk, scopeOf(options))));
      }),
    );
}

function queueCommand(context: CliContext): Command {
  return new Command('queue')
    .description('say how much waits, and how many hours of people it takes')
    .addOption(tenant())
    .addOption(spec())
    .addOption(json())
    .action((options: Pick<ListOptions, 'tenant' | 'spec' | 'json'>) =>
      withStore(context, async (store) => {
        const queue = await readQueue({ store, now: () => context.now() }, scopeOf(options));
        context.terminal.out(options.json ? `${JSON.stringify(queue)}\n` : queueFooter(queue));
      }),
    );
}

function showCommand(context: CliContext): Command {
  return new Command('show')
    .description('show why a document waits, field by field beside what it prints, and how that came about')
    .addArgument(review())
    .addOption(actor())
    .addOption(json())
    .action(async (id: string, options: ActorOption & { readonly json?: true }) => {
      const catalogue = await context.catalogue([]);
      await withStore(context, async (store) => {
        const app = { store, catalogue, now: () => context.now() };
        const sheet = await readReviewSheet(app, id, nameOf(options));
        context.terminal.out(
          options.json ? `${JSON.stringify(sheet)}\n` : reviewSheet(context.terminal, sheet),
        );
      });
    });
}

function filterOf(options: ListOptions) {
  return {
    ...scopeOf(options),
    state: options.state,
    ...(options.kind === undefined ? {} : { kind: options.kind }),
    ...(options.reason === undefined ? {} : { reason: options.reason }),
    ...(options.class === undefined ? {} : { failureClass: options.class }),
    ...(options.heldBy === undefined ? {} : { holder: options.heldBy }),
    ...(options.free === undefined ? {} : { lease: 'free' as const }),
    ...(options.overdue === undefined ? {} : { overdue: true }),
    ...(options.escalated === undefined ? {} : { escalated: true }),
  };
}

function scopeOf(options: Pick<ListOptions, 'tenant' | 'spec'>) {
  return {
    ...(options.tenant === undefined ? {} : { tenant: options.tenant }),
    ...(options.spec === undefined ? {} : { specId: options.spec }),
  };
}

function reviewTable(rows: readonly ListedReview[]): string {
  return table<ListedReview>(
    [
      { title: 'REVIEW', cell: (row) => shortId(row.id) },
      { title: 'EXTRACTION', cell: (row) => shortId(row.extractionId) },
      { title: 'DOCUMENT', most: 40, cell: (row) => row.fileName ?? row.documentHash.slice(0, 12) },
      { title: 'SPEC', cell: (row) => row.spec },
      { title: 'AMOUNT', align: 'right', cell: (row) => (row.amount === null ? '-' : price(row.amount)) },
      { title: 'WHY', cell: (row) => (row.kind === 'sample' ? 'sample' : why(row)) },
      { title: 'STATE', cell: (row) => row.verdict ?? row.state },
      { title: 'HELD BY', most: 40, cell: (row) => row.holder ?? row.withdrawn?.from ?? '' },
      { title: 'DUE', cell: dueText },
    ],
    rows,
  );
}

function dueText({ dueAt, overdue, escalatedAt }: ReviewSummary): string {
  if (dueAt === null) return '-';
  const marks = [...(overdue ? ['overdue'] : []), ...(escalatedAt === null ? [] : ['escalated'])];
  return marks.length === 0 ? minute(dueAt) : `${minute(dueAt)} (${marks.join(', ')})`;
}
