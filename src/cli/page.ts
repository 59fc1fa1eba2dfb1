import type { Page } from '../ports/page.js';
import type { CliContext } from './context.js';

/** Prints what a change came to: one JSON object, or a sentence. */
export function printChange(
  { terminal }: Pick<CliContext, 'terminal'>,
  view: object,
  asJson: boolean | undefined,
  sentence: string,
): void {
  terminal.out(asJson ? `${JSON.stringify(view)}\n` : `${sentence}\n`);
}

/**
 * Prints one page: JSON lines, or a table with how to go on below it. The hint goes to the error stream, so that what
 * reads the output never meets it.
 */
export function printPage<Row>(
  { terminal }: CliContext,
  page: Page<Row>,
  asJson: boolean,
  show: (rows: readonly Row[]) => string,
): void {
  if (asJson) for (const row of page.items) terminal.out(`${JSON.stringify(row)}\n`);
  else terminal.out(page.items.length === 0 ? 'None.\n' : show(page.items));
  if (page.nextCursor !== null) terminal.error(`There are more: --cursor ${page.nextCursor}\n`);
}
