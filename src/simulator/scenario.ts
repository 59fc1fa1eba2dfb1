import type { FailureClass } from '../domain/failure-class.js';
import type { Policy } from '../domain/policy.js';
import type { RepairBudget } from '../domain/repair-budget.js';
import type { Slots } from '../planner/plan-input.js';

/** A simulated world, as plain data. All instants are ms from its beginning. */
export interface Scenario {
  readonly says: string;
  readonly documents: number;
  readonly arrivals: Arrivals;
  /** When to look: what still runs then is open. Null: until everything ended. */
  readonly stopAt: number | null;
  readonly kinds: readonly DocumentKind[];
  /** Documents of a kind that come at these instants, besides the others. */
  readonly planted: readonly Planted[];
  readonly policy: Policy;
  /** A pool: a document keeps its slot from its first call to its end, as a thread would. Lanes: a slot for each call. */
  readonly slots: Slots;
  /** Null: every repair is permitted. */
  readonly repairBudget: RepairBudget | null;
  readonly incidents: readonly Incident[];
  /** Tokens that all documents together may cost; null: no such budget. */
  readonly batchTokens: number | null;
  /** Length of one line of the timeline. */
  readonly lineMs: number;
}

/** Random arrivals at rates that follow one another again and again, or a window that is always full. */
export type Arrivals =
  | { readonly kind: 'random'; readonly phases: readonly Phase[] }
  | { readonly kind: 'window'; readonly inFlight: number };

export interface Phase {
  readonly durationMs: number;
  readonly perSecond: number;
}

export interface DocumentKind {
  readonly name: string;
  readonly weight: number;
  /** Chance that attempt 1, 2, ... is accepted; the last goes on. */
  readonly pass: readonly number[];
  /** Output tokens its record needs: a lower ceiling cuts the reply off. */
  readonly outputTokens: number;
  readonly inputTokens: number;
  readonly fails: readonly { readonly failureClass: FailureClass; readonly weight: number }[];
  /** Median duration of attempt 1, 2, ...; the last goes on. */
  readonly medianMs: readonly number[];
  /** Standard deviation of the durations' logarithm. */
  readonly spread: number;
  /** What a rejected candidate of attempt 1, 2, ... is like; the last goes on. */
  readonly answers: readonly Answers[];
  /** Share whose document a template recognises. */
  readonly templateShare: number;
}

/**
 * Rejected candidates: `new` every time, the `same`, `alternating` between two rules, caught between two rules that are
 * proved to contradict each other, or with nothing wrong that a repair could mend.
 */
export type Answers = 'new' | 'same' | 'alternating' | 'contradicting' | 'unrepairable';

export interface Planted {
  readonly kind: string;
  readonly at: number;
}

/** While it lasts, every reply is rejected (`bad_prompt`), or every call fails on the way (`outage`). */
export interface Incident {
  readonly kind: 'bad_prompt' | 'outage';
  readonly from: number;
  readonly to: number;
}

/** The most documents, and as many of them at once: what a machine with a few GB can hold. */
const mostDocuments = 20_000_000;
const mostInFlight = 100_000;

/** What is wrong with a scenario, in one sentence; null when it can be simulated. */
export function scenarioFault(scenario: Scenario): string | null {
  const { arrivals, documents, kinds, planted, slots } = scenario;
  const counts = slots.kind === 'pool' ? [slots.pool] : [slots.first, slots.repair];
  if (!Number.isSafeInteger(documents) || documents < 0)
    return 'documents must be a whole number, 0 or more.';
  if (documents > mostDocuments) return 'documents must be at most 20,000,000.';
  // A lane may have no slots at all: that is a world worth looking at.
  if (!counts.every((count) => Number.isSafeInteger(count) && count >= 0))
    return 'slots must be whole numbers.';
  if (!kinds.some(({ weight }) => weight > 0)) return 'At least one kind must have a weight above 0.';
  const unusable = kinds.find(({ pass, medianMs, answers, fails, spread, ...kind }) => {
    const amounts = [kind.weight, kind.outputTokens, kind.inputTokens, spread];
    const lists = [pass, medianMs, answers];
    const isDrawn = lists.every(({ length }) => length > 0) && fails.some(({ weight }) => weight > 0);
    return (
      !isDrawn || ![...amounts, ...pass, ...medianMs].every((each) => Number.isFinite(each) && each >= 0)
    );
  });
  if (unusable !== undefined)
    return `kind "${unusable.name}" needs pass, medianMs, answers and fails, and no number below 0.`;
  if (!planted.every(({ kind }) => kinds.some(({ name }) => name === kind)))
    return 'Every planted document must be of a kind that is there.';
  if (!kinds.every(({ pass }) => pass.every((chance) => chance <= 1)))
    return 'Every pass must be a chance between 0 and 1.';
  const instants = [scenario.stopAt ?? 0, ...planted.map(({ at }) => at)];
  if (!instants.every((at) => Number.isFinite(at) && at >= 0))
    return 'No instant may lie before the beginning.';
  if (!scenario.incidents.every(({ from, to }) => from >= 0 && from <= to))
    return 'Every incident must begin at 0 or later, and not end before that.';
  const { repairBudget } = scenario;
  if (
    repairBudget !== null &&
    !(repairBudget.share >= 0 && repairBudget.floor >= 0 && repairBudget.windowMs >= 1)
  )
    return 'repairBudget needs a share and a floor of 0 or more, and a window of at least 1 ms.';
  if (!(scenario.lineMs >= 1_000)) return 'lineMs must be at least 1000.';
  if (arrivals.kind === 'window') {
    if (!(arrivals.inFlight >= 1)) return 'inFlight must be at least 1.';
    return arrivals.inFlight <= mostInFlight ? null : 'inFlight must be at most 100,000.';
  }
  const { phases } = arrivals;
  if (!phases.every(({ durationMs }) => durationMs >= 1)) return 'Every phase must last at least 1 ms.';
  return phases.some(({ perSecond }) => perSecond > 0) ? null : 'At least one phase must bring documents.';
}
