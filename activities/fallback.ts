import type { StoreActivities } from './contract.js';
import type { ActivityDependencies } from './dependencies.js';
import { openDocument } from './open-document.js';

/** Tries the spec's templates in order and keeps what the first one that recognises the text finds. */
export function createExtractFallback(deps: ActivityDependencies): StoreActivities['extractFallback'] {
  return async (ref) => {
    const spec = deps.catalogue.find({ ...ref, id: ref.specId });
    const document = await openDocument(deps, ref);
    if (spec === null || document.kind === 'unreadable' || document.text === null) return false;
    const { text } = document;
    for (const template of spec.templates) {
      if (!template.recognises(text)) continue;
      const fields = template.extract(text);
      if (Object.keys(fields).length === 0) continue;
      await deps.store.records.put({
        ...ref,
        status: 'fallback',
        record: fields,
        evidence: [],
        ungrounded: [],
        unmet: [],
        normalisations: [],
        verifierVersion: `${spec.id}@${spec.schemaVersion}`,
        template: template.id,
        at: deps.now(),
      });
      return true;
    }
    return false;
  };
}
