import { Command } from 'commander';
import { type SpecView, viewSpecs } from '../../application/views/spec-view.js';
import type { CliContext } from '../context.js';
import { exampleNotes } from '../example-notes.js';
import { json } from '../options.js';
import { printPage } from '../page.js';
import { tellStrangeSpecs } from '../session.js';
import { table } from '../table.js';
import { specCheckCommand } from './spec-check.js';
import { specEvalCommand } from './spec-eval.js';
import { specExplainCommand } from './spec-explain.js';

/** `endstop spec list`, `spec check`, `spec eval` and `spec explain`. */
export function specCommand(context: CliContext): Command {
  return new Command('spec')
    .description('what can be extracted, whether its rules can be met, and how well it does')
    .addCommand(listCommand(context))
    .addCommand(specCheckCommand(context))
    .addCommand(specEvalCommand(context))
    .addCommand(specExplainCommand(context));
}

function listCommand(context: CliContext): Command {
  return new Command('list')
    .description('list every version of every spec this process knows')
    .addOption(json())
    .action(async (options: { readonly json?: true }) => {
      const catalogue = await context.catalogue([]);
      const items = viewSpecs(catalogue);
      tellStrangeSpecs(context);
      const notes = context.config().specFiles.length === 0 ? exampleNotes : {};
      printPage(context, { items, nextCursor: null }, options.json === true, (rows) =>
        specTable(rows, notes),
      );
    });
}

function specTable(rows: readonly SpecView[], notes: Readonly<Record<string, string>>): string {
  return table<SpecView>(
    [
      { title: 'SPEC', cell: (row) => row.id },
      { title: 'TITLE', cell: (row) => row.title },
      { title: 'SCHEMA', cell: (row) => row.schemaVersion },
      { title: 'PROMPT', cell: (row) => row.promptVersion },
      { title: 'CURRENT', cell: (row) => (row.current ? 'yes' : '') },
      { title: 'RULES', align: 'right', cell: (row) => String(row.rules.length) },
      { title: 'ATTEMPTS', align: 'right', cell: (row) => String(row.attemptCap) },
      { title: 'DEADLINE', align: 'right', cell: (row) => `${row.deadlineMs / 1_000} s` },
      { title: 'TOKENS', align: 'right', cell: (row) => String(row.tokenCap) },
      { title: 'MODE', cell: (row) => row.mode ?? "the model's own" },
      { title: 'MODELS', cell: (row) => row.models.join(', ') },
      { title: 'NOTE', cell: (row) => notes[row.id] ?? '' },
    ],
    rows,
  );
}
