import { createHash } from 'node:crypto';
import type { AttemptReport, Rejected } from '../../../src/domain/attempt-report.js';
import type { Ending } from '../../../src/domain/decision.js';
import type { RunRef } from '../../../src/domain/extraction-input.js';
import type { Money } from '../../../src/domain/money.js';
import type { Policy } from '../../../src/domain/policy.js';
import type { AttemptCommit, NewCall, StoredJson } from '../../../src/ports/attempt-store.js';
import type { Landing, NewExtraction } from '../../../src/ports/extraction-store.js';
import type { StoredRecord } from '../../../src/ports/record-store.js';
import type {
  DecisionApplied,
  Leasing,
  NewReviewDecision,
  ReviewVerb,
} from '../../../src/ports/review-store.js';
import type { Store } from '../../../src/ports/store.js';
import type { Problem } from '../../../src/verification/problem.js';

/** What the contract is run against: one store, empty at first; cases keep apart by tenant and key. */
export type StoreUnderTest = () => Store;

export const policy: Policy = {
  attemptCap: 3,
  deadlineMs: 60_000,
  tokenCap: 60_000,
  moneyCap: { amount: '0.50', currency: 'USD' },
  tokenCeilings: [1_500, 3_000, 4_000],
  transport: { maximumCalls: 3, backoffTotalMs: 8_000 },
  repairLaneWaitMs: 5_000,
  outage: { patienceMs: 0, pauseMs: 1_000 },
  estimateMs: [2_000],
  models: ['model-a'],
  routes: [{ to: 'human_review', when: { hasCandidate: true } }],
};

export const problem: Problem = {
  rule: 'total.equals-sum',
  pointer: '/total',
  message: 'the total is not the sum of the lines',
  expected: '1204.375',
  found: '1204.38',
};

let serial = 0;

/** A document nobody has seen before. The key is really a hash, so that prefixes behave as in life. */
export function newExtraction(given: Partial<NewExtraction> = {}): NewExtraction {
  serial += 1;
  const tenant = given.tenant ?? 'acme';
  const documentHash = given.documentHash ?? sha(`document ${serial}`);
  const specId = given.specId ?? 'claim';
  const schemaVersion = given.schemaVersion ?? '1';
  const promptVersion = given.promptVersion ?? 'v7';
  return {
    key: sha([tenant, documentHash, specId, schemaVersion, promptVersion].join('\n')),
    subject: sha([tenant, documentHash, specId].join('\n')),
    tenant,
    documentHash,
    specId,
    schemaVersion,
    promptVersion,
    policy,
    tags: ['renewal'],
    batchId: null,
    fileName: 'scan-017.pdf',
    at: 1_000_000 + serial,
    ...given,
  };
}

