import { Argument, Command } from 'commander';
import { ApplicationError } from '../../application/application-error.js';
import { checkKnownGood } from '../../application/check-known-good.js';
import { assertHonestLabels } from '../../application/spec-labels.js';
import { currentSpec } from '../../application/submit-extraction.js';
import type { TruthCase } from '../../application/truth-case.js';
import { ConfigError } from '../../config-error.js';
import { StoreUnavailable } from '../../ports/store.js';
import { type Catalogue, createCatalogue, labelOf } from '../../spec/catalogue.js';
import type { SpecCheck, SpecFinding } from '../../spec/check-spec.js';
import { loadSpecs } from '../../spec/load-spec.js';
import type { Spec } from '../../spec/spec.js';
import type { Problem } from '../../verification/problem.js';
import type { CliContext } from '../context.js';
import { exampleNotes } from '../example-notes.js';
import { exitCodes } from '../fault.js';
import { diagnosisText, problemLine } from '../format.js';
import { json, truthSet } from '../options.js';
import { withStore } from '../session.js';
import { pathFromHere, typeErrors } from '../spec-types.js';
import { oneLine } from '../table.js';
import { paint } from '../terminal.js';
import { bundledTruths, readTruthSet } from '../truth-set.js';

interface CheckOptions {
  readonly truth?: string;
  readonly json?: true;
}

/** `endstop spec check [ID|FILE]`: no model; a database only to compare labels, where one answers. Exit code 1 when a rule refuses what it must accept, or a type is wrong. */
export function specCheckCommand(context: CliContext): Command {
  return new Command('check')
    .description(
      'run the rules on records they must accept: finds rules that cannot all hold, and wrong types, before a deploy',
    )
    .addArgument(new Argument('[spec]', 'the id of a spec, or a file that exports one (default: all)'))
    .addOption(truthSet('records known to be right'))
    .addOption(json())
    .action(async (target: string | undefined, options: CheckOptions) => {
      const isFile = target !== undefined && /[./\\]/.test(target);
      const catalogue = isFile ? createCatalogue(await loadSpecs(target)) : await context.catalogue([]);
      const files = isFile ? [target] : context.config().specFiles;
      const isBundled = files.length === 0;
      const folder = options.truth ?? (isBundled ? bundledTruths : null);
      const cases = folder === null ? [] : await readTruthSet(folder);
      const specs =
        target === undefined || isFile ? currentSpecs(catalogue) : [currentSpec({ catalogue }, target)];
      if (options.truth !== undefined) assertTruthOf(specs, cases, options.truth);
      for (const spec of specs) {
        const check = await checkKnownGood(context.reader(), spec, cases);
        report(context, spec, check, { asJson: options.json === true, isBundled });
      }
      for (const file of files) reportTypes(context, file, options.json === true);
      for (const sentence of await changedLabels(context, catalogue, specs)) {
        context.exitCode = exitCodes.fault;
        if (options.json) context.terminal.out(`${JSON.stringify({ ok: false, label: sentence })}\n`);
        else context.terminal.out(`${paint(context.terminal, 'red', sentence)}\n`);
      }
    });
}

/** What the stack that runs would refuse of these specs; nothing where none runs, since a check needs none. */
async function changedLabels(
  context: CliContext,
  catalogue: Catalogue,
  specs: readonly Spec[],
): Promise<readonly string[]> {
  const versions = catalogue.list().filter(({ id }) => specs.some((spec) => spec.id === id));
  try {
    return await withStore(context, async (store) => {
      const sentences: string[] = [];
      for (const spec of versions) {
        await assertHonestLabels(store, [spec]).catch((error: unknown) => {
          if (!(error instanceof ApplicationError)) throw error;
          sentences.push(error.message);
        });
      }
      return sentences;
    });
  } catch (error) {
    if (error instanceof ConfigError || error instanceof StoreUnavailable) return [];
    throw error;
  }
}

function currentSpecs(catalogue: Catalogue): readonly Spec[] {
  return catalogue.list().filter((spec) => catalogue.current(spec.id) === spec);
}

