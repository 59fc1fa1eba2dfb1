import type { FailureClass } from '../domain/failure-class.js';
import type { Policy } from '../domain/policy.js';
import type { Reason } from '../domain/reason.js';
import type { RepairBudget } from '../domain/repair-budget.js';
import type { Slots } from '../planner/plan-input.js';
import { Samples } from '../planner/samples.js';
import type { Answers, DocumentKind, Phase, Scenario } from '../simulator/scenario.js';
import type { Measure } from './measure.js';
import type { AttemptRow, DocumentRow } from './rows.js';

const secondMs = 1_000;
const minuteMs = 60_000;
const hourMs = 3_600_000;
const mostPhases = 168;

/** What is not in the rows of documents. */
export interface FittedWorld {
  readonly policy: Policy;
  readonly slots: Slots;
  readonly repairBudget: RepairBudget | null;
}

/** Documents that fared alike: by the class of their first rejection, how often they were cut off, and how they ended. */
interface Group {
  readonly answers: readonly Answers[];
  /** Attempts that were cut off before one was not; the last ceiling that was too low. */
  cutOff: number;
  tooLow: number;
  documents: number;
  exhausted: number;
  toTemplate: number;
  readonly made: number[];
  readonly accepted: number[];
  readonly durations: Samples[];
  readonly inputTokens: Samples;
  readonly outputTokens: Samples;
  readonly fails: Map<FailureClass, number>;
}

/** What a run's last answers were like, by why it stopped, and how many of them it takes to stop it. */
const lastAnswers: Partial<Record<Reason, readonly [answers: Answers, attempts: number]>> = {
  no_progress: ['same', 2],
  oscillation: ['alternating', 3],
  contradiction: ['contradicting', 2],
  not_repairable: ['unrepairable', 1],
};

/** What each attempt of a run answered, so that a simulated one stops for the same reason after as many attempts. */
function answersOf({ reason, attempts }: DocumentRow): readonly Answers[] {
  const last = reason === null ? undefined : lastAnswers[reason];
  if (last === undefined) return ['new'];
  const [answers, needed] = last;
  return [...Array.from({ length: attempts.length - needed }, () => 'new' as const), answers];
}

/** A world in which documents arrive, take their time, fail and are mended as the stored ones did. */
export class ScenarioMeasure implements Measure {
  private readonly groups = new Map<string, Group>();
  private readonly arrivals = new Samples();
  /** Runs that ended without any reply, and those that are open and have none yet. */
  private unanswered = 0;
  private waiting = 0;

  add(document: DocumentRow): void {
    const { attempts, startedAt } = document;
    const [first] = attempts;
    this.arrivals.add(startedAt);
    if (first === undefined) {
      if (document.endedAt === null) this.waiting += 1;
      else this.unanswered += 1;
      return;
    }
    const whole = attempts.findIndex(({ failureClass }) => failureClass !== 'truncated');
    const cutOff = whole < 0 ? attempts.length : whole;
    const answers = answersOf(document);
    const last = answers.at(-1);
    const name = [
      first.failureClass ?? 'at once',
      ...(cutOff > 1 ? [`${cutOff} times`] : []),
      ...(last === undefined || last === 'new' ? [] : [last]),
      ...(answers.length > 1 ? [`from attempt ${answers.length}`] : []),
    ].join(', ');
    const group = this.groups.get(name) ?? newGroup(answers);
    this.groups.set(name, group);
    count(group, document, cutOff);
  }

  /** Null when nothing is known yet. */
  scenario(world: FittedWorld): Scenario | null {
    if (this.groups.size === 0) return null;
    const kinds = [...this.groups].sort(([one], [other]) => (one < other ? -1 : 1));
    const { phases, lineMs } = phasesOf(this.arrivals.sorted());
    return {
      says: `fitted from ${this.says()}`,
      documents: this.arrivals.count - this.waiting,
      arrivals: { kind: 'random', phases },
      stopAt: null,
      kinds: [
        ...kinds.map(([name, group]) => kindOf(name, group, world.policy)),
        ...(this.unanswered === 0 ? [] : [this.withoutReply(world.policy)]),
      ],
      planted: [],
      policy: world.policy,
      slots: world.slots,
      repairBudget: world.repairBudget,
      incidents: [],
      batchTokens: null,
      lineMs: Math.max(lineMs, secondMs),
    };
  }

  private says(): string {
    const runs = this.arrivals.count;
    // Nobody knows yet what the open ones are like.
    const those = this.waiting === 0 ? `${runs}` : `${runs - this.waiting} of ${runs}`;
    const silent = this.unanswered === 0 ? '' : `, ${this.unanswered} of them without a reply`;
    return `${those} stored runs${silent}`;
  }

