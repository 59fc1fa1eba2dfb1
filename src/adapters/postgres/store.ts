import type { Money } from '../../domain/money.js';
import type { ObjectStorage } from '../../ports/object-storage.js';
import type { Store } from '../../ports/store.js';
import { attemptStore } from './attempts.js';
import { auditStore } from './audits.js';
import { batchStore } from './batches.js';
import { breakerStore } from './breakers.js';
import { type ConnectionOptions, openDatabase } from './connection.js';
import { deadLetterStore } from './dead-letters.js';
import { documentStore } from './documents.js';
import { evaluationStore } from './evaluations.js';
import { extractionStore } from './extractions.js';
import { foldStore } from './folds.js';
import { gaugeStore } from './gauges.js';
import { idempotencyStore } from './idempotency.js';
import { keyStore } from './keys.js';
import { requireMigrated } from './migrate.js';
import { recordStore } from './records.js';
import { reportStore } from './reports.js';
import { retentionStore } from './retention.js';
import { reviewStore } from './reviews.js';
import { specVersionStore } from './spec-versions.js';
import { tenantStore } from './tenants.js';
import { trafficStore } from './traffic.js';
import { trailStore } from './trail.js';
import { webhookStore } from './webhooks.js';

export interface PostgresStoreOptions extends ConnectionOptions {
  /** What a run without calls cost; give the extractor's `zeroCost`. Default: USD 0. */
  readonly zeroCost?: Money;
  /** Where the bytes of new documents go. Default: into the database. */
  readonly objects?: ObjectStorage | null;
}

/**
 * The store on Postgres 15 or newer, migrated by `migrate`. Connects on first use.
 *
 * @throws StoreUnavailable, from every method, when the database cannot be reached or is not migrated; here,
 * when the address is none.
 */
export function createPostgresStore(options: PostgresStoreOptions): Store {
  const database = openDatabase(options);
  const { db } = database;
  const zeroCost = options.zeroCost ?? { amount: '0', currency: 'USD' };
  const objects = options.objects ?? null;
  return {
    documents: documentStore(db, objects),
    specVersions: specVersionStore(db),
    extractions: extractionStore(db, zeroCost),
    attempts: attemptStore(db),
    records: recordStore(db),
    deadLetters: deadLetterStore(db, zeroCost),
    reviews: reviewStore(db),
    reports: reportStore(db),
    folds: foldStore(db),
    audits: auditStore(db),
    evaluations: evaluationStore(db),
    traffic: trafficStore(db),
    tenants: tenantStore(db),
    retention: retentionStore(db, objects),
    batches: batchStore(db, zeroCost),
    webhooks: webhookStore(db, options.databaseUrl),
    keys: keyStore(db),
    gauges: gaugeStore(db),
    breakers: breakerStore(db),
    trail: trailStore(db),
    idempotency: idempotencyStore(db),
    ping: async () => {
      await requireMigrated(database);
      await objects?.ping();
    },
    close: () => db.destroy(),
  };
}
