import type { DocumentReader } from '../ports/document-reader.js';
import type { Engine } from '../ports/engine.js';
import type { Store } from '../ports/store.js';
import type { TenantLimits } from '../ports/tenant-store.js';
import type { Tracing } from '../ports/tracing.js';
import type { Catalogue } from '../spec/catalogue.js';

/** What the use cases work with. */
export interface Application {
  readonly store: Store;
  readonly engine: Engine;
  readonly catalogue: Catalogue;
  readonly reader: DocumentReader;
  /** How long a person has to decide a review. */
  readonly reviewSlaMs: number;
  /** Set where only one tenant's data is seen (`tenantView`). */
  readonly tenant?: string;
  /** Submissions may name webhook URLs in private networks and without TLS; false unless told. */
  readonly allowPrivateWebhooks?: boolean;
  /** Spans around the work; none unless given. */
  readonly tracing?: Tracing;
  /** What a tenant without limits of its own may do. Absent where nobody comes in from outside: then none hold. */
  readonly limits?: TenantLimits;
  /** Epoch milliseconds. */
  now(): number;
}
