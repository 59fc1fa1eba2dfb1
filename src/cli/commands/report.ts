import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import { ApplicationError } from '../../application/application-error.js';
import { reportCsv } from '../../application/report-csv.js';
import { planOfReport } from '../../application/report-plan.js';
import { readReport } from '../../application/reports.js';
import {
  type ReportName,
  reportNames,
  viewMeasure,
  viewReport,
} from '../../application/views/report-view.js';
import { isDecimal } from '../../domain/decimal.js';
import type { CliContext } from '../context.js';
import { writeText } from '../file-output.js';
import { currency, json, positive } from '../options.js';
import { type ReportFlags, readingRuns, reportFilter, reportOptions } from '../report-options.js';
import { reportSheet } from '../report-sheet.js';
import { knownSpecs, slotsOf } from '../session.js';
import { asCalled } from '../terminal.js';

interface ReportOptions extends ReportFlags {
  readonly reviews?: number;
  readonly reviewerCost?: string;
  readonly currency: string;
  readonly json?: true;
  readonly csv?: true;
  readonly html?: string;
}

const amount = (text: string): string => {
  if (isDecimal(text) && !text.startsWith('-')) return text;
  throw new InvalidArgumentError('It must be a plain decimal such as 40.00.');
};

/** `endstop report`: the measures, from stored attempts. Needs the database, and no engine. */
export function reportCommand(context: CliContext): Command {
  const command = new Command('report')
    .description('measure what was run: yield, time, cost, completeness, repairs, estimates, false passes')
    .addArgument(new Argument('[what]', 'which measure').choices([...reportNames, 'all']).default('all'));
  for (const option of reportOptions()) command.addOption(option);
  return command
    .option('--reviews <n>', 'documents a reviewer decides in an hour (default: as measured)', positive)
    .option('--reviewer-cost <amount>', 'what an hour of a reviewer costs', amount)
    .option('--currency <code>', 'its currency', currency, 'USD')
    .addOption(json())
    .addOption(new Option('--csv', 'print one measure as CSV').conflicts('json'))
    .addOption(
      new Option('--html <file>', 'write all measures as one HTML file with drawings').conflicts([
        'json',
        'csv',
      ]),
    )
    .action(async (what: ReportName | 'all', options: ReportOptions) => {
      const { terminal } = context;
      if (options.csv === true && what === 'all') {
        throw new ApplicationError(
          'invalid_request',
          `CSV has one header: name one of ${reportNames.join(', ')}.`,
        );
      }
      const catalogue = await knownSpecs(context);
      const reviewer = {
        ...(options.reviews === undefined ? {} : { reviewsPerHour: options.reviews }),
        ...(options.reviewerCost === undefined
          ? {}
          : { perHour: { amount: options.reviewerCost, currency: options.currency } }),
      };
      const report = await readingRuns(context, (store, tell) =>
        readReport({ store, catalogue, now: () => context.now() }, reportFilter(options), reviewer, tell),
      );
      if (options.html !== undefined) {
        const { reportPage } = await import('../../reports/report-page.js');
        const slots = slotsOf(context);
        await writeText(options.html, reportPage(report, { slots, plan: planOfReport(report, slots) }));
        terminal.error(`The report is in ${options.html}.\n`);
      } else if (options.json === true) {
        terminal.out(`${JSON.stringify(what === 'all' ? viewReport(report) : viewMeasure(report, what))}\n`);
      } else if (options.csv === true && what !== 'all') {
        terminal.out(reportCsv(report, what));
      } else {
        terminal.out(asCalled(terminal, reportSheet(report, what === 'all' ? reportNames : [what])));
      }
    });
}
