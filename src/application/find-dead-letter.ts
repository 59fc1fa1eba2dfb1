import type { DeadLetter } from '../ports/dead-letter-store.js';
import type { Store } from '../ports/store.js';
import { ApplicationError } from './application-error.js';
import { readId } from './find-extraction.js';

/** The dead letter of a key, in whatever state. Throws ApplicationError `invalid_request` or `not_found`. */
export async function findDeadLetter(store: Pick<Store, 'deadLetters'>, id: string): Promise<DeadLetter> {
  const letter = await store.deadLetters.find(readId(id));
  if (letter !== null) return letter;
  throw new ApplicationError(
    'not_found',
    `No single dead letter has an id that begins with "${readId(id)}".`,
  );
}