/** A truth set of other specs would check nothing, and look as if it had. */
function assertTruthOf(specs: readonly Spec[], cases: readonly TruthCase[], folder: string): void {
  const ids = new Set(specs.map(({ id }) => id));
  if (cases.some(({ specId, record }) => ids.has(specId) && record !== null)) return;
  const others = [...new Set(cases.map(({ specId }) => specId))].sort();
  throw new ApplicationError(
    'invalid_request',
    `There is no truth record of ${[...ids].join(', ')} in ${folder}; those in there are of ${others.join(', ')}.`,
  );
}

function report(
  context: CliContext,
  spec: Spec,
  check: SpecCheck,
  { asJson, isBundled }: { readonly asJson: boolean; readonly isBundled: boolean },
): void {
  const { terminal } = context;
  const ok = check.records > 0 && check.findings.length === 0;
  // A spec of which nothing could be tried must not look like one that passed.
  if (!ok) context.exitCode = exitCodes.fault;
  if (asJson) terminal.out(`${JSON.stringify({ ...labelOf(spec), ok, ...check })}\n`);
  else {
    const note = isBundled && !ok ? exampleNotes[spec.id] : undefined;
    terminal.out(
      paint(terminal, ok ? 'green' : 'red', headline(spec, check)) +
        (note === undefined ? '' : `  This example is ${note}.\n`) +
        findingLines(check),
    );
  }
}

function reportTypes(context: CliContext, path: string, asJson: boolean): void {
  const { terminal } = context;
  const file = pathFromHere(path);
  const errors = typeErrors(path);
  if (errors === null) {
    terminal.error(`The types of ${oneLine(file)} are not checked: no TypeScript up to 6 is installed.\n`);
  } else if (errors.length > 0) {
    context.exitCode = exitCodes.fault;
    const head = `${oneLine(file)}: its types have ${errors.length} ${errors.length === 1 ? 'error' : 'errors'}:\n`;
    if (asJson) terminal.out(`${JSON.stringify({ file, ok: false, typeErrors: errors })}\n`);
    else terminal.out(paint(terminal, 'red', head) + errors.map((line) => `  ${line}\n`).join(''));
  }
}

function headline(spec: Spec, { records, examples, findings }: SpecCheck): string {
  const name = `${spec.id} (schema ${spec.schemaVersion}, prompt ${spec.prompt.version})`;
  if (records === 0)
    return `${name}: nothing was checked; give it examples, or records known to be right with --truth.\n`;
  const truths = records - examples;
  const from = [
    ...(examples === 0 ? [] : [`${examples} of its own examples`]),
    ...(truths === 0 ? [] : [`${truths} of the truth set`]),
  ].join(', ');
  if (findings.length === 0) return `${name}: accepts all ${records} records (${from}).\n`;
  return `${name}: refuses ${findings.length} of ${records} records (${from}), all said to be right:\n`;
}

/** What is the same for several records is said once, as are the words that prove a pair. */
function findingLines({ findings }: SpecCheck): string {
  const explained = new Set<string>();
  const names = new Map<string, string[]>();
  for (const finding of findings) {
    const text = linesOf(finding, explained)
      .map((line) => `    ${line}\n`)
      .join('');
    names.set(text, [...(names.get(text) ?? []), oneLine(finding.name)]);
  }
  const isRefused = findings.some(({ kind }) => kind === 'refused');
  const lines = [...names].map(([text, alike]) => `  ${alike.join(', ')}:\n${text}`).join('');
  return `${lines}${isRefused ? '  Correct the record that is named, or the rule that refuses it.\n' : ''}`;
}

/** These are the author's own records, so the names that a model made up nowhere else may be said. */
function withNames(problem: Problem): Problem {
  if (problem.rule !== 'schema/unknown-field') return problem;
  return { ...problem, message: problem.message.replace(/\.$/, `: ${problem.found}.`) };
}

function linesOf(finding: SpecFinding, explained: Set<string>): readonly string[] {
  switch (finding.kind) {
    case 'fault':
      return [finding.message];
    case 'refused':
      return finding.problems.map((problem) => problemLine(withNames(problem)));
    case 'contradiction': {
      const { rules, pointer, values, explanation } = finding.contradiction;
      const pair = [...rules, pointer].join('\n');
      const words = explained.has(pair) ? null : explanation;
      explained.add(pair);
      return diagnosisText({ kind: 'contradiction', rules, pointer, values, explanation: words }).split('\n');
    }
  }
}
