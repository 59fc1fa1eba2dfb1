import type { Page, PageRequest } from '../ports/page.js';
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

/** Which part of a list was asked for. */
export interface PageFlags {
  readonly limit: number;
  readonly cursor?: string;
  readonly all?: true;
}

const mostAtOnce = 200;

/** The page that was asked for, or with `--all` every page as one. */
export async function listed<Row>(
  { limit, cursor, all }: PageFlags,
  read: (request: PageRequest) => Promise<Page<Row>>,
): Promise<Page<Row>> {
  const from = (at: string | undefined) => (at === undefined ? {} : { cursor: at });
  if (all === undefined) return await read({ limit, ...from(cursor) });
  const items: Row[] = [];
  for (let at: string | null | undefined; at !== null; ) {
    const page: Page<Row> = await read({ limit: mostAtOnce, ...from(at) });
    items.push(...page.items);
    at = page.nextCursor;
  }
  return { items, nextCursor: null };
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
  if (page.nextCursor !== null)
    terminal.error(`There are more (--all prints them): --cursor ${page.nextCursor}\n`);
}
