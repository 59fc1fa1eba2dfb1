import type {
  RetentionRule,
  RetentionStore,
  SweepAsk,
  SweepPlace,
  SweepStep,
} from '../ports/retention-store.js';
import type { Application } from './application.js';
import { ApplicationError } from './application-error.js';
import { assertLabels } from './intake.js';

const dayMs = 86_400_000;
/** A hundred years: more is a slip of the keyboard. */
const mostDays = 36_500;

/** Throws ApplicationError `invalid_request` when a number of days cannot be meant. */
export async function setRetention(
  app: Pick<Application, 'store' | 'now'>,
  rule: Omit<RetentionRule, 'setAt'>,
): Promise<void> {
  const { tenant, documentDays, recordDays } = rule;
  assertLabels({ tenant, tags: [], mediaType: null });
  for (const days of [documentDays, recordDays ?? documentDays]) {
    if (!Number.isSafeInteger(days) || days < 1 || days > mostDays)
      throw invalid(`Documents and records are kept for 1 to ${mostDays} days.`);
  }
  if (recordDays !== null && recordDays < documentDays)
    throw invalid('Records are kept at least as long as the documents that they were read from.');
  await app.store.retention.set({ ...rule, setAt: app.now() });
}

/** What a sweep came to for one tenant. */
export interface Swept {
  readonly tenant: string;
  readonly documents: number;
  /** Old enough, but a run or a review of them is open. */
  readonly inUse: number;
  readonly records: number;
}

/**
 * Carries out every tenant's rule in bounded steps, tenant by tenant. Safe to repeat and to run by several at once.
 * `onStep` is told after each step, so that a caller can show that it goes on.
 */
export async function sweepRetention(
  app: Pick<Application, 'store' | 'now'>,
  onStep: () => void = () => undefined,
): Promise<readonly Swept[]> {
  const { retention } = app.store;
  const swept: Swept[] = [];
  for (const { tenant, documentDays, recordDays } of await retention.rules()) {
    const at = app.now();
    const documents = await sweep(
      retention.forgetDocuments,
      { tenant, before: at - documentDays * dayMs, at },
      onStep,
    );
    const records =
      recordDays === null
        ? null
        : await sweep(retention.forgetRecords, { tenant, before: at - recordDays * dayMs, at }, onStep);
    swept.push({ tenant, documents: documents.erased, inUse: documents.kept, records: records?.erased ?? 0 });
  }
  return swept;
}

async function sweep(
  step: RetentionStore['forgetDocuments'],
  ask: Omit<SweepAsk, 'after'>,
  onStep: () => void,
): Promise<Omit<SweepStep, 'next'>> {
  let erased = 0;
  let kept = 0;
  let after: SweepPlace = null;
  do {
    const done: SweepStep = await step({ ...ask, after });
    erased += done.erased;
    kept += done.kept;
    after = done.next;
    onStep();
  } while (after !== null);
  return { erased, kept };
}

function invalid(message: string): ApplicationError {
  return new ApplicationError('invalid_request', message);
}
