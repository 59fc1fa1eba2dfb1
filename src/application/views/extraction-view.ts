import type { FailureClass } from '../../domain/failure-class.js';
import type { Money } from '../../domain/money.js';
import type { Reason } from '../../domain/reason.js';
import type { RouteName } from '../../domain/route.js';
import type { StoredJson } from '../../ports/attempt-store.js';
import type { Extraction } from '../../ports/extraction-store.js';
import type { ExtractionReading, Outcome } from '../read-outcome.js';
import { instant, instantOrNull } from './instant.js';
import { type RecordView, viewRecord } from './record-view.js';
import { inSpecOrder, type KnownSpecs } from './spec-order.js';

/** One run as lists show it. Instants are ISO 8601, money is a decimal string with its currency. */
export interface ExtractionSummary {
  readonly id: string;
  readonly run: number;
  readonly state: 'running' | 'ended';
  readonly outcomeKind: 'verified' | 'unverified' | null;
  readonly reason: Reason | null;
  readonly failureClass: FailureClass | null;
  readonly route: RouteName | null;
  readonly spec: string;
  readonly schemaVersion: string;
  readonly promptVersion: string;
  readonly tenant: string;
  readonly documentHash: string;
  readonly fileName: string | null;
  readonly tags: readonly string[];
  readonly batch: string | null;
  /** The server and the model that gave the last answer; null while none answered. */
  readonly provider: string | null;
  readonly model: string | null;
  readonly attempts: number;
  readonly calls: number;
  readonly tokens: number;
  readonly cost: Money;
  readonly startedAt: string;
  readonly deadlineAt: string;
  readonly closedAt: string | null;
  readonly durationMs: number | null;
  /** When what the document said was erased; null: it is all there. */
  readonly erasedAt: string | null;
}

/** One run whole: `outcome` is null while it runs, and `humanRecord` what a person made of the document since. */
export interface ExtractionView<Rec = StoredJson> extends ExtractionSummary {
  readonly outcome: Outcome<Rec> | null;
  readonly humanRecord: RecordView<Rec> | null;
  /** The run in the engine's own UI; null when no UI is known. */
  readonly engineUrl: string | null;
}

export function summarise(row: Extraction): ExtractionSummary {
  return {
    id: row.key,
    run: row.run,
    state: row.state === 'open' ? 'running' : 'ended',
    outcomeKind: row.outcome,
    reason: row.reason,
    failureClass: row.failureClass,
    route: row.route,
    spec: row.specId,
    schemaVersion: row.schemaVersion,
    promptVersion: row.promptVersion,
    tenant: row.tenant,
    documentHash: row.documentHash,
    fileName: row.fileName,
    tags: row.tags,
    batch: row.batchId,
    provider: row.provider,
    model: row.model,
    attempts: row.attempts,
    calls: row.calls,
    tokens: row.tokens,
    cost: row.cost,
    startedAt: instant(row.startedAt),
    deadlineAt: instant(row.deadlineAt),
    closedAt: instantOrNull(row.closedAt),
    durationMs: row.closedAt === null ? null : row.closedAt - row.startedAt,
    erasedAt: instantOrNull(row.erasedAt),
  };
}

/** Fields of records and candidates in the order of the spec. */
export function viewExtraction(
  { extraction, outcome, humanRecord }: ExtractionReading,
  engineUrl: string | null,
  specs: KnownSpecs,
): ExtractionView {
  const ordered = (value: StoredJson) => inSpecOrder(specs, extraction, value);
  return {
    ...summarise(extraction),
    outcome: outcome === null ? null : orderedOutcome(outcome, ordered),
    humanRecord: humanRecord === null ? null : viewRecord(humanRecord, specs),
    engineUrl,
  };
}

function orderedOutcome(outcome: Outcome, ordered: (value: StoredJson) => StoredJson): Outcome {
  if (outcome.kind === 'verified') return { ...outcome, record: ordered(outcome.record) };
  const { bestEffort, fallback } = outcome;
  return {
    ...outcome,
    bestEffort: ordered(bestEffort),
    fallback: fallback === null ? null : { ...fallback, fields: ordered(fallback.fields) },
  };
}
