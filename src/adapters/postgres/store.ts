import type { Money } from '../../domain/money.js';
import type { Store } from '../../ports/store.js';
import { attemptStore } from './attempts.js';
import { type ConnectionOptions, openDatabase } from './connection.js';
import { deadLetterStore } from './dead-letters.js';
import { documentStore } from './documents.js';
import { extractionStore } from './extractions.js';
import { requireMigrated } from './migrate.js';
import { recordStore } from './records.js';
import { retentionStore } from './retention.js';
import { reviewStore } from './reviews.js';
import { specVersionStore } from './spec-versions.js';
import { trafficStore } from './traffic.js';
import { webhookStore } from './webhooks.js';

export interface PostgresStoreOptions extends ConnectionOptions {
  /** What a run without calls cost; give the extractor's `zeroCost`. Default: USD 0. */
  readonly zeroCost?: Money;
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
  return {
    documents: documentStore(db),
    specVersions: specVersionStore(db),
    extractions: extractionStore(db, zeroCost),
    attempts: attemptStore(db, zeroCost),
    records: recordStore(db),
    deadLetters: deadLetterStore(db, zeroCost),
    reviews: reviewStore(db),
    traffic: trafficStore(db),
    retention: retentionStore(db),
    webhooks: webhookStore(db, options.databaseUrl),
    ping: () => requireMigrated(database),
    close: () => db.destroy(),
  };
}
