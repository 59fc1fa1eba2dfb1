import { Command } from 'commander';
import { cancelExtraction } from '../../application/cancel-extraction.js';
import { summarise } from '../../application/views/extraction-view.js';
import type { CliContext } from '../context.js';
import { outcomeWord, shortId } from '../format.js';
import { withApplication } from '../session.js';

/** `endstop cancel ID`. */
export function cancelCommand(context: CliContext): Command {
  return new Command('cancel')
    .description('stop an extraction when its call in flight has ended')
    .argument('<id>', 'its id, or the first 8 or more digits of it')
    .action((id: string) =>
      withApplication(context, [], async (app) => {
        const { kind, extraction } = await cancelExtraction(app, id);
        const what =
          kind === 'requested'
            ? 'is asked to stop'
            : `had ended before (${outcomeWord(summarise(extraction))}) and stays so`;
        context.terminal.out(`${shortId(extraction.key)} ${what}.\n`);
      }),
    );
}
