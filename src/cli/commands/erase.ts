import { Command } from 'commander';
import { type Erased, eraseDocument, findHoldings } from '../../application/erase.js';
import { instant, instantOrNull } from '../../application/views/instant.js';
import type { Holdings } from '../../ports/retention-store.js';
import type { CliContext } from '../context.js';
import { exitCodes } from '../fault.js';
import { json } from '../options.js';
import { withApplication } from '../session.js';
import { facts } from '../table.js';
import { changing } from '../trail.js';

interface EraseOptions {
  readonly tenant?: string;
  readonly yes?: true;
  readonly json?: true;
}

/** `endstop erase DOCUMENT`. */
export function eraseCommand(context: CliContext): Command {
  return new Command('erase')
    .description(
      "take away what a document said: bytes, candidates, evidence, records, people's words; counts stay",
    )
    .argument('<document>', 'its SHA-256, or the id of one of its extractions')
    .option('--tenant <name>', 'whose it is (default: ENDSTOP_TENANT)')
    .option('--yes', 'do it; without this it is only said what would go')
    .addOption(json())
    .action((document: string, options: EraseOptions) =>
      withApplication(context, [], async (app) => {
        const { terminal } = context;
        const tenant = options.tenant ?? context.config().tenant;
        const holdings = await findHoldings(app, { tenant, document });
        if (!options.yes) {
          terminal.out(
            options.json ? `${JSON.stringify(viewHoldings(holdings))}\n` : holdingsSheet(holdings),
          );
          terminal.error('Nothing was erased; --yes erases it for good.\n');
          context.exitCode = exitCodes.usage;
          return;
        }
        const change = { action: 'eraseDocument', subject: holdings.documentHash, tenant };
        const erased = await changing(context, app.store, change, () => eraseDocument(app, holdings));
        const view = { ...erased, erasedAt: instant(erased.erasedAt) };
        terminal.out(options.json ? `${JSON.stringify(view)}\n` : erasedLine(erased));
      }),
    );
}

function erasedLine({ documentHash, bytes, extractions, records, reviews, erasedAt }: Erased): string {
  const name = documentHash.slice(0, 12);
  if (!bytes && extractions === 0) return `${name} was erased on ${instant(erasedAt)}; nothing was left.\n`;
  return (
    `${name} is erased: ${extractions} extractions, ${records} records, ${reviews} open reviews withdrawn. ` +
    'Their counts stay.\n'
  );
}

function viewHoldings({ storedAt, erasedAt, ...counts }: Holdings): object {
  return { ...counts, storedAt: instantOrNull(storedAt), erasedAt: instantOrNull(erasedAt) };
}

function holdingsSheet(holdings: Holdings): string {
  const { storedAt, erasedAt } = holdings;
  return facts([
    ['document', holdings.documentHash],
    ['tenant', holdings.tenant],
    ['handed in', storedAt === null ? 'its bytes are not kept' : instant(storedAt)],
    ['erased', instantOrNull(erasedAt)],
    ['extractions', `${holdings.extractions}, of which ${holdings.running} run`],
    ['records', String(holdings.records)],
    ['open reviews', String(holdings.openReviews)],
  ]);
}
