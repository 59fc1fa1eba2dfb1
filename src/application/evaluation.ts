import type { Money } from '../domain/money.js';
import type { Reason } from '../domain/reason.js';
import type { RouteName } from '../domain/route.js';
import { addCost } from '../domain/spent.js';
import { type Interval, wilsonInterval } from '../domain/wilson-interval.js';
import { labelOf, type SpecLabel } from '../spec/catalogue.js';
import type { Spec } from '../spec/spec.js';
import type { Trial } from './evaluate-spec.js';

/** How one version of a spec did on a truth set. Every share stands beside its count. */
export interface Evaluation {
  readonly label: SpecLabel;
  readonly documents: number;
  /** Documents verified after at most so many attempts, for every number of attempts up to the cap. */
  readonly curve: readonly CurvePoint[];
  readonly right: number;
  /** Records that verified although they are not the true ones: a rule is missing, or the truth is wrong. */
  readonly wrong: readonly WrongRecord[];
  /** Verified, but no true record is known to hold them against. */
  readonly unjudged: number;
  /** Where the rest landed, most first. */
  readonly landed: readonly Landed[];
  readonly calls: number;
  readonly tokens: number;
  readonly cost: readonly Money[];
}

export interface CurvePoint {
  readonly attempts: number;
  readonly verified: number;
  readonly share: number;
  /** Wilson, 95 %. */
  readonly interval: Interval;
}

export interface WrongRecord {
  readonly name: string;
  readonly extractionId: string;
  /** Pointers of the fields that differ from the truth; never their values. */
  readonly differs: readonly string[];
}

export interface Landed {
  readonly reason: Reason;
  readonly route: RouteName | null;
  readonly documents: number;
}

/** Counts the trials of one version. */
export function evaluationOf(spec: Spec, trials: readonly Trial[]): Evaluation {
  const verified = trials.filter(({ verdict }) => verdict !== 'unverified');
  const count = (verdict: Trial['verdict']) => trials.filter((trial) => trial.verdict === verdict).length;
  const sum = (part: (trial: Trial) => number) => trials.reduce((total, trial) => total + part(trial), 0);
  return {
    label: labelOf(spec),
    documents: trials.length,
    curve: Array.from({ length: spec.policy.attemptCap }, (_, index) => {
      const attempts = index + 1;
      const within = verified.filter(({ extraction }) => extraction.attempts <= attempts).length;
      return {
        attempts,
        verified: within,
        share: trials.length === 0 ? 0 : within / trials.length,
        interval: wilsonInterval(within, trials.length),
      };
    }),
    right: count('right'),
    wrong: trials
      .filter(({ verdict }) => verdict === 'wrong')
      .map(({ name, extraction, differs }) => ({ name, extractionId: extraction.key, differs })),
    unjudged: count('unjudged'),
    landed: landings(trials),
    calls: sum(({ extraction }) => extraction.calls),
    tokens: sum(({ extraction }) => extraction.tokens),
    cost: trials.reduce<readonly Money[]>((costs, { extraction }) => addCost(costs, extraction.cost), []),
  };
}

function landings(trials: readonly Trial[]): readonly Landed[] {
  const groups = new Map<string, Landed>();
  for (const { verdict, extraction } of trials) {
    if (verdict !== 'unverified') continue;
    // A closed unverified row always has a reason.
    const reason = extraction.reason ?? 'internal_error';
    const key = JSON.stringify([reason, extraction.route]);
    const documents = (groups.get(key)?.documents ?? 0) + 1;
    groups.set(key, { reason, route: extraction.route, documents });
  }
  return [...groups.values()].sort((left, right) => right.documents - left.documents);
}
