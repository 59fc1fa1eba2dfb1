import { Command, Option } from 'commander';
import type { Application } from '../../application/application.js';
import { ApplicationError } from '../../application/application-error.js';
import { type Erased, eraseDocument, findHoldings, otherHolders } from '../../application/erase.js';
import { instant, instantOrNull } from '../../application/views/instant.js';
import type { Holdings } from '../../ports/retention-store.js';
import type { CliContext } from '../context.js';
import { exitCodes } from '../fault.js';
import { minute } from '../format.js';
import { json } from '../options.js';
import { withApplication } from '../session.js';
import { facts } from '../table.js';
import { changing } from '../trail.js';

interface EraseOptions {
  readonly tenant?: string;
  readonly allTenants?: true;
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
    .addOption(
      new Option('--all-tenants', 'of every tenant that has the same bytes, evaluations too').conflicts(
        'tenant',
      ),
    )
    .option('--yes', 'do it; without this it is only said what would go')
    .addOption(json())
    .action((document: string, options: EraseOptions) =>
      withApplication(context, [], async (app) => {
        const { terminal } = context;
        const tenant = options.allTenants ? null : (options.tenant ?? context.config().tenant);
        const found = await holdingsOrHint(context, app, tenant, document);
        if (!options.yes) {
          const shown = found.map((holdings) =>
            options.json ? `${JSON.stringify(viewHoldings(holdings))}\n` : holdingsSheet(holdings),
          );
          terminal.out(shown.join(options.json ? '' : '\n'));
          if (tenant !== null) await tellOthers(context, app, found);
          terminal.error('Nothing was erased; --yes erases it for good.\n');
          context.exitCode = exitCodes.usage;
          return;
        }
        for (const holdings of found) {
          const change = {
            action: 'eraseDocument',
            subject: holdings.documentHash,
            tenant: holdings.tenant,
          } as const;
          const erased = await changing(context, app.store, change, () => eraseDocument(app, holdings));
          const view = { ...erased, erasedAt: instant(erased.erasedAt) };
          terminal.out(options.json ? `${JSON.stringify(view)}\n` : erasedLine(erased, tenant === null));
        }
        if (tenant !== null) await tellOthers(context, app, found);
      }),
    );
}

/** Who may ask for all tenants is told whose it is when it is not the named one's. */
async function holdingsOrHint(
  context: CliContext,
  app: Application,
  tenant: string | null,
  document: string,
): Promise<readonly Holdings[]> {
  try {
    return await findHoldings(app, { tenant, document });
  } catch (error) {
    if (tenant !== null && error instanceof ApplicationError && error.code === 'not_found') {
      const elsewhere = await findHoldings(app, { tenant: null, document }).catch(() => []);
      tellHolders(
        context,
        elsewhere.map((holdings) => holdings.tenant),
        'It is held by',
      );
    }
    throw error;
  }
}

/** The same bytes of others are not gone. */
async function tellOthers(
  context: CliContext,
  app: Application,
  [holdings]: readonly Holdings[],
): Promise<void> {
  if (holdings !== undefined) tellHolders(context, await otherHolders(app, holdings), 'Also held by');
}

function tellHolders({ terminal }: CliContext, tenants: readonly string[], begins: string): void {
  for (const tenant of tenants) terminal.error(`${begins} tenant ${tenant}: --tenant ${tenant}\n`);
  if (tenants.length > 1) terminal.error('All of them at once: --all-tenants\n');
}

function erasedLine(
  { documentHash, tenant, bytes, extractions, records, reviews, erasedAt }: Erased,
  namesTenant: boolean,
): string {
  const name = `${documentHash.slice(0, 12)}${namesTenant ? ` of ${tenant}` : ''}`;
  if (!bytes && extractions === 0)
    return `${name} was erased on ${minute(instant(erasedAt))}; nothing was left.\n`;
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
    ['handed in', storedAt === null ? 'its bytes are not kept' : minute(instant(storedAt))],
    ['erased', minute(instantOrNull(erasedAt))],
    ['extractions', `${holdings.extractions}, of which ${holdings.running} run`],
    ['records', String(holdings.records)],
    ['open reviews', String(holdings.openReviews)],
  ]);
}
