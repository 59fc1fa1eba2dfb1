import { createHash } from 'node:crypto';
import type { FailureClass } from '../domain/failure-class.js';
import type { KeptEvaluation } from '../ports/evaluation-store.js';
import { labelOf } from '../spec/catalogue.js';
import type { Spec } from '../spec/spec.js';
import type { Application } from './application.js';
import type { Trial } from './evaluate-spec.js';
import { evaluationOf } from './evaluation.js';
import type { TruthCase } from './truth-case.js';

/** One document of a truth set, and how it ended. */
export interface JudgedTrial {
  readonly truth: TruthCase;
  readonly trial: Trial;
}

/** Keeps what an evaluation of one version came to, without names and without values. Returns its id. */
export async function keepEvaluation(
  { store }: Pick<Application, 'store'>,
  spec: Spec,
  judged: readonly JudgedTrial[],
): Promise<string> {
  const evaluation = keptEvaluation(spec, judged);
  await store.evaluations.add(evaluation);
  return evaluation.id;
}

/** @throws Error when there is no trial at all */
export function keptEvaluation(spec: Spec, judged: readonly JudgedTrial[]): KeptEvaluation {
  const trials = judged.map(({ trial }) => trial);
  const rows = trials.map(({ extraction }) => extraction);
  const [first] = rows;
  if (first === undefined) throw new Error('An evaluation without documents is none.');
  const { tenant } = first;
  const { id: specId, schemaVersion, promptVersion } = labelOf(spec);
  const { documents, curve, right, wrong, unjudged, landed, calls, tokens, cost } = evaluationOf(
    spec,
    trials,
  );
  const truthSet = truthSetOf(judged);
  return {
    // The same documents under the same version, tenant and truth are the same runs.
    id: digest([tenant, specId, schemaVersion, promptVersion, truthSet]).slice(0, 16),
    ...{ specId, schemaVersion, promptVersion, tenant, truthSet },
    providers: named(rows.map(({ provider }) => provider)),
    models: named(rows.map(({ model }) => model)),
    beganAt: Math.min(...rows.map(({ startedAt }) => startedAt)),
    endedAt: Math.max(...rows.map(({ startedAt, closedAt }) => closedAt ?? startedAt)),
    documents,
    curve: curve.map(({ attempts, verified }) => ({ attempts, verified })),
    right,
    wrong: wrong.map(({ extractionId, differs }) => ({ extractionId, differs })),
    unjudged,
    fields: Object.keys(spec.fields).map((name) => {
      const pointer = `/${name}`;
      const missed = wrong.filter(({ differs }) => differs.includes(pointer)).length;
      const of = right + wrong.length;
      return { pointer, right: of - missed, of };
    }),
    landed,
    classes: classesOf(trials),
    ...{ calls, tokens, cost },
  };
}

/** Whatever the files are called, and in whichever order they are read. */
function truthSetOf(judged: readonly JudgedTrial[]): string {
  return digest(
    judged
      .map(({ truth, trial }) => digest([trial.extraction.documentHash, JSON.stringify(truth.record)]))
      .sort(),
  );
}

function classesOf(trials: readonly Trial[]): KeptEvaluation['classes'] {
  const counts = new Map<FailureClass, number>();
  for (const { verdict, extraction } of trials) {
    const { failureClass } = extraction;
    if (verdict !== 'unverified' || failureClass === null) continue;
    counts.set(failureClass, (counts.get(failureClass) ?? 0) + 1);
  }
  return [...counts]
    .map(([failureClass, documents]) => ({ failureClass, documents }))
    .sort((one, other) => other.documents - one.documents);
}

function named(names: readonly (string | null)[]): readonly string[] {
  return [...new Set(names.filter((name) => name !== null))].sort();
}

function digest(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
