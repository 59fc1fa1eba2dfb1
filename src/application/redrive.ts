import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { LetterSelection, RedriveOrder, RedriveReport } from '../domain/redrive.js';
import type { DeadLetterGroup } from '../ports/dead-letter-store.js';
import type { Extraction } from '../ports/extraction-store.js';
import type { Application } from './application.js';
import { ApplicationError } from './application-error.js';
import { findExtraction, readId } from './find-extraction.js';
import { personsDecision } from './persons-decision.js';
import { redriveClosed, redriveLetter } from './redrive-one.js';
import { redrivePrefix } from './tenant-view.js';
import { instant } from './views/instant.js';

/** Which dead letters to run again, and how. */
export interface RedriveRequest
  extends Pick<RedriveOrder, 'selection' | 'promptVersion' | 'most' | 'inFlight' | 'perSecond'> {
  /** Null: made from the selection and the day, so that the same request made twice is one redrive. */
  readonly id: string | null;
}

/** `running`: the same redrive was under way already and goes on as it was ordered. */
export interface RedriveStarted {
  readonly kind: 'started' | 'running';
  readonly order: RedriveOrder;
}

/**
 * Redrives one extraction by its id: its dead letter when it has one, else its closed run, wherever that went.
 * Throws ApplicationError `not_found`, `gone` when its document was erased, or `not_redrivable` when it is verified, a
 * person settled it, or this process lacks its spec version.
 */
export async function redriveByKey(
  app: Application,
  id: string,
  promptVersion: string | null,
): Promise<Extraction> {
  const extraction = await findExtraction(app.store, readId(id));
  if (extraction.state === 'open') return extraction;
  const refusal = await redriveRefusal(app, extraction, promptVersion);
  if (refusal !== null) throw refusal;
  await app.engine.ping();
  const letter = await app.store.deadLetters.find(extraction.key);
  const how = { promptVersion, batchId: null };
  const redriven =
    letter?.state === 'parked'
      ? await redriveLetter(app, letter, how)
      : await redriveClosed(app, extraction, how);
  if (redriven.kind === 'refused') throw new ApplicationError('not_redrivable', redriven.why);
  if (redriven.kind !== 'taken') return redriven.extraction;
  // Another redrive was a moment faster: its run is the answer.
  const into = (await app.store.deadLetters.find(extraction.key))?.redrivenInto ?? extraction;
  return findExtraction(app.store, into.key);
}

/** Why the last run of an extraction, which has ended, is not run again; null: it can be. */
export async function redriveRefusal(
  { store }: Pick<Application, 'store'>,
  { key, outcome, erasedAt, promptVersion: ranUnder }: Extraction,
  promptVersion: string | null,
): Promise<ApplicationError | null> {
  const refused = (why: string) => new ApplicationError('not_redrivable', why);
  if (outcome === 'verified') return refused('This extraction is verified; there is nothing to run again.');
  if (erasedAt !== null) {
    return new ApplicationError(
      'gone',
      `The document of this extraction was erased on ${instant(erasedAt)}; hand it in again to run it again.`,
    );
  }
  // Under another prompt it is another extraction, which nobody settled.
  if (promptVersion !== null && promptVersion !== ranUnder) return null;
  const status = (await store.records.settledByPerson([key])).get(key);
  if (status !== 'human_verified') return null;
  const actor = (await personsDecision(store, key))?.actor ?? null;
  const by = actor === null ? '' : ` by ${actor}`;
  return refused(`A person settled this document (${status}${by}); there is nothing to run again.`);
}

/** The parked letters that a selection holds, counted by why they failed, most first. Nothing is changed. */
export async function selectedGroups(
  app: Pick<Application, 'store'>,
  selection: LetterSelection,
): Promise<{ readonly parked: number; readonly groups: readonly DeadLetterGroup[] }> {
  const groups = await app.store.deadLetters.groups(selection);
  return { parked: groups.reduce((total, { count }) => total + count, 0), groups };
}

