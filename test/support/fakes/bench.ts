import type { Application } from '../../../src/application/application.js';
import { batchStep } from '../../../src/application/batch-step.js';
import { redriveStep } from '../../../src/application/redrive-step.js';
import type { Submission } from '../../../src/application/submit-extraction.js';
import type { Attempt, StoredJson } from '../../../src/ports/attempt-store.js';
import type { Extraction } from '../../../src/ports/extraction-store.js';
import type { StoredRecord } from '../../../src/ports/record-store.js';
import type { ReviewTask } from '../../../src/ports/review-store.js';
import type { Catalogue } from '../../../src/spec/catalogue.js';
import type { Problem } from '../../../src/verification/problem.js';
import { createMemoryStore, type MemoryStore, runId } from './memory-store.js';
import { badReceipt, goodReceipt, receiptCatalogue } from './receipt-spec.js';
import { createScriptedEngine, type ScriptedEngine } from './scripted-engine.js';

/** 2026-03-01T12:00:00Z; every call of the clock is one millisecond later. */
export const epoch = Date.UTC(2026, 2, 1, 12);

export interface Bench {
  readonly app: Application;
  readonly store: MemoryStore;
  readonly engine: ScriptedEngine;
  /** Moves the clock forward. */
  pass(ms: number): void;
}

/** The use cases over fakes, on a clock of their own. */
export function createBench(catalogue: Catalogue = receiptCatalogue()): Bench {
  let clock = epoch;
  const now = () => {
    clock += 1;
    return clock;
  };
  const store = createMemoryStore(now);
  const engine = createScriptedEngine(store);
  const reader = { read: async () => ({ kind: 'readable' as const, pages: 1, text: null }) };
  const app = { store, engine, catalogue, reader, reviewSlaMs: 3_600_000, now };
  engine.step = (step) => redriveStep(app, step);
  engine.batchStep = (step) => batchStep(app, step);
  return {
    app,
    store,
    engine,
    pass: (ms) => {
      clock += ms;
    },
  };
}

export function textSubmission(text: string, changes: Partial<Submission> = {}): Submission {
  return {
    tenant: 'acme',
    specId: 'receipt',
    document: { kind: 'bytes', mediaType: 'text/plain', bytes: new TextEncoder().encode(text) },
    fileName: 'receipt.txt',
    tags: [],
    budgets: {},
    redrive: false,
    ...changes,
  };
}

export const sumProblem: Problem = {
  rule: 'sum',
  pointer: '/total',
  message: 'The lines add up to 4.50.',
  expected: '4.50',
  found: '5.50',
};

/** A stored attempt whose candidate broke the sum rule. */
export function rejectedAttempt(attempt: number, changes: Partial<Attempt> = {}): Attempt {
  return {
    report: {
      attempt,
      lane: attempt === 1 ? 'first' : 'repair',
      model: 'claude-haiku-5-5',
      maxTokens: 1500,
      promptVersion: 'v2',
      requestId: `req_${attempt}`,
      result: {
        kind: 'rejected',
        failureClass: 'constraint',
        problems: [{ rule: 'sum', pointer: '/total' }],
        candidateHash: 'c'.repeat(64),
        replyHash: 'd'.repeat(64),
        repairable: true,
        contradiction: null,
        truncation: null,
      },
      normalisations: [],
      usage: {
        inputTokens: 700,
        outputTokens: 200,
        cacheReadTokens: 0,
        cacheWriteTokens: 0,
        thinkingTokens: 0,
      },
      tokens: 900,
      cost: { amount: '0.00017', currency: 'USD' },
      durationMs: 1234,
      calls: 1,
    },
    problems: [sumProblem],
    contradiction: null,
    candidate: badReceipt,
    evidence: [],
    ungrounded: [],
    feedback: null,
    at: epoch,
    ...changes,
  };
}

