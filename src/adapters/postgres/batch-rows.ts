import type { Selectable } from 'kysely';
import type { Policy } from '../../domain/policy.js';
import type { Reason } from '../../domain/reason.js';
import type { Batch, BatchDocument, NewBatch } from '../../ports/batch-store.js';
import { json } from './json.js';
import type { BatchColumns, BatchDocumentColumns } from './tables/batches.js';

export function fromBatch(batch: NewBatch) {
  return {
    id: batch.id,
    tenant: batch.tenant,
    name: batch.name,
    spec_id: batch.specId,
    schema_version: batch.schemaVersion,
    prompt_version: batch.promptVersion,
    policy: json(batch.policy),
    tags: [...batch.tags],
    redrive: batch.redrive,
    in_flight: batch.inFlight,
    budget_tokens: batch.budgetTokens,
    deadline_ms: batch.deadlineMs,
    state: 'collecting' as const,
    cap: batch.policy.attemptCap,
    at: batch.at,
  };
}

export function toBatch(row: Selectable<BatchColumns>): Batch {
  return {
    id: row.id,
    tenant: row.tenant,
    name: row.name,
    specId: row.spec_id,
    schemaVersion: row.schema_version,
    promptVersion: row.prompt_version,
    policy: row.policy as Policy,
    tags: row.tags,
    redrive: row.redrive,
    inFlight: row.in_flight,
    budgetTokens: row.budget_tokens,
    deadlineMs: row.deadline_ms,
    state: row.state,
    cap: row.cap,
    documents: row.documents,
    at: row.at,
    beganAt: row.began_at,
    deadlineAt: row.deadline_at,
    endedAt: row.ended_at,
  };
}

export function toBatchDocument(row: Selectable<BatchDocumentColumns>): BatchDocument {
  return {
    item: row.item,
    key: row.key,
    subject: row.subject,
    documentHash: row.document_hash,
    fileName: row.file_name,
    tags: row.tags,
    position: row.position,
    state: row.state,
    part: row.part,
    run: row.run,
    outcome: row.outcome,
    reason: row.reason as Reason | null,
    attempts: row.attempts,
    tokens: row.tokens,
    ended: row.ended,
  };
}
