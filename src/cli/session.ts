import type { Application } from '../application/application.js';
import type { Slots } from '../planner/plan-input.js';
import type { Store } from '../ports/store.js';
import { type Catalogue, createCatalogue } from '../spec/catalogue.js';
import { SpecError } from '../spec/spec-error.js';
import type { CliContext } from './context.js';

/** Runs `work` with the store open, and closes it whatever happens. */
export async function withStore<T>(context: CliContext, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await context.openStore();
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Specs that only say in which order fields are shown: one that cannot be loaded must not hide what is stored. */
export async function knownSpecs(context: CliContext): Promise<Catalogue> {
  try {
    return await context.catalogue([]);
  } catch (error) {
    if (error instanceof SpecError) return createCatalogue([]);
    throw error;
  }
}

/** Says when the workers here have other specs than this process: a run of what they lack would only wait and be parked. */
export function tellStrangeSpecs({ terminal, strangeSpecs }: CliContext): void {
  const strange = strangeSpecs();
  if (strange !== null) terminal.error(`${strange}\n`);
}

/** Runs `work` with everything open: specs first, then engine, then store, so that a fault of one leaves no row behind. */
export async function withApplication<T>(
  context: CliContext,
  specFiles: readonly string[],
  work: (app: Application) => Promise<T>,
): Promise<T> {
  const config = context.config();
  const catalogue = await context.catalogue(specFiles);
  const engine = await context.openEngine();
  try {
    return await withStore(context, async (store) => {
      await store.ping();
      return work({
        store,
        engine,
        catalogue,
        reader: context.reader(),
        reviewSlaMs: config.reviewSlaMs,
        limits: config.tenantLimits,
        allowPrivateWebhooks: config.allowPrivateWebhooks,
        now: () => context.now(),
      });
    });
  } finally {
    await engine.close();
  }
}

/** The lanes of one worker, as it is configured here; unsaid, those of a worker on two cores, since its machine is another one. */
export function slotsOf(context: CliContext): Extract<Slots, { kind: 'lanes' }> {
  const { first, repair } = context.config().slots;
  return { kind: 'lanes', first: first ?? 14, repair: repair ?? 4 };
}
