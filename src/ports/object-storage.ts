/**
 * Where the bytes of documents lie when they do not lie in the database: an S3 bucket or one like it. Keys are written
 * once and never again. Every method throws StoreUnavailable when the storage does not answer or refuses.
 */
export interface ObjectStorage {
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** Null when there is nothing under this key. */
  get(key: string): Promise<Uint8Array | null>;
  /** Harmless when there is nothing. */
  remove(key: string): Promise<void>;
  /** Resolves when the bucket answers to these credentials. */
  ping(): Promise<void>;
}