/**
 * Starts a redrive of many, which goes on by itself: parked letters that the selection holds now, oldest first, a bounded
 * number at once. Asked for again it attaches to the one under way; once that has ended it takes only letters that it has
 * not run yet.
 * Throws ApplicationError `invalid_request`, EngineUnavailable, StoreUnavailable.
 */
export async function startRedrive(app: Application, request: RedriveRequest): Promise<RedriveStarted> {
  const { promptVersion, most, inFlight, perSecond } = request;
  const { tenant } = app;
  const selection = tenant === undefined ? request.selection : { ...request.selection, tenant };
  assertPromptKnown(app, request);
  const beganAt = app.now();
  const name = request.id ?? idOf({ ...request, selection }, beganAt);
  // One tenant's redrives are told from another's by their ids.
  const prefix = tenant === undefined ? '' : redrivePrefix(tenant);
  const id = readRedriveId(name.startsWith(prefix) ? name : `${prefix}${name}`);
  const { parked } = await selectedGroups(app, selection);
  const order = { id, selection, promptVersion, most, inFlight, perSecond, beganAt, parked };
  return { kind: await app.engine.startRedrive(order), order };
}

/** How a redrive fares. Throws ApplicationError `not_found`. */
export async function readRedrive(app: Pick<Application, 'engine'>, id: string): Promise<RedriveReport> {
  const report = await app.engine.redriveReport(readRedriveId(id));
  if (report === null) throw noRedrive(id);
  return report;
}

/** Asks a redrive to run no further letter. Throws ApplicationError `not_found` when none of this id is under way. */
export async function cancelRedrive(app: Pick<Application, 'engine'>, id: string): Promise<void> {
  if (!(await app.engine.cancelRedrive(readRedriveId(id)))) throw noRedrive(id, ' under way');
}

const lookMs = 500;

/** Reads how a redrive fares again and again, until it has ended. */
export async function followRedrive(
  app: Pick<Application, 'engine'>,
  id: string,
  onReport: (report: RedriveReport) => void,
): Promise<RedriveReport> {
  for (;;) {
    const report = await readRedrive(app, id);
    onReport(report);
    if (report.state !== 'running') return report;
    await setTimeout(lookMs);
  }
}

const idForm = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

function readRedriveId(id: string): string {
  if (idForm.test(id)) return id;
  throw new ApplicationError(
    'invalid_request',
    'The id of a redrive is 1 to 64 letters, digits, ".", "_" or "-", starting with a letter or digit.',
    [{ pointer: '/id', detail: 'This id cannot be used.' }],
  );
}

/** Sixteen hex digits of the selection, what it is run under, how many of it, and the day (UTC). */
function idOf({ selection, promptVersion, most }: RedriveRequest, at: number): string {
  const fields = Object.entries(selection).sort(([left], [right]) => (left < right ? -1 : 1));
  const day = new Date(at).toISOString().slice(0, 10);
  const whole = JSON.stringify([fields, promptVersion, most, day]);
  return createHash('sha256').update(whole).digest('hex').slice(0, 16);
}

function noRedrive(id: string, more = ''): ApplicationError {
  return new ApplicationError('not_found', `There is no redrive "${id}"${more}.`);
}

/** A misspelt version must not be found out letter by letter. */
function assertPromptKnown(app: Application, { promptVersion, selection }: RedriveRequest): void {
  if (promptVersion === null) return;
  const { specId } = selection;
  const specs = app.catalogue.list().filter(({ id }) => specId === undefined || id === specId);
  if (specs.some(({ prompt }) => prompt.version === promptVersion)) return;
  const known = [...new Set(specs.map(({ id, prompt }) => `${id} ${prompt.version}`))].join(', ');
  throw new ApplicationError(
    'invalid_request',
    `No spec here has the prompt version "${promptVersion}"; known: ${known === '' ? 'none' : known}.`,
    [{ pointer: '/with', detail: 'This prompt version is not known here.' }],
  );
}
