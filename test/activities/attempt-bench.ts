import type { AttemptInput } from '../../activities/contract.js';
import type { ActivityDependencies } from '../../activities/dependencies.js';
import type { AttemptCommit, CallEnd, Committed } from '../../src/ports/attempt-store.js';
import type { Breaker } from '../../src/ports/breaker.js';
import type { Extractor, ExtractorReply } from '../../src/ports/extractor.js';
import type { Store } from '../../src/ports/store.js';
import { goodReceipt, receiptCatalogue } from '../support/fakes/receipt-spec.js';

const cost = (amount: string) => ({ amount, currency: 'USD' });
export const estimate = { tokens: 2_000, cost: cost('0.02'), known: false };
export const spent = { tokens: 900, cost: cost('0.01'), known: true };

/** A reply whose candidate holds. */
export const goodReply: ExtractorReply = {
  stopReason: 'end_turn',
  mode: 'constrained',
  text: JSON.stringify(goodReceipt),
  requestId: 'req_1',
  usage: 'unknown',
  spending: spent,
};

export const input: AttemptInput = {
  ref: {
    key: 'a'.repeat(64),
    run: 1,
    subject: 'b'.repeat(64),
    tenant: 'acme',
    documentHash: 'c'.repeat(64),
    specId: 'receipt',
    schemaVersion: '1',
    promptVersion: 'v2',
  },
  decision: {
    kind: 'attempt',
    attempt: 1,
    lane: 'first',
    model: 'claude-haiku-5-5',
    maxTokens: 1_500,
    feedback: { kind: 'none' },
    estimateMs: 1_000,
  },
  transport: { maximumCalls: 3, backoffTotalMs: 8_000 },
};

interface Script {
  readonly stored?: Committed;
  readonly call?: Extractor['call'];
  readonly estimate?: Extractor['estimate'];
  /** Thrown by these steps, once each. */
  readonly failing?: Readonly<Record<string, Error>>;
  readonly failedCalls?: number;
  /** What the breaker does instead of letting the call through. */
  readonly guard?: () => Promise<never>;
  readonly suspendedUntil?: number;
}

/** What an attempt did, step by step. */
export interface AttemptBench {
  readonly deps: ActivityDependencies;
  readonly steps: readonly string[];
  readonly ends: readonly CallEnd[];
  readonly commits: readonly AttemptCommit[];
}

/** An attempt's world, scripted: every step is written down in order. */
export function attemptBench(script: Script = {}): AttemptBench {
  const steps: string[] = [];
  const ends: CallEnd[] = [];
  const commits: AttemptCommit[] = [];
  const failing = new Map(Object.entries(script.failing ?? {}));
  const step = (name: string): void => {
    steps.push(name);
    const error = failing.get(name);
    failing.delete(name);
    if (error !== undefined) throw error;
  };
  const attempts = {
    stored: async () => {
      step('stored');
      return script.stored ?? null;
    },
    beginCall: async () => {
      step('beginCall');
      return '1';
    },
    endCall: async (end: CallEnd) => {
      step('endCall');
      ends.push(end);
      return { calls: 1, failedInActivity: script.failedCalls ?? 1, spending: estimate };
    },
    calls: async () => [],
    problems: async () => [],
    previousCandidate: async () => null,
    commit: async (commit: AttemptCommit) => {
      step('commit');
      commits.push(commit);
      return { report: commit.report, withdrewReview: false };
    },
  };
  const documents = {
    load: async () => {
      step('load');
      return { mediaType: 'text/plain', bytes: Buffer.from('a receipt') };
    },
  };
  const extractor: Extractor = {
    provider: 'stand-in',
    zeroCost: cost('0'),
    estimate: script.estimate ?? (() => estimate),
    call: async (request, options) => {
      step('call');
      return script.call === undefined ? goodReply : await script.call(request, options);
    },
  };
  const breaker: Breaker = {
    guard: (_model, call) => script.guard?.() ?? call(),
    suspendedUntil: () => script.suspendedUntil ?? null,
    breakers: () => [],
  };
  const store = { attempts, documents } as unknown as Store;
  const reader = { read: async () => ({ kind: 'readable' as const, pages: 1, text: null }) };
  const deps = {
    store,
    extractor,
    breaker,
    reader,
    catalogue: receiptCatalogue(),
    now: Date.now,
    random: () => 0.5,
  };
  return { deps, steps, ends, commits };
}
