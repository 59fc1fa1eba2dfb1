import type { DeadLetter } from '../ports/dead-letter-store.js';
import type { Extraction, NewExtraction } from '../ports/extraction-store.js';
import type { Spec } from '../spec/spec.js';
import type { Application } from './application.js';
import { ApplicationError } from './application-error.js';
import { extractionKey } from './keys.js';
import { registerLabels } from './spec-labels.js';
import { inputOf, startRun } from './start-run.js';

/**
 * What redriving one extraction came to. `started`: a new run; `attached`: one was already under way;
 * `already_verified`: nothing to do; `taken`: another redrive was first; `refused`: this process cannot run it.
 */
export type Redriven =
  | { readonly kind: 'started' | 'attached' | 'already_verified'; readonly extraction: Extraction }
  | { readonly kind: 'taken' }
  | { readonly kind: 'refused'; readonly why: string };

/** What a redrive keeps of the run it repeats. A dead letter and a closed extraction both have it. */
type Repeatable = Pick<
  DeadLetter,
  | 'key'
  | 'subject'
  | 'tenant'
  | 'documentHash'
  | 'specId'
  | 'schemaVersion'
  | 'promptVersion'
  | 'policy'
  | 'tags'
  | 'fileName'
>;

/** How to run it again. */
export interface Rerun {
  /** Under this prompt version; null: under the versions it ran under. */
  readonly promptVersion: string | null;
  /** What the new run is counted under; null: nothing. */
  readonly batchId: string | null;
}

/**
 * Redrives a parked letter. It is taken and its run opened in one, then the run is started; a crash between the two is
 * mended by the reconciler.
 */
export async function redriveLetter(app: Application, letter: DeadLetter, how: Rerun): Promise<Redriven> {
  const into = await rerunOf(app, letter, how);
  if ('kind' in into) return into;
  const taking = await app.store.deadLetters.take(letter.key, into);
  if (taking.kind === 'not_parked') return { kind: 'taken' };
  const { kind, extraction } = taking;
  if (kind === 'closed') return { kind: 'already_verified', extraction };
  await app.engine.start(inputOf(extraction, app.reviewSlaMs));
  return { kind: kind === 'opened' ? 'started' : 'attached', extraction };
}

/** Redrives a run that is not (or no longer) a parked dead letter: one in review, kept as best effort, or cancelled. */
export async function redriveClosed(app: Application, closed: Repeatable, how: Rerun): Promise<Redriven> {
  const into = await rerunOf(app, closed, how);
  if ('kind' in into) return into;
  const { kind, extraction } = await startRun(app, into, true);
  return { kind: kind === 'ended' ? 'already_verified' : kind, extraction };
}

/** The run to open, or why this process must not: it does not know the version, or its label changed its meaning. */
async function rerunOf(
  app: Application,
  run: Repeatable,
  { promptVersion, batchId }: Rerun,
): Promise<NewExtraction | Extract<Redriven, { kind: 'refused' }>> {
  const spec = specFor(app, run, promptVersion);
  if (spec === null) {
    const version = promptVersion ?? run.promptVersion;
    const why = `Spec "${run.specId}" with prompt version "${version}" is not known here.`;
    return { kind: 'refused', why };
  }
  try {
    await registerLabels(app, spec);
  } catch (error) {
    if (error instanceof ApplicationError) return { kind: 'refused', why: error.message };
    throw error;
  }
  const { tenant, documentHash, specId } = run;
  const versions = { schemaVersion: spec.schemaVersion, promptVersion: spec.prompt.version };
  const key = extractionKey({ tenant, documentHash, specId, ...versions });
  return {
    tenant,
    documentHash,
    specId,
    ...versions,
    key,
    subject: run.subject,
    // The same versions run under the same frozen bounds; another version brings the bounds its author declared for it.
    policy: key === run.key ? run.policy : spec.policy,
    tags: run.tags,
    batchId,
    fileName: run.fileName,
    at: app.now(),
  };
}

/** The versions it ran under; with a prompt version, the newest that has this prompt (a catalogue lists it first). */
function specFor(app: Application, run: Repeatable, promptVersion: string | null): Spec | null {
  if (promptVersion === null) return app.catalogue.find({ ...run, id: run.specId });
  const specs = app.catalogue.list();
  return specs.find(({ id, prompt }) => id === run.specId && prompt.version === promptVersion) ?? null;
}
