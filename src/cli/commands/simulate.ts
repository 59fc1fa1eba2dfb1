import { Argument, Command, Option } from 'commander';
import { ApplicationError } from '../../application/application-error.js';
import { fitScenario } from '../../application/reports.js';
import type { Scenario } from '../../simulator/scenario.js';
import { type ScenarioName, scenarios } from '../../simulator/scenarios.js';
import { type Simulation, simulate } from '../../simulator/simulate.js';
import { offering } from '../completion/tree.js';
import type { CliContext } from '../context.js';
import { writeText } from '../file-output.js';
import { json, positive, wholeNumber } from '../options.js';
import { startReading } from '../progress.js';
import { type ReportFlags, readingRuns, reportFilter, reportOptions } from '../report-options.js';
import { readScenario, scenarioText } from '../scenario-file.js';
import { knownSpecs, slotsOf } from '../session.js';
import { simulationSheet } from '../simulation-sheet.js';

interface SimulateOptions extends ReportFlags {
  readonly fit?: true;
  readonly save?: string;
  readonly seed: number;
  readonly documents?: number;
  readonly cap?: number;
  readonly json?: true;
  readonly html?: string;
}

/**
 * `endstop simulate`: the same decisions as in production, over simulated time. Needs the database for `--fit` only, and
 * never a server.
 */
export function simulateCommand(context: CliContext): Command {
  const names = Object.keys(scenarios) as ScenarioName[];
  const command = new Command('simulate')
    .description('let simulated documents run through the same decisions, at any scale')
    .addArgument(
      offering(
        new Argument('[scenario]', 'a ready-made world, or a JSON file that says what differs from one'),
        { kind: 'words', words: names, orFiles: true },
      ),
    )
    .option('--fit', 'a world fitted from stored runs of one spec: arrivals, durations, failure classes')
    .option('--save <file>', 'write the world as a JSON file, to be changed and simulated again')
    .option('--seed <n>', 'the same seed gives the same bytes', wholeNumber, 1)
    .option('--documents <n>', 'this many documents instead of the number of the scenario', positive)
    .option('--cap <n>', 'this attempt cap instead of that of the scenario', positive)
    .addOption(json())
    .addOption(
      new Option(
        '--html <file>',
        'write it as one HTML file with drawings; with --cap, before and after',
      ).conflicts('json'),
    )
    .addHelpText(
      'after',
      `\nA file names a world in "from", and gives fields of it anew: arrivals, kinds, slots, policy, incidents, ...\nWorlds:\n${names.map((name) => `  ${name.padEnd(18)} ${scenarios[name].says}\n`).join('')}`,
    );
  for (const option of reportOptions()) command.addOption(option.helpGroup('Options of --fit:'));
  return command.action(async (given: string | undefined, options: SimulateOptions) => {
    const { seed, documents, cap, html, save } = options;
    const { name, world } = await worldOf(context, given, options);
    const base = { ...world, documents: documents ?? world.documents };
    const says = cap === undefined ? base.says : `${base.says}; here with a cap of ${cap}`;
    const policy = cap === undefined ? base.policy : { ...base.policy, attemptCap: cap };
    const scenario = { ...base, says, policy };
    if (save !== undefined) {
      await writeText(save, scenarioText(scenario));
      context.terminal.error(`The world is in ${save}.\n`);
    }
    const simulation = simulated(context, scenario, seed);
    if (html !== undefined) {
      const { simulationPage } = await import('../../reports/simulation-page.js');
      // Every document is the same in both: what differs is the cap alone.
      const before =
        cap === undefined ? null : { scenario: base, simulation: simulated(context, base, seed) };
      await writeText(html, simulationPage(name, { scenario, simulation }, before));
      context.terminal.error(`The simulation is in ${html}.\n`);
      return;
    }
    context.terminal.out(
      options.json === true
        ? `${JSON.stringify({ scenario: name, ...simulation })}\n`
        : simulationSheet(name, says, simulation),
    );
  });
}

/** What a world lets happen is seen when it happens. */
function simulated({ terminal }: CliContext, scenario: Scenario, seed: number): Simulation {
  const reading = startReading(terminal, 'documents');
  try {
    return simulate(scenario, seed, (arrived) => reading.tell(arrived, scenario.documents));
  } catch (error) {
    throw error instanceof RangeError ? invalid(`It cannot be simulated: ${error.message}`) : error;
  } finally {
    reading.stop();
  }
}

async function worldOf(
  context: CliContext,
  given: string | undefined,
  options: SimulateOptions,
): Promise<{ readonly name: string; readonly world: Scenario }> {
  const filter = reportFilter(options);
  if (options.fit === true) {
    if (given !== undefined) throw invalid(`--fit makes a world of its own: leave out "${given}".`);
    const catalogue = await knownSpecs(context);
    const world = await readingRuns(context, (store, tell) =>
      fitScenario({ store, catalogue, now: () => context.now() }, filter, slotsOf(context), tell),
    );
    return { name: 'fitted', world };
  }
  if (Object.keys(filter).length > 0) throw invalid('Filters choose among stored runs: say --fit with them.');
  if (given === undefined)
    throw invalid(`Name a world (${Object.keys(scenarios).join(', ')}), a file, or --fit.`);
  return { name: given, world: await scenarioOf(given) };
}

async function scenarioOf(name: string): Promise<Scenario> {
  if (Object.hasOwn(scenarios, name)) return scenarios[name as ScenarioName];
  if (/[./\\]/.test(name)) return await readScenario(name);
  const names = Object.keys(scenarios).join(', ');
  throw invalid(`There is no world "${name}"; name a file, or one of ${names}.`);
}

function invalid(message: string): ApplicationError {
  return new ApplicationError('invalid_request', message);
}
