import type { DeadLetter, DeadLetterFilter } from '../ports/dead-letter-store.js';
import type { Extraction } from '../ports/extraction-store.js';
import type { Application } from './application.js';
import { ApplicationError } from './application-error.js';
import { awaitEnd } from './await-outcome.js';
import { findExtraction, readId } from './find-extraction.js';
import { type Redriven, redriveClosed, redriveLetter } from './redrive-one.js';
import { instant } from './views/instant.js';

/** Which dead letters to run again, and how. */
export interface RedriveRequest {
  /** Parked letters only, whatever else it asks. */
  readonly filter: Omit<DeadLetterFilter, 'state'>;
  /** Run them under this prompt version; null: under the versions they failed with. */
  readonly promptVersion: string | null;
  /** At most this many, oldest first; null: all that are parked when the redrive begins. */
  readonly limit: number | null;
  /** At most this many at once. With `wait`, a place is free again when its run ends. */
  readonly inFlight: number;
  readonly wait: boolean;
}

/** One redriven letter, as it happens. `ended` only when the redrive waits. */
export interface RedriveItem {
  readonly letter: DeadLetter;
  readonly redriven: Redriven;
  readonly ended: Extraction | null;
}

export interface RedriveReport {
  readonly selected: number;
  readonly started: number;
  readonly attached: number;
  readonly alreadyVerified: number;
  readonly taken: number;
  readonly refused: number;
  readonly verified: number;
  readonly unverified: number;
}

const pageLimit = 100;

/** How many parked letters a redrive of this filter would take. Nothing is changed. */
export async function countRedrivable(app: Application, filter: RedriveRequest['filter']): Promise<number> {
  const groups = await app.store.deadLetters.groups(filter);
  return groups.reduce((sum, group) => sum + group.count, 0);
}

/**
 * Redrives one extraction by its id: its dead letter when it has one, else its closed run, wherever that went.
 * Throws ApplicationError `not_found`, `gone` when its document was erased, or `not_redrivable` when it is verified or
 * this process lacks its spec version.
 */
export async function redriveByKey(
  app: Application,
  id: string,
  promptVersion: string | null,
): Promise<Extraction> {
  const extraction = await findExtraction(app.store, readId(id));
  if (extraction.outcome === 'verified') {
    throw new ApplicationError(
      'not_redrivable',
      'This extraction is verified; there is nothing to run again.',
    );
  }
  if (extraction.state === 'open') return extraction;
  if (extraction.erasedAt !== null) {
    throw new ApplicationError(
      'gone',
      `The document of this extraction was erased on ${instant(extraction.erasedAt)}; hand it in again to run it again.`,
    );
  }
  await app.engine.ping();
  const letter = await app.store.deadLetters.find(extraction.key);
  const redriven =
    letter?.state === 'parked'
      ? await redriveLetter(app, letter, promptVersion)
      : await redriveClosed(app, extraction, promptVersion);
  if (redriven.kind === 'refused') throw new ApplicationError('not_redrivable', redriven.why);
  // Another redrive was a moment faster: its run is the answer.
  if (redriven.kind === 'taken') return findExtraction(app.store, extraction.key);
  return redriven.extraction;
}

/**
 * Redrives every parked letter that the filter selects, oldest first, a bounded number at once. Letters that are parked
 * again meanwhile are not taken a second time. Running it again is safe: what is under way or verified is left alone.
 */
export async function redrive(
  app: Application,
  request: RedriveRequest,
  onItem: (item: RedriveItem) => void = () => undefined,
): Promise<RedriveReport> {
  assertPromptKnown(app, request);
  await app.engine.ping();
  const counts = { selected: 0, started: 0, attached: 0, already_verified: 0, taken: 0, refused: 0 };
  const ended = { verified: 0, unverified: 0 };
  const letters = parkedSoFar(app, request);
  const lane = async () => {
    for (;;) {
      const next = await letters.next();
      if (next.done === true) return;
      const letter = next.value;
      counts.selected += 1;
      const redriven = await redriveLetter(app, letter, request.promptVersion);
      counts[redriven.kind] += 1;
      const follow = request.wait && (redriven.kind === 'started' || redriven.kind === 'attached');
      const end = follow ? await awaitEnd(app, redriven.extraction) : null;
      if (end?.outcome) ended[end.outcome] += 1;
      onItem({ letter, redriven, ended: end });
    }
  };
  await settleAll(Array.from({ length: request.inFlight }, lane), () => letters.return());
  const { already_verified: alreadyVerified, ...rest } = counts;
  return { ...rest, alreadyVerified, ...ended };
}

/** Waits for every lane. When one fails, no lane begins another letter, and the first failure is thrown at the end. */
async function settleAll(lanes: readonly Promise<void>[], stop: () => Promise<unknown>): Promise<void> {
  for (const lane of lanes) lane.catch(stop);
  const results = await Promise.allSettled(lanes);
  const failure = results.find((result) => result.status === 'rejected');
  if (failure !== undefined) throw failure.reason;
}

/** Oldest first, page by page, each once, and none that was parked after the redrive began. */
async function* parkedSoFar(app: Application, request: RedriveRequest): AsyncGenerator<DeadLetter, void> {
  const beganAt = app.now();
  const seen = new Set<string>();
  let cursor: string | null = null;
  do {
    const page = await app.store.deadLetters.list(
      { ...request.filter, state: 'parked' },
      cursor === null ? { limit: pageLimit } : { limit: pageLimit, cursor },
    );
    for (const letter of page.items) {
      if (seen.size === request.limit || letter.at > beganAt) return;
      if (seen.has(letter.key)) continue;
      seen.add(letter.key);
      yield letter;
    }
    cursor = page.nextCursor;
  } while (cursor !== null);
}

/** A misspelt version must not be found out letter by letter. */
function assertPromptKnown(app: Application, { promptVersion, filter }: RedriveRequest): void {
  if (promptVersion === null) return;
  const specs = app.catalogue.list().filter(({ id }) => filter.specId === undefined || id === filter.specId);
  if (specs.some(({ prompt }) => prompt.version === promptVersion)) return;
  const known = [...new Set(specs.map(({ id, prompt }) => `${id} ${prompt.version}`))].join(', ');
  throw new ApplicationError(
    'invalid_request',
    `No spec here has the prompt version "${promptVersion}"; known: ${known === '' ? 'none' : known}.`,
    [{ pointer: '/with', detail: 'This prompt version is not known here.' }],
  );
}
