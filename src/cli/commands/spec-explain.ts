import { existsSync } from 'node:fs';
import { Command } from 'commander';
import { ApplicationError } from '../../application/application-error.js';
import { readExhaustedCase } from '../../application/exhausted-case.js';
import { type ExplainedCase, explainCase, explainExtraction } from '../../application/explain-route.js';
import type { CliContext } from '../context.js';
import { readJsonObject } from '../json-file.js';
import { json } from '../options.js';
import { routeSheet } from '../route-sheet.js';
import { withStore } from '../session.js';

interface ExplainOptions {
  readonly spec?: string;
  readonly json?: true;
}

/** `endstop spec explain FILE|ID`. A file needs no database. */
export function specExplainCommand(context: CliContext): Command {
  return new Command('explain')
    .description(
      'say where an exhausted case goes and why: every line of the routing table, and what fails in it',
    )
    .argument('<case>', 'a JSON file of the facts, or the id of an extraction')
    .option('--spec <id>', 'under the current table of this spec (default: as the file says; its own)')
    .addOption(json())
    .addHelpText('after', help)
    .action(async (name: string, options: ExplainOptions) => {
      const explained = await explain(context, name, options.spec ?? null);
      context.terminal.out(options.json ? `${JSON.stringify(explained)}\n` : routeSheet(explained));
    });
}

const help = `
A file says at least why the run stopped; what it leaves out is not there:
  { "spec": "claim", "reason": "no_progress", "failureClass": "constraint", "hasCandidate": true,
    "amount": { "amount": "1204.375", "currency": "BHD" }, "templateRecognised": true,
    "pages": 2, "tags": ["urgent"], "tenant": "acme", "repliesRead": 2, "tried": ["fallback"] }
repliesRead: how many answers of the model were read before it stopped; tried: routes that were taken and led nowhere.
`;

async function explain(context: CliContext, name: string, spec: string | null): Promise<ExplainedCase> {
  const catalogue = await context.catalogue([]);
  if (!existsSync(name) && /^[0-9a-f]{8,64}$/i.test(name)) {
    return withStore(context, (store) =>
      explainExtraction({ store, catalogue, reader: context.reader() }, name, spec),
    );
  }
  const { spec: written, ...exhausted } = readExhaustedCase(
    await readJsonObject(name),
    context.config().tenant,
  );
  const specId = spec ?? written;
  if (specId === null) {
    throw new ApplicationError(
      'invalid_request',
      'Name the spec whose table is asked: --spec, or "spec" in the file.',
    );
  }
  return explainCase({ catalogue }, specId, exhausted);
}
