import type { DocumentReader } from '../ports/document-reader.js';
import type { Engine } from '../ports/engine.js';
import type { Store } from '../ports/store.js';
import type { Spec } from '../spec/spec.js';

/** The specs this process knows, in all versions that are still open or dead-lettered. */
export interface SpecCatalogue {
  /** The version that new extractions use; null for an unknown id. */
  current(specId: string): Spec | null;
  /** Exactly these versions; null when this process does not have them. */
  version(specId: string, schemaVersion: string, promptVersion: string): Spec | null;
  /** Every version of every spec. */
  all(): readonly Spec[];
}

/** What the use cases work with. */
export interface Application {
  readonly store: Store;
  readonly engine: Engine;
  readonly catalogue: SpecCatalogue;
  readonly reader: DocumentReader;
  /** Which model server produces the records: `anthropic`, `stand-in`, or a host. Stored with every extraction. */
  readonly provider: string;
  /** How long a person has to decide a review. */
  readonly reviewSlaMs: number;
  /** Epoch milliseconds. */
  now(): number;
}
