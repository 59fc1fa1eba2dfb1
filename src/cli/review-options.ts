import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { Argument, Option } from 'commander';
import { ApplicationError } from '../application/application-error.js';
import { machineUser } from '../application/machine-user.js';
import type { StoredJson } from '../ports/attempt-store.js';
import { reviewKinds } from '../ports/review-store.js';

/** Who acts; `nameOf` reads it. */
export interface ActorOption {
  readonly as?: string;
}

export const review = () =>
  new Argument('<id>', "the review's or its extraction's id, or the first 8 or more digits");
export const actor = () => new Option('--as <name>', 'the name you act under (default: your user name)');
export const kind = () =>
  new Option('--kind <word>', 'only exhausted documents, or only sampled records').choices(reviewKinds);
export const values = () =>
  new Option(
    '--values <file>',
    'JSON file with the whole record you stand for, as `review show --json` has it under "candidate"; - reads standard input',
  );

/** Whoever was named; else this machine's user. */
export function nameOf({ as }: ActorOption): string {
  return as ?? machineUser;
}

/** JSON of a person; null when no file was named. What a parser says about it may quote it, so only the fact is told. */
export async function readValues(path: string | undefined): Promise<StoredJson> {
  if (path === undefined) return null;
  const reading = path === '-' ? text(process.stdin) : readFile(path, 'utf8');
  const content = await reading.catch((error: NodeJS.ErrnoException) => {
    throw new ApplicationError('invalid_request', `${path} cannot be read (${error.code ?? error.name}).`);
  });
  try {
    return JSON.parse(content) as StoredJson;
  } catch {
    throw new ApplicationError('invalid_request', `${path} does not hold JSON.`);
  }
}
