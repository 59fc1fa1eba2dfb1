import {
  addSwept,
  nothingSwept,
  type SweepPoint,
  type Swept,
  type SweptSome,
} from '../domain/retention-sweep.js';
import type { RetentionRule, SweepPlace } from '../ports/retention-store.js';
import { StoreUnavailable } from '../ports/store.js';
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
export interface SweptTenant extends Swept {
  readonly tenant: string;
}

/** Steps that one call takes at most: a thousand documents, a few seconds on an ordinary day. */
const stepsAtOnce = 20;
/** Of a hundred objects each. */
const batchesAtOnce = 20;

/**
 * Carries out every tenant's rule in bounded steps, a few at a time: goes on at `from`, null is the start. Safe to repeat
 * and to run by several at once.
 */
export async function sweepSome(
  app: Pick<Application, 'store' | 'now'>,
  from: SweepPoint | null,
): Promise<SweptSome> {
  const parts = partsOf(await app.store.retention.rules());
  let swept = nothingSwept;
  let point = from;
  for (let step = 1; ; step += 1) {
    const at = point;
    // A rule that was removed meanwhile is passed by.
    const index = at === null ? 0 : parts.findIndex((part) => orderOf(part) >= orderOf(at));
    const part = parts[index];
    if (part === undefined) break;
    const after = at !== null && orderOf(part) === orderOf(at) ? at.after : null;
    const done = await sweepStep(app, part, after);
    swept = addSwept(swept, done.swept);
    const next = done.next === null ? parts[index + 1] : part;
    if (next === undefined) break;
    if (step === stepsAtOnce)
      return { swept, next: { tenant: next.tenant, part: next.part, after: done.next } };
    point = { tenant: next.tenant, part: next.part, after: done.next };
  }
  await removeLooseObjects(app);
  return { swept, next: null };
}

/** Object storage that does not answer keeps no rule waiting: what is loose stays on its list. */
async function removeLooseObjects({ store, now }: Pick<Application, 'store' | 'now'>): Promise<void> {
  try {
    for (let batch = 0; batch < batchesAtOnce; batch += 1)
      if ((await store.retention.removeLooseObjects(now())) === 0) return;
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
  }
}

/** All of it at once, told tenant by tenant. */
export async function sweepRetention(
  app: Pick<Application, 'store' | 'now'>,
): Promise<readonly SweptTenant[]> {
  const tenants = new Map<string, Swept>();
  for (const part of partsOf(await app.store.retention.rules())) {
    let after: SweepPlace = null;
    do {
      const done: Stepped = await sweepStep(app, part, after);
      tenants.set(part.tenant, addSwept(tenants.get(part.tenant) ?? nothingSwept, done.swept));
      after = done.next;
    } while (after !== null);
  }
  await removeLooseObjects(app);
  return [...tenants].map(([tenant, swept]) => ({ tenant, ...swept }));
}

/** One rule for one kind of thing. */
interface Part extends Pick<SweepPoint, 'tenant' | 'part'> {
  readonly days: number;
}

function partsOf(rules: readonly RetentionRule[]): readonly Part[] {
  return rules
    .flatMap(({ tenant, documentDays, recordDays }): readonly Part[] => [
      { tenant, part: 'documents', days: documentDays },
      ...(recordDays === null ? [] : [{ tenant, part: 'records' as const, days: recordDays }]),
    ])
    .sort((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1));
}

function orderOf({ tenant, part }: Pick<SweepPoint, 'tenant' | 'part'>): string {
  return `${tenant}/${part}`;
}

interface Stepped {
  readonly swept: Swept;
  readonly next: SweepPlace;
}

async function sweepStep(
  app: Pick<Application, 'store' | 'now'>,
  { tenant, part, days }: Part,
  after: SweepPlace,
): Promise<Stepped> {
  const at = app.now();
  const ask = { tenant, before: at - days * dayMs, after, at };
  if (part === 'records') {
    const { erased, next } = await app.store.retention.forgetRecords(ask);
    return { swept: { ...nothingSwept, records: erased }, next };
  }
  const { erased, kept, next } = await app.store.retention.forgetDocuments(ask);
  return { swept: { ...nothingSwept, documents: erased, inUse: kept }, next };
}

function invalid(message: string): ApplicationError {
  return new ApplicationError('invalid_request', message);
}
