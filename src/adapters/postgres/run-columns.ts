import type { RunRef } from '../../domain/extraction-input.js';
import type { RunColumns } from './tables/columns.js';

export function toRunRef(row: RunColumns): RunRef {
  return {
    key: row.key,
    run: row.run,
    subject: row.subject,
    tenant: row.tenant,
    documentHash: row.document_hash,
    specId: row.spec_id,
    schemaVersion: row.schema_version,
    promptVersion: row.prompt_version,
  };
}

export function fromRunRef(ref: RunRef): RunColumns {
  return {
    key: ref.key,
    run: ref.run,
    tenant: ref.tenant,
    subject: ref.subject,
    document_hash: ref.documentHash,
    spec_id: ref.specId,
    schema_version: ref.schemaVersion,
    prompt_version: ref.promptVersion,
  };
}
