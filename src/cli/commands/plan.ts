import { Command, InvalidArgumentError, Option } from 'commander';
import { ApplicationError } from '../../application/application-error.js';
import { fitPlan } from '../../application/report-plan.js';
import { readReport } from '../../application/reports.js';
import { plan } from '../../planner/plan.js';
import { planFault } from '../../planner/plan-fault.js';
import type { PlanInput } from '../../planner/plan-input.js';
import { planScenarios } from '../../planner/scenarios.js';
import type { CliContext } from '../context.js';
import { currency, json } from '../options.js';
import { inFlags, type PlanFlags, planNumbers, readPlanFile } from '../plan-numbers.js';
import { planSheet } from '../plan-sheet.js';
import { type ReportFlags, readingRuns, reportFilter, reportOptions } from '../report-options.js';
import { knownSpecs, slotsOf } from '../session.js';

interface PlanOptions extends PlanFlags, ReportFlags {
  readonly report?: true;
  readonly scenario?: keyof typeof planScenarios;
  readonly from?: string;
  readonly json?: true;
}

const number = (text: string): number => {
  if (/^\d+(\.\d+)?$/.test(text.trim())) return Number(text);
  throw new InvalidArgumentError('It must be a number, 0 or more.');
};
const numbers = (text: string): readonly number[] => text.split(',').map(number);
const listed =
  (holds: (value: number) => boolean, says: string) =>
  (text: string): readonly number[] => {
    const all = numbers(text);
    if (all.every(holds)) return all;
    throw new InvalidArgumentError(says);
  };
const percentages = listed((each) => each <= 100, 'Each must be percent, 0 to 100.');
const durations = listed((each) => each > 0, 'Each must be seconds, above 0.');
const words = (text: string): readonly string[] => text.split(',').map((each) => each.trim());

/**
 * `endstop plan`: what each attempt cap costs in slots, people, traffic and money. Needs the database for `--report` only,
 * and never a server.
 */
export function planCommand(context: CliContext): Command {
  const command = new Command('plan')
    .description('choose an attempt cap: what each costs in slots, people, traffic and money')
    .addOption(
      new Option('--scenario <name>', 'ready-made numbers')
        .choices(Object.keys(planScenarios))
        .conflicts('from'),
    )
    .addOption(
      new Option('--report', 'numbers fitted from stored runs, of one spec').conflicts(['scenario', 'from']),
    )
    .option('--from <file>', 'numbers from a JSON file, as --json prints them under "input"')
    .option('--peak <n>', 'documents per second when most arrive', number)
    .option('--per-day <n>', 'documents a day', number)
    .option('--pass <list>', 'percent verified after 1, 2, ... attempts', percentages)
    .option(
      '--reached <list>',
      'percent that make attempt 1, 2, ... (default: all that are left)',
      percentages,
    )
    .option('--seconds <list>', 'mean seconds of attempt 1, 2, ...; the last goes on', durations)
    .option('--p99 <list>', 'p99 of a document in seconds at cap 1, 2, ...', durations)
    .option('--wrong <list>', 'percent of the records of attempt 1, 2, ... that are wrong', percentages)
    .option('--tokens <list>', 'tokens of attempt 1, 2, ...', numbers)
    .option('--cost <list>', 'price of attempt 1, 2, ..., plain decimals', words)
    .option('--currency <code>', 'currency of all prices', currency)
    .option('--slots <list>', 'slots that exist: one number for a pool, or first,repair', numbers)
    .option('--budget <percent>', 'repairs per 100 primary calls that the repair budget allows', number)
    .option('--reviews <n>', 'documents a reviewer decides in an hour', number)
    .option('--reviewer-cost <amount>', 'what an hour of a reviewer costs')
    .option('--least-rescued <n>', 'right records per thousand that an attempt must bring', number)
    .option('--most-p99 <seconds>', 'the highest p99 of a document', number)
    .option('--most-slots <n>', 'the most slots there can be', number)
    .option('--most-wait <seconds>', 'what 99 of 100 calls may wait for a slot', number);
  for (const option of reportOptions()) command.addOption(option.helpGroup('Options of --report:'));
  return command.addOption(json()).action(async (options: PlanOptions) => {
    const { base, saysPeak } = await baseOf(context, options);
    const input = planNumbers(options, base);
    const fault = planFault(input);
    if (fault !== null) throw new ApplicationError('invalid_request', inFlags(fault, options, base));
    const planned = plan(input);
    const assumed = saysPeak || options.peak !== undefined ? [] : [assumedPeak];
    const made = { ...planned, legend: [...planned.legend, ...assumed] };
    const { terminal } = context;
    terminal.out(
      options.json === true ? `${JSON.stringify({ input, ...made })}\n` : planSheet(terminal, made),
    );
  });
}

/** Slots and waits are of this rate, and of no other. */
const assumedPeak =
  'Nobody said how many documents arrive (--peak): slots, loads and waits are for 1 a second.';

interface Base {
  readonly base: PlanInput | null;
  readonly saysPeak: boolean;
}

async function baseOf(context: CliContext, options: PlanOptions): Promise<Base> {
  const { scenario, from, report } = options;
  if (scenario !== undefined) return { base: planScenarios[scenario], saysPeak: true };
  if (from !== undefined) {
    const { input, saysPeak } = await readPlanFile(from);
    return { base: input, saysPeak };
  }
  if (report !== true) {
    const filter = Object.keys(reportFilter(options));
    if (filter.length === 0) return { base: null, saysPeak: false };
    throw new ApplicationError(
      'invalid_request',
      'Filters choose among stored runs: say --report with them.',
    );
  }
  const catalogue = await knownSpecs(context);
  return await readingRuns(context, async (store, tell) => {
    const reporting = { store, catalogue, now: () => context.now() };
    const report = await readReport(reporting, reportFilter(options), {}, tell);
    return { base: fitPlan(report, slotsOf(context)), saysPeak: true };
  });
}
