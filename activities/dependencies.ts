import type { Breaker } from '../src/ports/breaker.js';
import type { DocumentReader } from '../src/ports/document-reader.js';
import type { Extractor } from '../src/ports/extractor.js';
import type { Store } from '../src/ports/store.js';
import type { Catalogue } from '../src/spec/catalogue.js';

/** What activities reach the world through. Everything that a test would want to hold still is here. */
export interface ActivityDependencies {
  readonly store: Store;
  readonly extractor: Extractor;
  readonly breaker: Breaker;
  readonly reader: DocumentReader;
  readonly catalogue: Pick<Catalogue, 'find'>;
  /** Epoch ms. */
  now(): number;
  /** Evenly drawn from [0, 1). */
  random(): number;
}