export function storedRecord(
  row: Extraction,
  status: StoredRecord['status'],
  record: StoredJson,
): StoredRecord {
  const { key, run, subject, tenant, documentHash, specId, schemaVersion, promptVersion } = row;
  return {
    key,
    run,
    subject,
    tenant,
    documentHash,
    specId,
    schemaVersion,
    promptVersion,
    status,
    record,
    evidence: [],
    ungrounded: [],
    unmet: [],
    normalisations: [],
    verifierVersion: 'receipt@1',
    template: status === 'fallback' ? 'till-roll' : null,
    at: epoch,
  };
}

/** Every run verifies as `goodReceipt`. */
export function verifyAll({ engine, store }: Bench): void {
  engine.script = (input) => {
    const row = store.rows.findLast(({ key }) => key === input.key);
    if (row !== undefined) store.recordRows.push(storedRecord(row, 'verified', goodReceipt));
    return { outcome: 'verified', attempts: 1, calls: 1, tokens: 900 };
  };
}

/** Every run fails the sum rule twice and goes where `route` says, with the dead letter or review that belongs there. */
export function exhaustAll(
  { engine, store }: Bench,
  route: 'dead_letter' | 'human_review' | 'best_effort',
): void {
  engine.script = (input) => {
    store.attemptRows.set(runId(input.key, input.run), [rejectedAttempt(1), rejectedAttempt(2)]);
    const row = store.rows.findLast(({ key }) => key === input.key);
    if (row === undefined) throw new Error('A run started without its row.');
    const { policy, tags, fileName, startedAt, subject } = row;
    const why = { reason: 'no_progress' as const, failureClass: 'constraint' as const };
    if (route === 'dead_letter') {
      store.letters.set(row.key, {
        ...refOf(row),
        ...why,
        policy,
        tags,
        fileName,
        at: startedAt,
        state: 'parked',
        redrivenInto: store.letters.get(row.key)?.redrivenInto ?? null,
      });
    }
    if (route === 'human_review') store.reviews.tasks.set(subject, reviewTask(row));
    return { outcome: 'unverified', ...why, route, attempts: 2, calls: 2, tokens: 1800 };
  };
}

export function reviewTask(row: Extraction, changes: Partial<ReviewTask> = {}): ReviewTask {
  return {
    ...refOf(row),
    id: row.subject,
    kind: 'exhausted',
    state: 'open',
    version: 1,
    reason: 'no_progress',
    failureClass: 'constraint',
    bestAttempt: 2,
    amount: { amount: '5.50', currency: 'EUR' },
    holder: null,
    leaseExpiresAt: null,
    createdAt: epoch,
    dueAt: epoch + 3_600_000,
    escalatedAt: null,
    decidedAt: null,
    verdict: null,
    withdrawn: null,
    ...changes,
  };
}

/** Every run verifies as `goodReceipt`, and a person is asked about it too, under `sampleId`. */
export function sampleAll(bench: Bench): void {
  verifyAll(bench);
  const { engine, store } = bench;
  const { script } = engine;
  engine.script = (input) => {
    const ending = script(input);
    const row = store.rows.findLast(({ key }) => key === input.key);
    if (row === undefined) throw new Error('A run started without its row.');
    const { report } = rejectedAttempt(1);
    const result = { kind: 'accepted' as const, candidateHash: 'c'.repeat(64) };
    const accepted = { report: { ...report, result }, problems: [], candidate: goodReceipt };
    store.attemptRows.set(runId(row.key, row.run), [rejectedAttempt(1, accepted)]);
    const asked = { id: sampleId(row.key), kind: 'sample' as const, reason: null, failureClass: null };
    store.reviews.tasks.set(asked.id, reviewTask(row, { ...asked, bestAttempt: 1, dueAt: null }));
    return ending;
  };
}

/** Another id than that of any subject or key. */
export const sampleId = (key: string) => [...key].reverse().join('');

function refOf(row: Extraction) {
  const { key, run, subject, tenant, documentHash, specId, schemaVersion, promptVersion } = row;
  return { key, run, subject, tenant, documentHash, specId, schemaVersion, promptVersion };
}
