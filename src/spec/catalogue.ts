import type { Spec } from './spec.js';
import { SpecError } from './spec-error.js';

/** The versions of a spec by which an extraction was started. */
export interface SpecLabel {
  readonly id: string;
  readonly schemaVersion: string;
  readonly promptVersion: string;
}

/** All specs that a process knows, in all their versions. */
export interface Catalogue {
  /** The spec of exactly these versions; null when this process does not have it. */
  find(label: SpecLabel): Spec | null;
  /** The version that new extractions of this spec start under: the first one listed. Null for an unknown id. */
  current(id: string): Spec | null;
  /** Every version of every spec, in the order given. */
  list(): readonly Spec[];
}

/**
 * A catalogue of specs. Of several versions of one id, the first is the current one; list older versions behind it as
 * long as extractions under them are open or dead-lettered.
 * @throws SpecError when two specs carry the same id and versions.
 */
export function createCatalogue(specs: readonly Spec[]): Catalogue {
  const byLabel = new Map<string, Spec>();
  const byId = new Map<string, Spec>();
  for (const spec of specs) {
    const label = labelOf(spec);
    if (byLabel.has(keyOf(label))) {
      throw new SpecError(
        `Two specs are called ${describe(label)}; give the newer one its own schemaVersion or prompt.version.`,
      );
    }
    byLabel.set(keyOf(label), spec);
    if (!byId.has(spec.id)) byId.set(spec.id, spec);
  }
  return {
    find: (label) => byLabel.get(keyOf(label)) ?? null,
    current: (id) => byId.get(id) ?? null,
    list: () => [...byLabel.values()],
  };
}

/** The label that an extraction under this spec is stored with. */
export function labelOf({ id, schemaVersion, prompt }: Spec): SpecLabel {
  return { id, schemaVersion, promptVersion: prompt.version };
}

function keyOf({ id, schemaVersion, promptVersion }: SpecLabel): string {
  return JSON.stringify([id, schemaVersion, promptVersion]);
}

function describe({ id, schemaVersion, promptVersion }: SpecLabel): string {
  return `"${id}" with schema version "${schemaVersion}" and prompt version "${promptVersion}"`;
}
