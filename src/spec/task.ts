import type { Spec } from './spec.js';

/** The line that follows the document in every request. */
export function renderTask(spec: Spec): string {
  return `Extract the data of the document above (${spec.title}) as one JSON object that follows the schema.`;
}
