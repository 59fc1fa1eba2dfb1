import type { ContradictionRef, ProblemRef, Rejected } from './attempt-report.js';
import type { Diagnosis } from './decision.js';
import type { Reason } from './reason.js';
import { isOverspent } from './spent.js';
import type { ExtractionState, WholeCandidate } from './state.js';

/** Why no further attempt is worth making. */
interface Stop {
  readonly reason: Reason;
  readonly diagnosis: Diagnosis | null;
}

/**
 * The table "after an attempt" for a rejected one: the first row that holds, or null when a repair is worth trying.
 * `state` already counts the attempt and its cost, but remembers only what earlier attempts brought.
 */
export function stopAfter(state: ExtractionState, result: Rejected): Stop | null {
  const { failureClass } = result;
  if (state.cancelRequested) return because('cancelled');
  if (failureClass === 'verifier_fault') return because('verifier_fault');
  if (failureClass === 'refusal') return because('refusal');
  if (failureClass === 'truncated' && isFinalCut(state, result)) return because('token_ceiling');
  const candidate = wholeCandidate(result);
  if (candidate !== null) {
    const stop = stopOnCandidate(state.candidates, candidate, result.repairable);
    if (stop !== null) return stop;
  }
  if (unparsedHash(result) !== null && unparsedHash(result) === state.lastUnparsedHash) {
    return because('no_progress');
  }
  if (isOverspent(state.policy, state.tokens, state.money)) return because('token_cap');
  if (failureClass === 'empty' && state.lastClass === 'empty') return because('empty_reply');
  return null;
}

/** The next higher ceiling of the policy, or null at the maximum. */
export function nextCeiling(state: ExtractionState): number | null {
  return state.policy.tokenCeilings.find((ceiling) => ceiling > state.maxTokens) ?? null;
}

/** What to remember of a whole candidate; null when the reply held none. */
export function wholeCandidate(result: Rejected): WholeCandidate | null {
  if (result.candidateHash === null) return null;
  return {
    hash: result.candidateHash,
    failing: failingSet(result.problems),
    contradiction: result.contradiction,
  };
}

/** The hash that tells whether a reply nobody could parse came again; null when it was parsed, cut off or empty. */
export function unparsedHash(result: Rejected): string | null {
  return result.failureClass === 'parse' ? result.replyHash : null;
}

/** A larger ceiling cannot help: there is none, or the window of the model itself was full. */
function isFinalCut(state: ExtractionState, result: Rejected): boolean {
  return result.truncation === 'context_window' || nextCeiling(state) === null;
}

function stopOnCandidate(
  earlier: readonly WholeCandidate[],
  candidate: WholeCandidate,
  repairable: boolean,
): Stop | null {
  const last = earlier.at(-1);
  if (last !== undefined) {
    if (candidate.contradiction !== null && isSame(candidate.contradiction, last.contradiction)) {
      return { reason: 'contradiction', diagnosis: { kind: 'contradiction', ...candidate.contradiction } };
    }
    if (candidate.hash === last.hash) return because('no_progress');
    const cycle = cycleOf(earlier, last, candidate);
    if (cycle !== null) {
      return { reason: 'oscillation', diagnosis: { kind: 'oscillation', rules: alternatingRules(cycle) } };
    }
  }
  return repairable ? null : because('not_repairable');
}

/** The candidates from the earlier occurrence of this one, or of its failing rules, up to this one; null if new. */
function cycleOf(
  earlier: readonly WholeCandidate[],
  last: WholeCandidate,
  candidate: WholeCandidate,
): readonly WholeCandidate[] | null {
  const failing = JSON.stringify(candidate.failing);
  // The same rules failing twice in a row with other values may still be progress: something must lie between.
  const rulesMoved = JSON.stringify(last.failing) !== failing;
  const start = earlier.findLastIndex(
    (seen) => seen.hash === candidate.hash || (rulesMoved && JSON.stringify(seen.failing) === failing),
  );
  return start < 0 ? null : [...earlier.slice(start), candidate];
}

/** Ids of the rules that come and go within the cycle; all of its rules when the same ones fail throughout. */
function alternatingRules(cycle: readonly WholeCandidate[]): readonly string[] {
  const sets = cycle.map(
    (seen) => new Map(seen.failing.map((problem) => [JSON.stringify(problem), problem.rule])),
  );
  const all = new Map(sets.flatMap((set) => [...set]));
  const moving = [...all].filter(([problem]) => sets.some((set) => !set.has(problem)));
  return [...new Set((moving.length > 0 ? moving : [...all]).map(([, rule]) => rule))].sort();
}

function failingSet(problems: readonly ProblemRef[]): readonly ProblemRef[] {
  const byText = new Map(
    problems.map(({ rule, pointer }) => [JSON.stringify([rule, pointer]), { rule, pointer }] as const),
  );
  return [...byText].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, problem]) => problem);
}

function isSame(a: ContradictionRef, b: ContradictionRef | null): boolean {
  if (b === null || a.pointer !== b.pointer) return false;
  const [first, second] = a.rules;
  return (b.rules[0] === first && b.rules[1] === second) || (b.rules[0] === second && b.rules[1] === first);
}

function because(reason: Reason): Stop {
  return { reason, diagnosis: null };
}
