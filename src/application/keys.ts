import { createHash } from 'node:crypto';

/** What makes two extractions the same one. */
export interface KeyParts {
  readonly tenant: string;
  /** SHA-256 of the document's bytes, lower-case hex. */
  readonly documentHash: string;
  readonly specId: string;
  readonly schemaVersion: string;
  readonly promptVersion: string;
}

/** Names an extraction: one document under one version of one spec, for one tenant. 64 hex digits. */
export function extractionKey(parts: KeyParts): string {
  const { tenant, documentHash, specId, schemaVersion, promptVersion } = parts;
  return digest([tenant, documentHash, specId, schemaVersion, promptVersion]);
}

/** Names what a record or a review task is about, whatever the versions. 64 hex digits. */
export function subjectKey(parts: Pick<KeyParts, 'tenant' | 'documentHash' | 'specId'>): string {
  return digest([parts.tenant, parts.documentHash, parts.specId]);
}

/** A JSON array keeps the borders between the parts: ("ab", "c") and ("a", "bc") differ, as do arrays of unlike length. */
function digest(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
