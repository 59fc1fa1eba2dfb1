import { ApplicationError } from '../application/application-error.js';
import { readActor } from '../application/claim-review.js';

/** What is wrong with a name that somebody gave as theirs, in a sentence; null for one that can stand in the trail. */
export function nameFault(name: string): string | null {
  try {
    readActor(name);
    return null;
  } catch (error) {
    if (error instanceof ApplicationError) return error.message;
    throw error;
  }
}
