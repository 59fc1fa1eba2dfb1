import { Argument, Command, InvalidArgumentError } from 'commander';
import type { Scenario } from '../../simulator/scenario.js';
import { type ScenarioName, scenarios } from '../../simulator/scenarios.js';
import { simulate } from '../../simulator/simulate.js';
import type { CliContext } from '../context.js';
import { json, positive } from '../options.js';
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
    .addArgument(new Argument('<scenario>', 'a ready-made world').choices(names))
    .option('--seed <n>', 'the same seed gives the same bytes', wholeNumber, 1)
    .option('--documents <n>', 'this many documents instead of the number of the scenario', positive)
    .option('--cap <n>', 'this attempt cap instead of that of the scenario', positive)
    .addOption(json())
    .addHelpText(
      'after',
      `\nWorlds:\n${names.map((name) => `  ${name.padEnd(18)} ${scenarios[name].says}\n`).join('')}`,
    )
    .action((name: ScenarioName, { seed, documents, cap, ...options }: SimulateOptions) => {
      const base: Scenario = scenarios[name];
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
