import type { DeadLetter } from '../ports/dead-letter-store.js';
import type { Extraction, NewExtraction } from '../ports/extraction-store.js';
import type { Spec } from '../spec/spec.js';
import type { Application } from './application.js';
import { extractionKey } from './keys.js';
import { registerLabels } from './spec-labels.js';
import { startRun } from './start-run.js';

/**
 * What redriving one extraction came to. `started`: a new run; `attached`: one was already under way;
 * `already_verified`: nothing to do; `taken`: another redrive was first; `refused`: this process cannot run it.
 */
export type Redriven =
  | { readonly kind: 'started' | 'attached' | 'already_verified'; readonly extraction: Extraction }
  | { readonly kind: 'taken' }
  | { readonly kind: 'refused'; readonly why: string };

/** What a redrive keeps of the run it repeats. A dead letter and a closed extraction both have it. */
export type Repeatable = Pick<
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

/** Redrives a dead letter: takes it, so that of two redrives one starts the run, and gives it back if it cannot start. */
export async function redriveLetter(
  app: Application,
  letter: DeadLetter,
  promptVersion: string | null,
): Promise<Redriven> {
  const spec = specFor(app, letter, promptVersion);
  if (spec === null) return refusal(letter, promptVersion);
  if (!(await app.store.deadLetters.take(letter.key, app.now()))) return { kind: 'taken' };
  try {
    return await rerun(app, letter, spec);
  } catch (error) {
    await app.store.deadLetters.giveBack(letter.key);
    throw error;
  }
}

/** Redrives a run that is not (or no longer) a parked dead letter: one in review, kept as best effort, or cancelled. */
export async function redriveClosed(
  app: Application,
  closed: Repeatable,
  promptVersion: string | null,
): Promise<Redriven> {
  const spec = specFor(app, closed, promptVersion);
  return spec === null ? refusal(closed, promptVersion) : rerun(app, closed, spec);
}

/** The versions it ran under; with a prompt version, the newest that has this prompt (a catalogue lists it first). */
function specFor(app: Application, run: Repeatable, promptVersion: string | null): Spec | null {
  if (promptVersion === null) return app.catalogue.find({ ...run, id: run.specId });
  const specs = app.catalogue.list();
  return specs.find(({ id, prompt }) => id === run.specId && prompt.version === promptVersion) ?? null;
}

function refusal(run: Repeatable, promptVersion: string | null): Redriven {
  const version = promptVersion ?? run.promptVersion;
  return { kind: 'refused', why: `Spec "${run.specId}" with prompt version "${version}" is not known here.` };
}

async function rerun(app: Application, run: Repeatable, spec: Spec): Promise<Redriven> {
  await registerLabels(app, spec);
  const { tenant, documentHash, specId } = run;
  const versions = { schemaVersion: spec.schemaVersion, promptVersion: spec.prompt.version };
  const key = extractionKey({ tenant, documentHash, specId, ...versions });
  const extraction: NewExtraction = {
    tenant,
    documentHash,
    specId,
    ...versions,
    key,
    subject: run.subject,
    // The same versions run under the same frozen bounds; another version brings the bounds its author declared for it.
    policy: key === run.key ? run.policy : spec.policy,
    tags: run.tags,
    batchId: null,
    fileName: run.fileName,
    provider: app.provider,
    at: app.now(),
  };
  const started = await startRun(app, extraction, true);
  if (started.kind !== 'ended') return { kind: started.kind, extraction: started.extraction };
  return { kind: 'already_verified', extraction: started.extraction };
}
