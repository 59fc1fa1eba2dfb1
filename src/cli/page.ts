import type { Page } from '../ports/page.js';
import type { CliContext } from './context.js';

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
