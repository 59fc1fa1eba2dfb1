import type { RunRef } from '../../domain/extraction-input.js';
import type { StoredJson } from '../../ports/attempt-store.js';
import type { Catalogue } from '../../spec/catalogue.js';
import { inFieldOrder } from '../../spec/field-order.js';

/** The specs that say in which order the fields of a record are shown. */
export type KnownSpecs = Pick<Catalogue, 'find' | 'current'>;

/**
 * A record or a candidate with its fields in the order of its spec. A version that is not known here has, as far as the
 * names go, the order of the current one.
 */
export function inSpecOrder(
  specs: KnownSpecs,
  { specId, schemaVersion, promptVersion }: Pick<RunRef, 'specId' | 'schemaVersion' | 'promptVersion'>,
  value: StoredJson,
): StoredJson {
  const spec = specs.find({ id: specId, schemaVersion, promptVersion }) ?? specs.current(specId);
  return spec === null ? value : inFieldOrder(spec.fields, value);
}
