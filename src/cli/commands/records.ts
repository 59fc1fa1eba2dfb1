import { Command, Option } from 'commander';
import { ApplicationError } from '../../application/application-error.js';
import { type ExportFormat, exportFormats, exportRecords } from '../../application/export-records.js';
import { type RecordView, viewRecord } from '../../application/views/record-view.js';
import {
  type RecordFilter,
  type VerificationStatus,
  verificationStatuses,
} from '../../ports/record-store.js';
import type { CliContext } from '../context.js';
import { writeWhole } from '../file-output.js';
import { minute, shortId } from '../format.js';
import { all, cursor, instant, json, limit, spec, tenant, wordsOf } from '../options.js';
import { listed, printPage } from '../page.js';
import { startReading } from '../progress.js';
import { knownSpecs, withStore } from '../session.js';
import { oneLine, table } from '../table.js';

interface SelectOptions {
  readonly tenant?: string;
  readonly spec?: string;
  readonly status?: readonly VerificationStatus[];
  readonly since?: number;
}

interface ListOptions extends SelectOptions {
  readonly limit: number;
  readonly cursor?: string;
  readonly all?: true;
  readonly json?: true;
}

interface ExportOptions extends SelectOptions {
  readonly format: ExportFormat;
  readonly out?: string;
  readonly flatten?: string;
  readonly json?: true;
}

/** `endstop records list` and `records export`. */
export function recordsCommand(context: CliContext): Command {
  return new Command('records')
    .description('verified records, as a list or as a file; others only when their status is asked for')
    .addCommand(listCommand(context))
    .addCommand(exportCommand(context));
}

const selectOptions = () => [
  tenant(),
  spec(),
  new Option(
    '--status <words...>',
    'of these statuses, with spaces or commas between them (default: verified and human_verified)',
  )
    .choices(verificationStatuses)
    .argParser(wordsOf(verificationStatuses)),
  new Option('--since <instant>', 'recorded then or later: 2026-03-01, or with a time').argParser(instant),
];

function filterOf({ tenant, spec, status, since }: SelectOptions): RecordFilter {
  return {
    ...(tenant === undefined ? {} : { tenant }),
    ...(spec === undefined ? {} : { specId: spec }),
    ...(status === undefined ? {} : { statuses: status }),
    ...(since === undefined ? {} : { since }),
  };
}

function listCommand(context: CliContext): Command {
  const command = new Command('list').description(
    'list records, newest first; unless asked otherwise, the current one of each document',
  );
  for (const option of selectOptions()) command.addOption(option);
  return command
    .addOption(limit(50))
    .addOption(cursor())
    .addOption(all())
    .addOption(json())
    .action(async (options: ListOptions) => {
      const specs = await knownSpecs(context);
      await withStore(context, async (store) => {
        const page = await listed(options, (page) => store.records.list(filterOf(options), page));
        const items = page.items.map((record) => viewRecord(record, specs));
        printPage(context, { ...page, items }, options.json === true, recordTable);
      });
    });
}

function recordTable(rows: readonly RecordView[]): string {
  return table<RecordView>(
    [
      { title: 'ID', cell: (row) => shortId(row.extractionId) },
      { title: 'SPEC', cell: (row) => row.spec },
      { title: 'STATUS', cell: (row) => row.verificationStatus },
      { title: 'RECORDED', cell: (row) => minute(row.at) },
      {
        title: 'UNMET',
        align: 'right',
        cell: (row) => (row.unmet.length === 0 ? '' : String(row.unmet.length)),
      },
      { title: 'RECORD', most: 80, cell: (row) => inShort(row.record) },
    ],
    rows,
  );
}

/** The plain values of a record, as far as a line holds them. */
function inShort(record: unknown): string {
  if (typeof record !== 'object' || record === null) return '';
  return Object.entries(record)
    .flatMap(([name, value]) => (typeof value === 'string' ? [`${name}: ${oneLine(value)}`] : []))
    .join(', ');
}

function exportCommand(context: CliContext): Command {
  const command = new Command('export').description(
    'write records as CSV or JSON lines, as they are at this instant',
  );
  for (const option of selectOptions()) command.addOption(option);
  return command
    .addOption(new Option('--format <name>', 'how').choices(exportFormats).default('jsonl'))
    .option('--out <file>', 'into this file, which is there only when it is whole (default: to the output)')
    .option('--flatten <list>', 'CSV: a row for each item of this list')
    .option(
      '--json',
      'with --out: say as JSON how many records are in the file; records themselves are JSON lines anyway',
    )
    .addHelpText(
      'after',
      '\nCSV: file_name is what the document was called when it was handed in; template, which one found a fallback record;\n' +
        'unmet_rules, what a person overrode; other_fields holds as JSON what no field of any known version of the spec names.\n',
    )
    .action(async (options: ExportOptions) => {
      const { terminal } = context;
      if (options.json && options.out === undefined && options.format === 'csv')
        throw new ApplicationError(
          'invalid_request',
          'Records are printed as CSV or as JSON: leave out --json or --format csv.',
        );
      const catalogue = await context.catalogue([]);
      await withStore(context, async (store) => {
        let records = 0;
        const chunks = exportRecords(
          { store, catalogue },
          { filter: filterOf(options), format: options.format, flatten: options.flatten ?? null },
        );
        const texts = async function* () {
          for await (const chunk of chunks) {
            records += chunk.records;
            yield chunk.text;
          }
        };
        if (options.out === undefined) {
          for await (const text of texts()) {
            terminal.out(text);
            await terminal.drained();
          }
          return;
        }
        const reading = startReading(terminal, 'records');
        const told = async function* () {
          for await (const text of texts()) {
            reading.tell(records, null);
            yield text;
          }
        };
        try {
          await writeWhole(options.out, told());
        } finally {
          reading.stop();
        }
        if (options.json) terminal.out(`${JSON.stringify({ records, out: options.out })}\n`);
        else terminal.error(`${records} records are in ${options.out}.\n`);
      });
    });
}
