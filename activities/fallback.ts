import { fieldsByTemplate } from '../src/spec/apply-templates.js';
import type { StoreActivities } from './contract.js';
import type { ActivityDependencies } from './dependencies.js';
import { openDocument } from './open-document.js';

/** Keeps what the first template finds that recognises the text; false when there is none. */
export function createExtractFallback(deps: ActivityDependencies): StoreActivities['extractFallback'] {
  return async (ref) => {
    const spec = deps.catalogue.find({ ...ref, id: ref.specId });
    const document = await openDocument(deps, ref);
    if (spec === null || document.kind === 'unreadable' || document.text === null) return false;
    const found = fieldsByTemplate(spec, document.text);
    if (found === null) return false;
    await deps.store.records.put({
      ...ref,
      status: 'fallback',
      record: found.fields,
      evidence: [],
      ungrounded: [],
      unmet: [],
      normalisations: [],
      verifierVersion: `${spec.id}@${spec.schemaVersion}`,
      template: found.template,
      at: deps.now(),
    });
    return true;
  };
}