export function sha(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Opens a run of a new document and names it. */
export async function openRun(store: Store, given: Partial<NewExtraction> = {}): Promise<RunRef> {
  return refOf(store, newExtraction(given), false);
}

/** Runs a closed key again. */
export async function redrive(store: Store, extraction: NewExtraction): Promise<RunRef> {
  return refOf(store, extraction, true);
}

async function refOf(store: Store, extraction: NewExtraction, again: boolean): Promise<RunRef> {
  const opening = await store.extractions.open(extraction, again);
  if (opening.kind !== 'opened') throw new Error(`expected a new run, got ${opening.kind}`);
  return runRef(opening.extraction);
}

function runRef(row: RunRef): RunRef {
  const { key, run, subject, tenant, documentHash, specId, schemaVersion, promptVersion } = row;
  return { key, run, subject, tenant, documentHash, specId, schemaVersion, promptVersion };
}

/** Takes the parked letter of a run and names the run it is redriven into: the same versions unless told. */
export async function takeLetter(
  store: Store,
  letter: RunRef,
  given: Partial<NewExtraction> = {},
): Promise<RunRef> {
  const taking = await store.deadLetters.take(letter.key, sameDocument(letter, given));
  if (taking.kind !== 'opened') throw new Error(`expected a new run, got ${taking.kind}`);
  return runRef(taking.extraction);
}

/** The same document under the same spec, as a run in the given versions would name it. */
export function sameDocument(ref: RunRef, given: Partial<NewExtraction> = {}): NewExtraction {
  const { tenant, documentHash, specId, schemaVersion, promptVersion } = ref;
  return newExtraction({ tenant, documentHash, specId, schemaVersion, promptVersion, ...given });
}

function report(attempt: number, result: AttemptReport['result']): AttemptReport {
  return {
    attempt,
    lane: attempt === 1 ? 'first' : 'repair',
    model: 'model-a',
    maxTokens: 1_500,
    promptVersion: 'v7',
    requestId: `req_${attempt}`,
    result,
    normalisations: [{ kind: 'trailing_comma', count: 2 }],
    usage: { inputTokens: 900, outputTokens: 80, cacheReadTokens: 0, cacheWriteTokens: 0, thinkingTokens: 0 },
    tokens: 980,
    cost: { amount: '0.000123', currency: 'USD' },
    durationMs: 1_850,
    calls: 1,
  };
}

export function accepted(ref: RunRef, given: Partial<AttemptCommit> = {}, attempt = 1): AttemptCommit {
  return {
    ref,
    report: report(attempt, { kind: 'accepted', candidateHash: sha('candidate') }),
    problems: [],
    contradiction: null,
    candidate: { insured: 'Ada Lund', total: '1204.375' },
    evidence: [{ pointer: '/total', page: 1, start: 10, end: 19, printed: '1,204.375' }],
    ungrounded: ['/insured'],
    feedback: null,
    verifierVersion: 'verifier-3',
    sample: null,
    at: 2_000_000,
    ...given,
  };
}

export function rejected(ref: RunRef, given: Partial<AttemptCommit> = {}, attempt = 1): AttemptCommit {
  const result: Rejected = {
    kind: 'rejected',
    failureClass: 'constraint',
    problems: [{ rule: problem.rule, pointer: problem.pointer }],
    candidateHash: sha('candidate'),
    replyHash: sha('reply'),
    repairable: true,
    contradiction: null,
    truncation: null,
  };
  return accepted(ref, { report: report(attempt, result), problems: [problem], ...given });
}

export const exhausted: Extract<Ending, { kind: 'unverified' }> = {
  kind: 'unverified',
  attempts: 3,
  reason: 'attempt_cap',
  failureClass: 'constraint',
  diagnosis: { kind: 'oscillation', rules: ['a', 'b'] },
  repliesRead: 3,
};

export function landing(ref: RunRef, given: Partial<Landing> = {}): Landing {
  return {
    ref,
    ending: exhausted,
    at: 3_000_000,
    route: 'dead_letter',
    bestAttempt: null,
    amount: null,
    reviewDueAt: null,
    ...given,
  };
}

/** Lands a run on a person's desk. */
export function toReview(ref: RunRef, given: Partial<Landing> = {}): Landing {
  return landing(ref, { route: 'human_review', bestAttempt: 1, reviewDueAt: 9_000_000, ...given });
}

/** A document whose run ended with a candidate that a person is asked about. */
export async function askPerson(
  store: Store,
  given: Partial<NewExtraction> = {},
  landed: Partial<Landing> = {},
): Promise<RunRef> {
  const ref = await openRun(store, given);
  await store.attempts.commit(rejected(ref));
  await store.extractions.land(toReview(ref, landed));
  return ref;
}

/** A verified record that a person is asked about too. Answers with its run and the id of the question. */
export async function askAboutSample(
  store: Store,
  given: Partial<NewExtraction> = {},
  amount: Money | null = null,
  attempt = 1,
): Promise<{ readonly ref: RunRef; readonly id: string }> {
  const ref = await openRun(store, given);
  const id = sha(`sample ${ref.key}`);
  await store.attempts.commit(accepted(ref, { sample: { reviewId: id, amount } }, attempt));
  return { ref, id };
}

/** What kim wants done about a review as it is now. */
export async function decisionOn(
  store: Store,
  reviewId: string,
  given: Partial<NewReviewDecision> = {},
): Promise<NewReviewDecision> {
  const task = await store.reviews.find(reviewId);
  return {
    reviewId,
    actor: 'kim',
    verb: 'reject',
    values: null,
    note: 'seen on paper',
    overrides: [],
    version: task?.version ?? 0,
    at: 4_000_000,
    ...given,
  };
}

/** Stores a decision on an open review. */
export async function say(
  store: Store,
  reviewId: string,
  given: Partial<NewReviewDecision> = {},
): Promise<string> {
  const asked = await store.reviews.addDecision(await decisionOn(store, reviewId, given));
  if (asked?.kind !== 'asked') throw new Error(`expected a stored decision, got ${asked?.kind}`);
  return asked.eventId;
}

/** Says something about an open review and carries it out. */
export async function decide(
  store: Store,
  reviewId: string,
  verb: ReviewVerb,
  values: StoredJson = null,
  at = 4_000_000,
): Promise<{ eventId: string; applied: DecisionApplied }> {
  const eventId = await say(store, reviewId, { verb, values, at });
  return { eventId, applied: await store.reviews.apply(eventId, [], 'verifier-3', at + 1) };
}

/** Kim, unless told otherwise, takes a review for a while. */
export async function claim(
  store: Store,
  reviewId: string,
  { actor = 'kim', leaseMs = 60_000, at = 3_100_000 } = {},
): Promise<Leasing | null> {
  return store.reviews.lease(reviewId, { kind: 'claim', actor, leaseMs }, at);
}

export function recordOf(ref: RunRef, given: Partial<StoredRecord> = {}): StoredRecord {
  return {
    ...ref,
    status: 'fallback',
    record: { policyNumber: 'P-77' },
    evidence: [],
    ungrounded: [],
    unmet: [problem],
    normalisations: [],
    verifierVersion: 'verifier-3',
    template: 'broker-north',
    at: 3_500_000,
    ...given,
  };
}

export function newCall(ref: RunRef, given: Partial<NewCall> = {}): NewCall {
  return {
    ref,
    attempt: 1,
    lane: 'first',
    model: 'model-a',
    provider: 'stand-in',
    activityId: 'activity-1',
    estimate: { tokens: 2_000, cost: { amount: '0.0020', currency: 'USD' }, known: false },
    at: 1_500_000,
    ...given,
  };
}
