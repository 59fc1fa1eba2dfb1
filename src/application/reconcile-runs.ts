import { bestCandidate } from '../domain/best-candidate.js';
import type { RunRef } from '../domain/extraction-input.js';
import { nothingMended, type Reconciled } from '../domain/reconciliation.js';
import type { Extraction, Landed } from '../ports/extraction-store.js';
import { tellEnded } from '../ports/observer.js';
import type { Page } from '../ports/page.js';
import type { Application } from './application.js';
import { fatesOf, pageOf, type ReconcileLook } from './reconcile-look.js';
import { inputOf } from './start-run.js';

/** Open runs: left alone while a workflow carries them, started when it never was, else closed. */
export async function reconcileRuns(app: Application, look: ReconcileLook): Promise<Reconciled> {
  const page = await app.store.extractions.list(
    { state: 'open', startedBefore: look.before, withEvaluations: true },
    pageOf(look),
  );
  const count = await fatesOf(look, page.items, (row) => reconcileRun(app, row, look));
  const mended = {
    ...nothingMended,
    closedRuns: count('closed'),
    restartedRuns: count('restarted'),
    failed: count('failed'),
  };
  return { mended, cursor: page.nextCursor };
}

async function reconcileRun(
  app: Application,
  { key, run }: Extraction,
  { mends, observer }: ReconcileLook,
): Promise<'carried' | 'closed' | 'restarted'> {
  const standing = await app.engine.standingOfRun({ key, run });
  if (standing === 'running') return 'carried';
  // Whoever ends properly closes the row first: read now, it says whether that happened.
  const row = await app.store.extractions.find(key, run);
  if (row?.state !== 'open') return 'carried';
  if (standing === 'missing' && row.deadlineAt > app.now()) {
    if (mends) await app.engine.start(inputOf(row, app.reviewSlaMs));
    return 'restarted';
  }
  if (mends) await closeLost(app, row, observer);
  return 'closed';
}

/** Older ones were looked at often enough; what a person terminated again and again stays as it is. */
const landedWithinMs = 24 * 3_600_000;

/** A run that was ended from outside between its landing and what its route asks for. */
export async function finishLandings(app: Application, look: ReconcileLook): Promise<Reconciled> {
  const { before } = look;
  const page = await app.store.extractions.unkept({ from: before - landedWithinMs, before }, pageOf(look));
  const count = await fatesOf(look, page.items, (row) => finishLanding(app, row, look));
  const mended = { ...nothingMended, landedRuns: count('landed'), failed: count('failed') };
  return { mended, cursor: page.nextCursor };
}

async function finishLanding(
  app: Application,
  row: Extraction,
  { mends }: ReconcileLook,
): Promise<'carried' | 'landed'> {
  if ((await app.engine.standingOfRun(row)) === 'running') return 'carried';
  if (row.route === 'best_effort') {
    // No whole candidate was read: there is nothing to keep.
    if (bestCandidate(await app.store.attempts.list(row.key, row.run)) === null) return 'carried';
    if (mends) await app.engine.startBestEffort(refOf(row));
    return 'landed';
  }
  // A fallback that nobody waits for has no next route: the run is parked, and may be redriven.
  if (mends) await park(app, row, app.now(), row);
  return 'landed';
}

/** Runs that closed under a routing table with a misspelt route, before tables were checked: parked, when `mends`. */
export async function parkStrayed(app: Pick<Application, 'store' | 'now'>, mends: boolean): Promise<number> {
  let count = 0;
  let cursor: string | null = null;
  do {
    const page: Page<Extraction> = await app.store.extractions.strayed({
      limit: 100,
      ...(cursor === null ? {} : { cursor }),
    });
    if (mends) for (const row of page.items) await park(app, row, app.now(), row);
    count += page.items.length;
    cursor = page.nextCursor;
  } while (cursor !== null);
  return count;
}

/** Nobody can tell what the document had to do with it. */
async function closeLost(
  app: Application,
  row: Extraction,
  observer: ReconcileLook['observer'],
): Promise<void> {
  const attempts = await app.store.attempts.list(row.key, row.run);
  const result = attempts.at(-1)?.report.result;
  const at = app.now();
  const landed = await park(app, row, at, {
    attempts: attempts.length,
    reason: 'internal_error',
    failureClass: result?.kind === 'rejected' ? result.failureClass : null,
    diagnosis: null,
  });
  tellEnded(observer, refOf(row), landed, at);
}

/** Lands a run as a dead letter, whatever its spec's routes say. One that has closed keeps how it ended. */
async function park(
  app: Pick<Application, 'store'>,
  row: Extraction,
  at: number,
  {
    attempts,
    reason,
    failureClass,
    diagnosis,
  }: Pick<Extraction, 'attempts' | 'reason' | 'failureClass' | 'diagnosis'>,
): Promise<Landed> {
  return app.store.extractions.land({
    ref: refOf(row),
    ending: {
      ...{ kind: 'unverified', attempts, failureClass, diagnosis, repliesRead: attempts },
      reason: reason ?? 'internal_error',
    },
    at,
    route: 'dead_letter',
    bestAttempt: null,
    amount: null,
    reviewDueAt: null,
  });
}

function refOf(row: RunRef): RunRef {
  const { key, run, subject, tenant, documentHash, specId, schemaVersion, promptVersion } = row;
  return { key, run, subject, tenant, documentHash, specId, schemaVersion, promptVersion };
}
