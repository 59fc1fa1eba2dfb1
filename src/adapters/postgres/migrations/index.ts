import type { Migration } from 'kysely';
import { foundation } from './0001-foundation.js';

/** Every migration by name, in the order of the names. One that was released is never edited: add the next. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-foundation': foundation,
};
