import { expect } from 'vitest';
import type { AttemptReport, ContradictionRef, Rejected } from '../../src/domain/attempt-report.js';
import { decide } from '../../src/domain/decide.js';
import type { AttemptDecision, Decision, Diagnosis, Ending } from '../../src/domain/decision.js';
import type { ExtractionEvent } from '../../src/domain/event.js';
import { evolve } from '../../src/domain/evolve.js';
import type { FailureClass } from '../../src/domain/failure-class.js';
import type { Fault } from '../../src/domain/fault.js';
import { initialState } from '../../src/domain/initial-state.js';
import type { Policy } from '../../src/domain/policy.js';
import type { Reason } from '../../src/domain/reason.js';
import type { ExtractionState } from '../../src/domain/state.js';
import { samplePolicy } from './sample-policy.js';

export const startedAt = 1_000_000;

/** Something that happens to a run: it may take time, and it knows the attempt it happens to. */
export type Step = (
  attempt: number,
  now: number,
) => { readonly now: number; readonly event: ExtractionEvent | null };

/** What an attempt cost, where a spec cares. */
export interface Costs {
  readonly tokens?: number;
  readonly amount?: string;
  readonly currency?: string;
  readonly ms?: number;
}

/** A run under a policy, read as given / when / then. Every step returns a new run. */
export class Run {
  readonly state: ExtractionState;
  readonly now: number;

  constructor(state: ExtractionState, now: number) {
    this.state = deepFreeze(state);
    this.now = now;
  }

  when(...steps: readonly Step[]): Run {
    return steps.reduce<Run>((run, step) => {
      const { now, event } = step(run.state.attempts + 1, run.now);
      return new Run(event === null ? run.state : evolve(run.state, event), now);
    }, this);
  }

  decision(): Decision {
    return decide(this.state, this.now);
  }

  /** The next attempt may start; for a repair this is after its permit was granted. */
  thenAttempts(expected: Partial<AttemptDecision>): Run {
    const run = this.decision().kind === 'permit' ? this.when(granted) : this;
    expect(run.decision()).toMatchObject({ kind: 'attempt', ...expected });
    return run;
  }

  thenAsksForPermit(attempt: number): Run {
    expect(this.decision()).toEqual({ kind: 'permit', attempt });
    return this;
  }

  thenWaits(pauseMs: number): Run {
    expect(this.decision()).toEqual({ kind: 'wait', pauseMs });
    return this;
  }

  thenStops(reason: Reason, diagnosis: Diagnosis | null = null): Run {
    expect(this.ending()).toMatchObject({ kind: 'unverified', reason, diagnosis });
    return this;
  }

  thenVerifies(attempts: number): Run {
    expect(this.ending()).toEqual({ kind: 'verified', attempts });
    return this;
  }

  private ending(): Ending {
    const decision = this.decision();
    if (decision.kind !== 'land') throw new Error(`the run goes on: ${JSON.stringify(decision)}`);
    return decision.ending;
  }
}

export function given(policy: Partial<Policy> = {}): Run {
  return new Run(initialState(samplePolicy(policy), startedAt), startedAt);
}

export const later =
  (ms: number): Step =>
  (_, now) => ({ now: now + ms, event: null });

export const granted: Step = (attempt, now) => ({ now, event: { kind: 'PermitGranted', at: now, attempt } });
export const denied: Step = (attempt, now) => ({ now, event: { kind: 'PermitDenied', at: now, attempt } });
export const cancelRequested: Step = (_, now) => ({ now, event: { kind: 'CancelRequested', at: now } });
export const batchBudgetExhausted: Step = (_, now) => ({
  now,
  event: { kind: 'BatchBudgetExhausted', at: now },
});
export const waitEnded: Step = (_, now) => ({ now, event: { kind: 'WaitEnded', at: now } });

export const capLowered =
  (cap: number): Step =>
  (_, now) => ({ now, event: { kind: 'CapLowered', at: now, cap } });

export const failed =
  (fault: Fault, costs: Costs = {}): Step =>
  (attempt, now) => {
    const at = now + (costs.ms ?? 0);
    return { now: at, event: { kind: 'AttemptFailed', at, attempt, fault, spending: spending(costs) } };
  };

/** Nobody could tell what the calls of this attempt had cost. */
export const failedUntold =
  (fault: Fault): Step =>
  (attempt, now) => ({ now, event: { kind: 'AttemptFailed', at: now, attempt, fault, spending: null } });

export const accepted = (costs: Costs = {}): Step =>
  reported({ kind: 'accepted', candidateHash: 'accepted' }, costs);

export const refusal = rejected('refusal', {});
export const empty = rejected('empty', {});
export const verifierFault = rejected('verifier_fault', { candidateHash: 'A' });

export const parse = (replyHash: string, costs: Costs = {}): Step => rejected('parse', { replyHash }, costs);

export const truncated = (costs: Costs = {}): Step =>
  rejected('truncated', { truncation: 'max_tokens', replyHash: 'cut' }, costs);

export const overflowed = rejected('truncated', { truncation: 'context_window' });

/** A whole candidate that breaks these rules, each written "rule" or "rule@/pointer". */
export const constraint = (
  candidateHash: string,
  rules: readonly string[],
  more: Partial<Rejected> & { readonly costs?: Costs } = {},
): Step => {
  const { costs, ...result } = more;
  return rejected('constraint', { candidateHash, problems: rules.map(problem), ...result }, costs);
};

export const schema = (candidateHash: string, rules: readonly string[] = ['shape']): Step =>
  rejected('schema', { candidateHash, problems: rules.map(problem) });

export const contradicting = (first: string, second: string, pointer = '/total'): ContradictionRef => ({
  rules: [first, second],
  pointer,
});

function problem(text: string) {
  const [rule = '', pointer = ''] = text.split('@');
  return { rule, pointer };
}

function rejected(failureClass: FailureClass, more: Partial<Rejected>, costs: Costs = {}): Step {
  const result: Rejected = {
    kind: 'rejected',
    failureClass,
    problems: [],
    candidateHash: null,
    replyHash: null,
    repairable: true,
    contradiction: null,
    truncation: null,
    ...more,
  };
  return reported(result, costs);
}

function reported(result: AttemptReport['result'], costs: Costs): Step {
  return (attempt, now) => {
    const durationMs = costs.ms ?? 100;
    const spent = spending(costs);
    const report: AttemptReport = {
      attempt,
      lane: attempt === 1 ? 'first' : 'repair',
      model: 'model-a',
      maxTokens: 1_500,
      promptVersion: 'p1',
      requestId: null,
      result,
      normalisations: [],
      usage: 'unknown',
      tokens: spent.tokens,
      cost: spent.cost,
      durationMs,
      calls: 1,
    };
    return { now: now + durationMs, event: { kind: 'AttemptReported', at: now + durationMs, report } };
  };
}

function spending(costs: Costs) {
  const cost = { amount: costs.amount ?? '0', currency: costs.currency ?? 'USD' };
  return { tokens: costs.tokens ?? 10, cost, known: true };
}

/** The core must never change what it was given; frozen, it would throw. */
function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) deepFreeze(inner);
  }
  return value;
}
