import { Command, Option } from 'commander';
import { findDeadLetter } from '../../application/find-dead-letter.js';
import {
  type DeadLetterDetail,
  type DeadLetterGroupView,
  type DeadLetterView,
  viewDeadLetter,
  viewDeadLetterDetail,
  viewDeadLetterGroup,
} from '../../application/views/dead-letter-view.js';
import type { FailureClass } from '../../domain/failure-class.js';
import type { Reason } from '../../domain/reason.js';
import type { LetterSelection } from '../../domain/redrive.js';
import { type LetterState, letterStates } from '../../ports/dead-letter-store.js';
import type { CliContext } from '../context.js';
import { pretty } from '../extraction-table.js';
import { minute, shortId, why } from '../format.js';
import { all, cursor, failureClass, json, limit, reason, spec, tenant } from '../options.js';
import { listed, printPage } from '../page.js';
import { withStore } from '../session.js';
import { facts, table } from '../table.js';

/** What selects dead letters, for listing and for redriving them. */
export interface LetterOptions {
  readonly tenant?: string;
  readonly spec?: string;
  readonly reason?: Reason;
  readonly class?: FailureClass;
  readonly failedUnder?: string;
  readonly schema?: string;
}

interface DeadLettersOptions extends LetterOptions {
  readonly state: LetterState;
  readonly groups?: true;
  readonly limit: number;
  readonly cursor?: string;
  readonly all?: true;
  readonly json?: true;
}

export const letterOptions = () => [
  tenant(),
  spec(),
  reason(),
  failureClass(),
  new Option('--failed-under <version>', 'only those that failed under this prompt version'),
  new Option('--schema <version>', 'only those that failed under this schema version'),
];

export function letterSelection(options: LetterOptions): LetterSelection {
  return {
    ...(options.tenant === undefined ? {} : { tenant: options.tenant }),
    ...(options.spec === undefined ? {} : { specId: options.spec }),
    ...(options.reason === undefined ? {} : { reason: options.reason }),
    ...(options.class === undefined ? {} : { failureClass: options.class }),
    ...(options.failedUnder === undefined ? {} : { promptVersion: options.failedUnder }),
    ...(options.schema === undefined ? {} : { schemaVersion: options.schema }),
  };
}

/** `endstop dead-letters [ID]`. */
export function deadLettersCommand(context: CliContext): Command {
  const command = new Command('dead-letters')
    .description('list parked runs, oldest first, or show one with the bounds it ran under')
    .argument('[id]', 'one of them, by its id or the first 8 or more digits of it');
  for (const option of letterOptions()) command.addOption(option);
  return command
    .addOption(new Option('--state <word>', 'in this state').choices(letterStates).default('parked'))
    .option('--groups', 'count the parked ones by why they failed')
    .addOption(limit(50))
    .addOption(cursor())
    .addOption(all())
    .addOption(json())
    .action((id: string | undefined, options: DeadLettersOptions) =>
      withStore(context, async (store) => {
        const asJson = options.json === true;
        if (id !== undefined) {
          const detail = viewDeadLetterDetail(await findDeadLetter(store, id));
          context.terminal.out(asJson ? `${JSON.stringify(detail)}\n` : letterSheet(detail));
          return;
        }
        const selection = letterSelection(options);
        if (options.groups) {
          const items = (await store.deadLetters.groups(selection)).map(viewDeadLetterGroup);
          printPage(context, { items, nextCursor: null }, asJson, groupTable);
          return;
        }
        const page = await listed(options, (page) =>
          store.deadLetters.list({ ...selection, state: options.state }, page),
        );
        const view = { items: page.items.map(viewDeadLetter), nextCursor: page.nextCursor };
        printPage(context, view, asJson, letterTable);
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
      { title: 'SINCE', cell: (row) => minute(row.at) },
    ],
    rows,
  );
}

function letterSheet(row: DeadLetterDetail): string {
  const { policy, redrivenInto } = row;
  return facts([
    ['id', `${row.id}, run ${row.run}`],
    ['state', row.state],
    ['document', row.fileName === null ? row.documentHash : `${row.fileName} (${row.documentHash})`],
    ['spec', `${row.spec} (schema ${row.schemaVersion}, prompt ${row.promptVersion})`],
    ['tenant', row.tenant],
    ['tags', row.tags.length === 0 ? null : row.tags.join(', ')],
    ['reason', why(row)],
    ['since', minute(row.at)],
    ['redriven', redrivenInto === null ? null : `into ${shortId(redrivenInto.id)}, run ${redrivenInto.run}`],
    ['policy', pretty(policy)],
  ]);
}

export function groupTable(rows: readonly DeadLetterGroupView[]): string {
  return table<DeadLetterGroupView>(
    [
      { title: 'COUNT', align: 'right', cell: (row) => String(row.count) },
      { title: 'SPEC', cell: (row) => row.spec },
      { title: 'SCHEMA', cell: (row) => row.schemaVersion },
      { title: 'PROMPT', cell: (row) => row.promptVersion },
      { title: 'WHY', cell: why },
      { title: 'OLDEST', cell: (row) => minute(row.oldestAt) },
    ],
    rows,
  );
}
