import { Command } from 'commander';
import { cancelExtraction } from '../../application/cancel-extraction.js';
import { summarise } from '../../application/views/extraction-view.js';
import type { CliContext } from '../context.js';
import { outcomeWord, shortId } from '../format.js';
import { json } from '../options.js';
import { printChange } from '../page.js';
import { withApplication } from '../session.js';
import { changing } from '../trail.js';

/** `endstop cancel ID`. */
export function cancelCommand(context: CliContext): Command {
  return new Command('cancel')
    .description('stop an extraction when its call in flight has ended')
    .argument('<id>', 'its id, or the first 8 or more digits of it')
    .addOption(json())
    .action((id: string, options: { readonly json?: true }) =>
      withApplication(context, [], async (app) => {
        const { kind, extraction } = await changing(
          context,
          app.store,
          { action: 'cancelExtraction', subject: id },
          () => cancelExtraction(app, id),
          ({ extraction: { key, tenant } }) => ({ subject: key, tenant }),
        );
        const view = { kind, extraction: summarise(extraction) };
        const what =
          kind === 'requested'
            ? 'is asked to stop'
            : `had ended before (${outcomeWord(view.extraction)}) and stays so`;
        printChange(context, view, options.json, `${shortId(extraction.key)} ${what}.`);
      }),
    );
}
