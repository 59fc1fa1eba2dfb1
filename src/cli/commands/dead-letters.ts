import { Command, Option } from 'commander';
import {
  type DeadLetterGroupView,
  type DeadLetterView,
  viewDeadLetter,
  viewDeadLetterGroup,
} from '../../application/views/dead-letter-view.js';
import type { FailureClass } from '../../domain/failure-class.js';
import type { Reason } from '../../domain/reason.js';
import type { DeadLetter, DeadLetterFilter } from '../../ports/dead-letter-store.js';
import type { CliContext } from '../context.js';
import { shortId, why } from '../format.js';
import { cursor, failureClass, json, limit, reason, spec, tenant } from '../options.js';
import { printPage } from '../page.js';
import { withStore } from '../session.js';
import { table } from '../table.js';

/** What selects dead letters, for listing and for redriving them. */
export interface LetterOptions {
  readonly tenant?: string;
  readonly spec?: string;
  readonly reason?: Reason;
  readonly class?: FailureClass;
  readonly failedUnder?: string;
}

interface DeadLettersOptions extends LetterOptions {
  readonly state: DeadLetter['state'];
  readonly groups?: true;
  readonly limit: number;
  readonly cursor?: string;
  readonly json?: true;
}

export const letterOptions = () => [
  tenant(),
  spec(),
  reason(),
  failureClass(),
  new Option('--failed-under <version>', 'only those that failed under this prompt version'),
];

export function letterFilter(options: LetterOptions): Omit<DeadLetterFilter, 'state'> {
  return {
    ...(options.tenant === undefined ? {} : { tenant: options.tenant }),
    ...(options.spec === undefined ? {} : { specId: options.spec }),
    ...(options.reason === undefined ? {} : { reason: options.reason }),
    ...(options.class === undefined ? {} : { failureClass: options.class }),
    ...(options.failedUnder === undefined ? {} : { promptVersion: options.failedUnder }),
  };
}

/** `endstop dead-letters`. */
export function deadLettersCommand(context: CliContext): Command {
  const command = new Command('dead-letters').description('list parked runs, oldest first');
  for (const option of letterOptions()) command.addOption(option);
  return command
    .addOption(
      new Option('--state <word>', 'in this state')
        .choices(['parked', 'redriven', 'recovered'])
        .default('parked'),
    )
    .option('--groups', 'count the parked ones by why they failed')
    .addOption(limit(50))
    .addOption(cursor())
    .addOption(json())
    .action((options: DeadLettersOptions) =>
      withStore(context, async (store) => {
        const filter = letterFilter(options);
        if (options.groups) {
          const items = (await store.deadLetters.groups(filter)).map(viewDeadLetterGroup);
          printPage(context, { items, nextCursor: null }, options.json === true, groupTable);
          return;
        }
        const page = await store.deadLetters.list(
          { ...filter, state: options.state },
          { limit: options.limit, ...(options.cursor === undefined ? {} : { cursor: options.cursor }) },
        );
        const view = { items: page.items.map(viewDeadLetter), nextCursor: page.nextCursor };
        printPage(context, view, options.json === true, letterTable);
      }),
    );
}

function letterTable(rows: readonly DeadLetterView[]): string {
  return table<DeadLetterView>(
    [
      { title: 'ID', cell: (row) => shortId(row.id) },
      { title: 'DOCUMENT', most: 40, cell: (row) => row.fileName ?? row.documentHash.slice(0, 12) },
      { title: 'SPEC', cell: (row) => row.spec },
      { title: 'PROMPT', cell: (row) => row.promptVersion },
      { title: 'WHY', cell: why },
      { title: 'STATE', cell: (row) => row.state },
      { title: 'SINCE', cell: (row) => row.at },
    ],
    rows,
  );
}

function groupTable(rows: readonly DeadLetterGroupView[]): string {
  return table<DeadLetterGroupView>(
    [
      { title: 'COUNT', align: 'right', cell: (row) => String(row.count) },
      { title: 'SPEC', cell: (row) => row.spec },
      { title: 'SCHEMA', cell: (row) => row.schemaVersion },
      { title: 'PROMPT', cell: (row) => row.promptVersion },
      { title: 'WHY', cell: why },
      { title: 'OLDEST', cell: (row) => row.oldestAt },
    ],
    rows,
  );
}
