import { createHash } from 'node:crypto';
import type { LabelCheck, SpecLabels, Store, UsedLabel } from '../ports/store.js';
import type { Spec } from '../spec/spec.js';
import type { Application } from './application.js';
import { ApplicationError } from './application-error.js';
import { remembered } from './remembered.js';

/** What is registered stays, so that a spec that was honest is honest; looked up again in case the database is another. */
const honest = remembered<Store['specVersions'], Spec, void>(60_000);

/**
 * Remembers what the version labels of a spec stand for, the first time they are used.
 * Throws ApplicationError `label_changed` when one of them stood for something else.
 */
export async function registerLabels(app: Pick<Application, 'store' | 'now'>, spec: Spec): Promise<void> {
  const { specVersions } = app.store;
  await honest(specVersions, spec, app.now(), async () =>
    refuseChanged(spec, await specVersions.register(labelsOf(spec), app.now())),
  );
}

/**
 * Compares the version labels of these specs with what they were first used for; labels never used stay free.
 * Throws ApplicationError `label_changed` for the first that stands for something else now.
 */
export async function assertHonestLabels(
  store: Pick<Store, 'specVersions'>,
  specs: readonly Spec[],
): Promise<void> {
  for (const spec of specs) refuseChanged(spec, await store.specVersions.check(labelsOf(spec)));
}

/** What a label of a spec stands for here, and since when it has. */
export interface LabelStanding extends UsedLabel {
  /** `here`: this process has it, with that content; `changed`: it has other content under it; `gone`: it has none. */
  readonly standing: 'here' | 'changed' | 'gone';
}

/** Every label of a spec that was ever used, the newest first, held against the versions that this process has. */
export async function labelStandings(
  { store, catalogue }: Pick<Application, 'store' | 'catalogue'>,
  specId: string,
): Promise<readonly LabelStanding[]> {
  const known = catalogue
    .list()
    .filter(({ id }) => id === specId)
    .map(labelsOf);
  const hashOf = ({ label, version }: UsedLabel) =>
    label === 'schema'
      ? known.find(({ schemaVersion }) => schemaVersion === version)?.schemaHash
      : known.find(({ promptVersion }) => promptVersion === version)?.promptHash;
  const used = await store.specVersions.used(specId);
  return used.map((label) => {
    const hash = hashOf(label);
    const standing = hash === undefined ? 'gone' : hash === label.hash ? 'here' : 'changed';
    return { ...label, standing };
  });
}

function labelsOf({ id, schemaVersion, prompt, contents }: Spec): SpecLabels {
  return {
    specId: id,
    schemaVersion,
    schemaHash: sha256(contents.schema),
    // A spec may come from a copy of this package that says nothing of its rules.
    rulesHash: contents.rules === undefined ? null : sha256(contents.rules),
    promptVersion: prompt.version,
    promptHash: sha256(contents.prompt),
  };
}

function refuseChanged({ id }: Spec, check: LabelCheck): void {
  if (check.kind === 'honest') return;
  const [content, label] =
    check.label === 'schema' ? ['schema or the rules', 'schemaVersion'] : ['prompt', 'prompt.version'];
  throw new ApplicationError(
    'label_changed',
    `The ${content} of spec "${id}" changed but ${label} is still "${check.version}": ` +
      `give it a new label, or restore what "${check.version}" stood for.`,
  );
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
