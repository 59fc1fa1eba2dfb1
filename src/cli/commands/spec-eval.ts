import { Command } from 'commander';
import type { Application } from '../../application/application.js';
import { ApplicationError } from '../../application/application-error.js';
import { type EvaluationCase, evaluateCase, specWithPrompt } from '../../application/evaluate-spec.js';
import { type Evaluation, evaluationOf } from '../../application/evaluation.js';
import { inLanes } from '../../application/in-lanes.js';
import { type JudgedTrial, keepEvaluation } from '../../application/keep-evaluation.js';
import { currentSpec } from '../../application/submit-extraction.js';
import { assertTruths, type TruthCase } from '../../application/truth-case.js';
import { StoreUnavailable } from '../../ports/store.js';
import type { Spec } from '../../spec/spec.js';
import type { CliContext } from '../context.js';
import { evaluationSheet } from '../evaluation-sheet.js';
import { withFarewell } from '../farewell.js';
import { exitCodes } from '../fault.js';
import { json, specId, truthSet } from '../options.js';
import { startProgress } from '../progress.js';
import { withApplication } from '../session.js';
import { bundledTruths, readTruthSet } from '../truth-set.js';

interface EvalOptions {
  readonly with?: string;
  readonly truth?: string;
  readonly json?: true;
}

/** `endstop spec eval ID`: real calls, as a tenant of its own. Exit code 1 when a wrong record verified. */
export function specEvalCommand(context: CliContext): Command {
  return new Command('eval')
    .description(
      'extract a truth set and say how many documents verify after 1, 2, 3 attempts; costs real calls; is kept',
    )
    .argument('<spec>', 'the id of a spec', specId)
    .option('--with <version>', 'try this prompt version, and show the current one beside it')
    .addOption(truthSet('documents with their right records'))
    .addOption(json())
    .action(async (id: string, options: EvalOptions) => {
      const folder = options.truth ?? (context.config().specFiles.length === 0 ? bundledTruths : null);
      if (folder === null) {
        throw new ApplicationError('invalid_request', 'Name the documents to try it on: --truth FOLDER.');
      }
      const cases = (await readTruthSet(folder)).filter(({ specId }) => specId === id);
      await withApplication(context, [], (app) =>
        withFarewell(context, { left: () => notKept, kept: () => notKept }, () =>
          evaluate(context, app, id, folder, cases, options),
        ),
      );
    });
}

const notKept = 'What it ran goes on to its end, but no evaluation is kept of it: run it again for one.';

async function evaluate(
  context: CliContext,
  app: Application,
  id: string,
  folder: string,
  cases: readonly TruthCase[],
  options: EvalOptions,
): Promise<void> {
  const { terminal } = context;
  const current = currentSpec(app, id);
  const tried = options.with === undefined ? current : specWithPrompt(app, id, options.with);
  const specs = tried === current ? [current] : [tried, current];
  const documents = cases.filter(hasDocument);
  if (documents.length === 0) {
    throw new ApplicationError('invalid_request', `There is no document for spec "${id}" in ${folder}.`);
  }
  for (const spec of specs) assertTruths(spec, documents);

  const tenant = tenantOf(context.now());
  const tasks = specs.flatMap((spec) => documents.map((truth) => ({ spec, truth })));
  const progress = startProgress(terminal, tasks.length, 'documents');
  const trials = await inLanes(tasks, context.config().inFlight, async ({ spec, truth }) => {
    const trial = await evaluateCase(app, spec, truth, tenant);
    progress.step(truth.name);
    return { spec, truth, trial };
  }).finally(() => progress.stop());

  const evaluations: (Evaluation & { readonly id: string | null })[] = [];
  for (const spec of specs) {
    const own = trials.filter((each) => each.spec === spec);
    const id = await keep(context, app, spec, own);
    const evaluation = evaluationOf(
      spec,
      own.map(({ trial }) => trial),
    );
    evaluations.push({ id, ...evaluation });
  }
  const answeredBy = new Set(trials.map(({ trial }) => trial.extraction.provider ?? 'unknown'));
  const about = { tenant, provider: [...answeredBy].join(', ') };
  if (options.json) {
    for (const evaluation of evaluations) terminal.out(`${JSON.stringify({ ...about, ...evaluation })}\n`);
  } else {
    terminal.out(evaluationSheet(terminal, evaluations, about));
  }
  if (evaluations.some(({ wrong }) => wrong.length > 0)) context.exitCode = exitCodes.fault;
}

/** What was paid for is shown in any case: whoever cannot keep it says so. */
async function keep(
  { terminal }: CliContext,
  app: Application,
  spec: Spec,
  judged: readonly JudgedTrial[],
): Promise<string | null> {
  try {
    return await keepEvaluation(app, spec, judged);
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    terminal.error(`This result was not kept: ${error.message}\n`);
    return null;
  }
}

function hasDocument(truth: TruthCase): truth is EvaluationCase {
  return truth.document !== null;
}

/** Named after the second, so that each evaluation makes calls of its own and stays apart from everything else. */
function tenantOf(now: number): string {
  return `eval-${new Date(now)
    .toISOString()
    .replace(/[-:]|\..*/g, '')
    .replace('T', '-')}`;
}
