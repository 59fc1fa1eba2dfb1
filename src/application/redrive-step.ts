import { combine, runsOf } from '../domain/batch-tally.js';
import type { BatchTally, RedriveStep, RedriveStepped, RunId } from '../domain/redrive.js';
import { workflowIds } from '../domain/workflow-id.js';
import type { Application } from './application.js';
import { inLanes } from './in-lanes.js';
import { type Redriven, redriveLetter } from './redrive-one.js';
import { type OnFault, unlessDown } from './unless-down.js';

/** Letters started at once: enough to hide a round trip behind the others. */
const startsAtOnce = 5;
/** Letters looked at in one piece, so that many that need no run do not hold it up. */
const mostLookedAt = 200;

/**
 * One piece of a redrive: counts how its runs fare, then runs the next letters, oldest first, as far as places are free.
 * Safe to repeat: letters it has taken are not parked any more, and the runs it has started are counted from the store.
 */
export async function redriveStep(
  app: Application,
  step: RedriveStep,
  onFault: OnFault = () => undefined,
): Promise<RedriveStepped> {
  const { order } = step;
  const batchId = workflowIds.redrive(order.id);
  const { attached, ended } = await follow(app, step.attached);
  const before = await app.store.extractions.tally(batchId);
  const counts = { started: 0, attached: 0, already_verified: 0, taken: 0, refused: 0 };
  const places = Math.min(
    step.most - Math.max(0, runsOf(before) - step.accounted),
    order.inFlight - before.open - attached.length,
  );
  let { cursor } = step;
  let isExhausted = false;
  for (let lookedAt = 0; !isExhausted && lookedAt < mostLookedAt; ) {
    const free = places - counts.started - counts.attached;
    if (free <= 0) break;
    const page = await app.store.deadLetters.list(
      { ...order.selection, state: 'parked', parkedUpTo: order.beganAt, notOfBatch: batchId },
      { limit: free, ...(cursor === null ? {} : { cursor }) },
    );
    await inLanes(page.items, startsAtOnce, async (letter) => {
      const redriven = await unlessDown<Redriven>(
        () => redriveLetter(app, letter, { promptVersion: order.promptVersion, batchId }),
        { kind: 'refused', why: 'an unexpected error' },
        onFault,
      );
      counts[redriven.kind] += 1;
      if (redriven.kind === 'attached') attached.push(idOf(redriven.extraction));
    });
    lookedAt += page.items.length;
    cursor = page.nextCursor;
    isExhausted = cursor === null;
  }
  return {
    cursor,
    isExhausted,
    batch: counts.started === 0 ? before : await app.store.extractions.tally(batchId),
    attached,
    newlyAttached: counts.attached,
    attachedEnded: ended,
    alreadyVerified: counts.already_verified,
    taken: counts.taken,
    refused: counts.refused,
  };
}

/** Which of the attached runs go on, and how the others ended. */
async function follow(
  app: Application,
  runs: readonly RunId[],
): Promise<{ attached: RunId[]; ended: Pick<BatchTally, 'verified' | 'unverified'> }> {
  const rows = await inLanes(runs, startsAtOnce, ({ key, run }) => app.store.extractions.find(key, run));
  const attached: RunId[] = [];
  let ended: Pick<BatchTally, 'verified' | 'unverified'> = { verified: 0, unverified: {} };
  for (const row of rows) {
    if (row?.state === 'open') attached.push(idOf(row));
    else if (row?.outcome === 'verified') ended = { ...ended, verified: ended.verified + 1 };
    else if (row?.reason) ended = { ...ended, unverified: combine(ended.unverified, { [row.reason]: 1 }) };
  }
  return { attached, ended };
}

function idOf({ key, run }: RunId): RunId {
  return { key, run };
}
