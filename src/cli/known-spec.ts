import type { Command, Option } from 'commander';
import { currentSpec } from '../application/submit-extraction.js';
import type { CliContext } from './context.js';
import { isSpecFilter } from './options.js';
import { knownSpecs, withStore } from './session.js';

/**
 * Refuses a misspelt `--spec` of a command that selects by it: its empty list would look like one of nothing to do.
 * A spec whose file is gone is still known by what was run under it.
 * Throws ApplicationError `unknown_spec`.
 */
export async function assertSpecFilter(context: CliContext, command: Command): Promise<void> {
  const isFilter = command.options.some((option: Option) => isSpecFilter(option));
  const { spec } = command.optsWithGlobals<{ readonly spec?: string }>();
  if (!isFilter || spec === undefined) return;
  const catalogue = await knownSpecs(context);
  if (catalogue.current(spec) !== null) return;
  const used = await withStore(context, (store) => store.specVersions.used(spec));
  if (used.length === 0) currentSpec({ catalogue }, spec);
}
