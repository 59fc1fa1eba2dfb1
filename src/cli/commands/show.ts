import { Command, Option } from 'commander';
import { findExtraction } from '../../application/find-extraction.js';
import { personsDecision } from '../../application/persons-decision.js';
import { readOutcome, refuseErased } from '../../application/read-outcome.js';
import { readAttempts } from '../../application/views/attempt-view.js';
import { viewExtraction } from '../../application/views/extraction-view.js';
import { lastCallOf } from '../../application/views/what-to-do.js';
import { workflowIds } from '../../domain/workflow-id.js';
import { attemptTable, feedbackLines } from '../attempt-table.js';
import type { CliContext } from '../context.js';
import { extractionSheet } from '../extraction-table.js';
import { json, positive } from '../options.js';
import { knownSpecs, withStore } from '../session.js';

interface ShowOptions {
  readonly run?: number;
  readonly json?: true;
}

const run = () => new Option('--run <n>', 'this run of it (default: the latest)').argParser(positive);

/** `endstop show ID`. */
export function showCommand(context: CliContext): Command {
  return new Command('show')
    .description(
      'show one extraction: outcome, record or unmet rules, where it went, and its page in the engine',
    )
    .argument('<id>', 'its id, or the first 8 or more digits of it')
    .addOption(run())
    .addOption(json())
    .action((id: string, options: ShowOptions) =>
      withStore(context, async (store) => {
        const row = await findExtraction(store, id, options.run);
        refuseErased(row);
        const view = viewExtraction(
          await readOutcome(store, row),
          context.engineUrl(workflowIds.extraction(row.key)),
          await knownSpecs(context),
        );
        const decision =
          view.humanRecord === null ? null : await personsDecision(store, view.humanRecord.extractionId);
        const letter = row.route === 'dead_letter' ? await store.deadLetters.find(row.key) : null;
        context.terminal.out(
          options.json
            ? `${JSON.stringify({ ...view, humanDecision: decision })}\n`
            : extractionSheet(context.terminal, view, {
                decision,
                letter: letter?.state ?? null,
                lastCall: await lastCallOf(store, view),
              }),
        );
      }),
    );
}

/** `endstop attempts ID`. */
export function attemptsCommand(context: CliContext): Command {
  return new Command('attempts')
    .description(
      'list every attempt of one extraction: class, broken rules, ceiling, tokens, calls, time, what it was told',
    )
    .argument('<id>', 'its id, or the first 8 or more digits of it')
    .addOption(run())
    .addOption(json())
    .action((id: string, options: ShowOptions) =>
      withStore(context, async (store) => {
        const row = await findExtraction(store, id, options.run);
        const attempts = await readAttempts(store, row.key, row.run);
        const { terminal } = context;
        if (options.json) for (const attempt of attempts) terminal.out(`${JSON.stringify(attempt)}\n`);
        else
          terminal.out(
            attemptTable(terminal, attempts) + feedbackLines(attempts) || 'No attempt was made yet.\n',
          );
      }),
    );
}
