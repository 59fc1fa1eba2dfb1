import type { Extraction } from '../ports/extraction-store.js';
import type { Store } from '../ports/store.js';
import { ApplicationError } from './application-error.js';

const idForm = /^[0-9a-f]{8,64}$/;

/** A key, a subject or a unique beginning of one, as people type or copy it, gaps between digits included. Throws ApplicationError `invalid_request`. */
export function readId(text: string): string {
  const id = text.replace(/\s+/g, '').toLowerCase();
  if (idForm.test(id)) return id;
  throw new ApplicationError(
    'invalid_request',
    'Give an id, or at least the first 8 of its digits (0 to 9, a to f), as lists show them.',
  );
}

/**
 * The latest run of a key (or the given run); the id may be a unique beginning of the key.
 * Throws ApplicationError `invalid_request` or `not_found`.
 */
export async function findExtraction(store: Store, id: string, run?: number): Promise<Extraction> {
  const extraction = await store.extractions.find(readId(id), run);
  if (extraction !== null) return extraction;
  const which = run === undefined ? '' : ` with a run ${run}`;
  throw new ApplicationError(
    'not_found',
    `No single extraction${which} has an id that begins with "${readId(id)}".`,
  );
}
