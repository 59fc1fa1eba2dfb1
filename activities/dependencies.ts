import type { DocumentReader } from '../src/ports/document-reader.js';
import type { Extractor } from '../src/ports/extractor.js';
import type { Store } from '../src/ports/store.js';
import type { Spec } from '../src/spec/spec.js';

/** What activities reach the world through. Everything that a test would want to hold still is here. */
export interface ActivityDependencies {
  readonly store: Store;
  readonly extractor: Extractor;
  readonly reader: DocumentReader;
  /** The spec of exactly these versions; null when this worker does not have it. */
  findSpec(ref: { specId: string; schemaVersion: string; promptVersion: string }): Spec | null;
  /** Epoch ms. */
  now(): number;
  /** Evenly drawn from [0, 1). */
  random(): number;
}
