import type { StoredJson } from '../ports/attempt-store.js';
import type { Extraction } from '../ports/extraction-store.js';
import { canonicalCandidate } from '../spec/canonical-candidate.js';
import { createCatalogue } from '../spec/catalogue.js';
import type { PlainJson } from '../spec/read-record.js';
import type { Spec } from '../spec/spec.js';
import type { Application } from './application.js';
import { ApplicationError } from './application-error.js';
import { awaitEnd } from './await-outcome.js';
import type { IncomingDocument } from './intake.js';
import { type Outcome, readOutcome } from './read-outcome.js';
import { currentSpec, submitExtraction } from './submit-extraction.js';
import type { TruthCase } from './truth-case.js';

/** A document whose right answer is known and which can be sent. */
export type EvaluationCase = TruthCase & { readonly document: () => Promise<IncomingDocument> };

/** How one document of a truth set ended under one version. */
export interface Trial {
  readonly name: string;
  readonly extraction: Extraction;
  /** `right` and `wrong` verified; `unjudged` verified too, but no true record is known. */
  readonly verdict: 'right' | 'wrong' | 'unjudged' | 'unverified';
  /** Pointers of the fields in which a wrong record differs from the true one. */
  readonly differs: readonly string[];
}

/**
 * Extracts one document of a truth set as everything else is extracted, under exactly this version of the spec, and
 * compares the outcome with the truth to the digit.
 *
 * Throws what `submitExtraction` and `awaitEnd` throw.
 */
export async function evaluateCase(
  app: Application,
  spec: Spec,
  truth: EvaluationCase,
  tenant: string,
): Promise<Trial> {
  // The only version in this catalogue is the current one; the worker has its own.
  const { extraction } = await submitExtraction(
    { ...app, catalogue: createCatalogue([spec]) },
    {
      tenant,
      specId: spec.id,
      document: await truth.document(),
      fileName: truth.name,
      tags: ['eval'],
      budgets: {},
      redrive: false,
      isEvaluation: true,
    },
  );
  const { outcome, extraction: row } = await readOutcome(app.store, await awaitEnd(app, extraction));
  return { name: truth.name, extraction: row, ...judge(spec, outcome, truth) };
}

/**
 * The version of a spec with this prompt, preferring the schema that is current.
 * Throws ApplicationError `unknown_spec`, naming the versions there are.
 */
export function specWithPrompt(app: Pick<Application, 'catalogue'>, id: string, version: string): Spec {
  const current = currentSpec(app, id);
  const versions = app.catalogue.list().filter((spec) => spec.id === id);
  const matching = versions.filter(({ prompt }) => prompt.version === version);
  const found = matching.find(({ schemaVersion }) => schemaVersion === current.schemaVersion) ?? matching[0];
  if (found !== undefined) return found;
  const known = [...new Set(versions.map(({ prompt }) => prompt.version))];
  throw new ApplicationError(
    'unknown_spec',
    `Spec "${id}" has no prompt version "${version}" here; known: ${known.join(', ')}. ` +
      'List it behind the current one in the spec file, and restart the workers.',
  );
}

function judge(
  spec: Spec,
  outcome: Outcome | null,
  { record }: TruthCase,
): Pick<Trial, 'verdict' | 'differs'> {
  if (outcome?.kind !== 'verified') return { verdict: 'unverified', differs: [] };
  if (record === null) return { verdict: 'unjudged', differs: [] };
  const differs = Object.keys(spec.fields).flatMap((name) =>
    fieldOf(spec, outcome.record, name) === fieldOf(spec, record, name) ? [] : [`/${name}`],
  );
  return { verdict: differs.length === 0 ? 'right' : 'wrong', differs };
}

/** One field of a record in its canonical spelling. Both records have passed the schema, which knows no numbers. */
function fieldOf(spec: Spec, record: StoredJson, name: string): string {
  const { [name]: value = null } = record as { readonly [field: string]: PlainJson };
  return canonicalCandidate(spec, { [name]: value });
}
