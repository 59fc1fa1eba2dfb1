import type { Breaker } from '../src/ports/breaker.js';
import type { DocumentReader } from '../src/ports/document-reader.js';
import type { Extractor } from '../src/ports/extractor.js';
import type { Observer } from '../src/ports/observer.js';
import type { Store } from '../src/ports/store.js';
import type { Tracing } from '../src/ports/tracing.js';
import type { Catalogue } from '../src/spec/catalogue.js';

/** What activities reach the world through. Everything that a test would want to hold still is here. */
export interface ActivityDependencies {
  readonly store: Store;
  readonly extractor: Extractor;
  readonly breaker: Breaker;
  readonly reader: DocumentReader;
  readonly catalogue: Pick<Catalogue, 'find'>;
  /** Told what happens; nobody is unless given. */
  readonly observer?: Observer;
  /** Spans around the work; none unless given. */
  readonly tracing?: Tracing;
  /** Epoch ms. */
  now(): number;
  /** Evenly drawn from [0, 1). */
  random(): number;
}
