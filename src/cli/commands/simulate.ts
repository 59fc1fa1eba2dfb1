import { Argument, Command, InvalidArgumentError } from 'commander';
import { ApplicationError } from '../../application/application-error.js';
import type { Scenario } from '../../simulator/scenario.js';
import { type ScenarioName, scenarios } from '../../simulator/scenarios.js';
import { simulate } from '../../simulator/simulate.js';
import type { CliContext } from '../context.js';
import { json, positive } from '../options.js';
import { readScenario } from '../scenario-file.js';
import { simulationSheet } from '../simulation-sheet.js';

interface SimulateOptions {
  readonly seed: number;
  readonly documents?: number;
  readonly cap?: number;
  readonly json?: true;
}

const wholeNumber = (text: string): number => {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number, 0 or more.');
};

/** `endstop simulate`: the same decisions as in production, over simulated time. Needs no server and no database. */
export function simulateCommand(context: CliContext): Command {
  const names = Object.keys(scenarios) as ScenarioName[];
  return new Command('simulate')
    .description('let simulated documents run through the same decisions, at any scale')
    .addArgument(
      new Argument('<scenario>', 'a ready-made world, or a JSON file that says what differs from one'),
    )
    .option('--seed <n>', 'the same seed gives the same bytes', wholeNumber, 1)
    .option('--documents <n>', 'this many documents instead of the number of the scenario', positive)
    .option('--cap <n>', 'this attempt cap instead of that of the scenario', positive)
    .addOption(json())
    .addHelpText(
      'after',
      `\nA file names a world in "from", and gives fields of it anew: arrivals, kinds, slots, policy, incidents, ...\nWorlds:\n${names.map((name) => `  ${name.padEnd(18)} ${scenarios[name].says}\n`).join('')}`,
    )
    .action(async (name: string, { seed, documents, cap, ...options }: SimulateOptions) => {
      const base = await scenarioOf(name);
      const policy = { ...base.policy, attemptCap: cap ?? base.policy.attemptCap };
      const scenario = { ...base, policy, documents: documents ?? base.documents };
      const simulation = simulate(scenario, seed);
      context.terminal.out(
        options.json === true
          ? `${JSON.stringify({ scenario: name, ...simulation })}\n`
          : simulationSheet(name, base.says, simulation),
      );
    });
}

async function scenarioOf(name: string): Promise<Scenario> {
  if (Object.hasOwn(scenarios, name)) return scenarios[name as ScenarioName];
  if (/[./\\]/.test(name)) return await readScenario(name);
  const names = Object.keys(scenarios).join(', ');
  throw new ApplicationError(
    'invalid_request',
    `There is no world "${name}"; name a file, or one of ${names}.`,
  );
}