  /** Documents that nobody ever read an answer to: their calls outlast every deadline, whatever it was that took so long. */
  private withoutReply({ deadlineMs }: Policy): DocumentKind {
    const groups = [...this.groups.values()];
    const inputs = groups.reduce((sum, { inputTokens }) => sum + inputTokens.count * inputTokens.mean, 0);
    const counted = groups.reduce((sum, { inputTokens }) => sum + inputTokens.count, 0);
    return {
      ...{ name: noReply, weight: this.unanswered, pass: [0], answers: ['new'], templateShare: 0 },
      ...{ inputTokens: Math.round(inputs / Math.max(1, counted)), outputTokens: 1 },
      ...{ medianMs: [2 * deadlineMs], spread: 0, fails: [{ failureClass: 'constraint', weight: 1 }] },
    };
  }
}

/** A name that no class of a first rejection has. */
const noReply = 'no reply';

function newGroup(answers: Group['answers']): Group {
  return {
    answers,
    ...{ cutOff: 0, tooLow: 0, documents: 0, exhausted: 0, toTemplate: 0 },
    ...{ made: [], accepted: [], durations: [] },
    inputTokens: new Samples(),
    outputTokens: new Samples(),
    fails: new Map(),
  };
}

function count(group: Group, { attempts, endedAt, route }: DocumentRow, cutOff: number): void {
  group.documents += 1;
  group.cutOff = cutOff;
  if (endedAt !== null && !attempts.some(({ accepted }) => accepted)) {
    group.exhausted += 1;
    if (route === 'fallback') group.toTemplate += 1;
  }
  for (const [index, attempt] of attempts.entries()) {
    group.made[index] = (group.made[index] ?? 0) + 1;
    group.accepted[index] = (group.accepted[index] ?? 0) + (attempt.accepted ? 1 : 0);
    const durations = group.durations[index] ?? new Samples();
    group.durations[index] = durations;
    durations.add(Math.max(1, attempt.busyMs) / lengthOf(attempt, index, attempts));
    if (attempt.inputTokens !== null) group.inputTokens.add(attempt.inputTokens);
    if (index < cutOff) {
      group.tooLow = Math.max(group.tooLow, attempt.maxTokens);
      continue;
    }
    if (attempt.outputTokens !== null) group.outputTokens.add(attempt.outputTokens);
    const { failureClass } = attempt;
    if (failureClass !== null) group.fails.set(failureClass, (group.fails.get(failureClass) ?? 0) + 1);
  }
}

/** A reply that was cut off was written up to its ceiling, and took so much longer than one up to the first. */
function lengthOf(
  { failureClass, maxTokens }: AttemptRow,
  index: number,
  attempts: readonly AttemptRow[],
): number {
  const first = attempts[0]?.maxTokens ?? maxTokens;
  return index > 0 && failureClass === 'truncated' && first > 0 ? maxTokens / first : 1;
}

function kindOf(name: string, group: Group, policy: Policy): DocumentKind {
  const { made, accepted, durations, inputTokens, outputTokens, tooLow, answers } = group;
  const fails = [...group.fails].map(([failureClass, weight]) => ({ failureClass, weight }));
  // Between the ceiling that was too low and the next one; beyond all of them where there is none.
  const next = policy.tokenCeilings.find((ceiling) => ceiling > tooLow) ?? tooLow * 2;
  const needed = Math.max(1, Math.round(outputTokens.mean));
  return {
    name,
    weight: group.documents,
    pass: made.map((each, index) => (accepted[index] ?? 0) / each),
    outputTokens: tooLow === 0 ? needed : Math.min(Math.max(needed, tooLow + 1), next),
    inputTokens: Math.round(inputTokens.mean),
    fails: fails.length === 0 ? [{ failureClass: 'constraint', weight: 1 }] : fails,
    medianMs: durations.map(medianOf),
    spread: spreadOfLogarithm(durations),
    answers,
    templateShare: group.exhausted === 0 ? 0 : group.toTemplate / group.exhausted,
  };
}

function medianOf(samples: Samples): number {
  const sorted = samples.sorted();
  return sorted[(sorted.length - 1) >> 1] ?? 1;
}

/** Standard deviation of the logarithm around each attempt's own median. */
function spreadOfLogarithm(durations: readonly Samples[]): number {
  let [squares, number] = [0, 0];
  for (const samples of durations) {
    const median = medianOf(samples);
    for (const each of samples.all()) {
      squares += Math.log(each / median) ** 2;
      number += 1;
    }
  }
  return Math.sqrt(squares / number);
}

/** How many arrived in each stretch, from the first on; of very many stretches the last ones. */
function phasesOf(arrivals: Float64Array): { readonly phases: readonly Phase[]; readonly lineMs: number } {
  const first = arrivals[0] ?? 0;
  const span = (arrivals.at(-1) ?? 0) - first;
  const lineMs = span < minuteMs ? secondMs : span < 2 * hourMs ? minuteMs : hourMs;
  const counts = Array.from({ length: Math.floor(span / lineMs) + 1 }, () => 0);
  for (const at of arrivals) {
    const index = Math.floor((at - first) / lineMs);
    counts[index] = (counts[index] ?? 0) + 1;
  }
  const phases = counts
    .slice(-mostPhases)
    .map((number) => ({ durationMs: lineMs, perSecond: (number * secondMs) / lineMs }));
  return { phases, lineMs };
}
