import type { KeptEvaluation } from '../ports/evaluation-store.js';
import type { Page } from '../ports/page.js';
import type { SpecLabel } from '../spec/catalogue.js';
import type { Application } from './application.js';
import { ApplicationError } from './application-error.js';

type Evaluating = Pick<Application, 'store' | 'catalogue'>;

/** An evaluation with what it can be held against. */
export interface ComparedEvaluation {
  readonly evaluation: KeptEvaluation;
  /** The newest one of the version before that was made on the same truth set; null when there is none. */
  readonly before: KeptEvaluation | null;
  /** Why there is none: no version came before, or those that did were tried on other documents. */
  readonly isFirst: boolean;
}

/** The newest evaluation of every version, kept or gone. */
export async function latestEvaluations({ store }: Evaluating): Promise<readonly KeptEvaluation[]> {
  return await store.evaluations.latest({});
}

/** Evaluations of one version, newest first. */
export async function evaluationsOf(
  { store }: Evaluating,
  { id: specId, schemaVersion, promptVersion }: SpecLabel,
  limit: number,
): Promise<Page<KeptEvaluation>> {
  return await store.evaluations.list({ specId, schemaVersion, promptVersion }, { limit });
}

/** Throws ApplicationError `not_found`. */
export async function findEvaluation({ store }: Evaluating, id: string): Promise<KeptEvaluation> {
  const evaluation = await store.evaluations.find(id);
  if (evaluation !== null) return evaluation;
  throw new ApplicationError('not_found', `There is no evaluation "${id}", or several begin so.`);
}

/**
 * Looks for what came before. Versions are in the order of the catalogue, whose first is the current one; those that it no
 * longer lists came before all of these, the newest evaluation first.
 */
export async function compareEvaluation(
  app: Evaluating,
  evaluation: KeptEvaluation,
): Promise<ComparedEvaluation> {
  const { specId, truthSet } = evaluation;
  const order = app.catalogue.list();
  const place = (version: KeptEvaluation) => {
    const index = order.findIndex(
      ({ id, schemaVersion, prompt }) =>
        id === version.specId &&
        schemaVersion === version.schemaVersion &&
        prompt.version === version.promptVersion,
    );
    return index === -1 ? order.length : index;
  };
  const versions = [...(await app.store.evaluations.latest({ specId }))].sort(
    (one, other) => place(one) - place(other) || other.endedAt - one.endedAt,
  );
  const own = versions.findIndex((version) => isSameVersion(version, evaluation));
  const older = versions.slice(own + 1);
  for (const { schemaVersion, promptVersion } of older) {
    const version = { specId, schemaVersion, promptVersion, truthSet };
    const { items } = await app.store.evaluations.list(version, { limit: 1 });
    const [before] = items;
    if (before !== undefined) return { evaluation, before, isFirst: false };
  }
  return { evaluation, before: null, isFirst: older.length === 0 };
}

function isSameVersion(one: KeptEvaluation, other: KeptEvaluation): boolean {
  return one.schemaVersion === other.schemaVersion && one.promptVersion === other.promptVersion;
}
