import type { decide } from '../../../src/domain/decide.js';
import type { Decision } from '../../../src/domain/decision.js';
import type { evolve } from '../../../src/domain/evolve.js';
import type { Fault } from '../../../src/domain/fault.js';
import type { initialState } from '../../../src/domain/initial-state.js';
import type { Reason } from '../../../src/domain/reason.js';
import type { ExtractionState } from '../../../src/domain/state.js';
import { samplePolicy } from '../sample-policy.js';
import { type Letter, type Move, type Price, quick, toEvent } from './alphabet.js';
import { answer, type Bounds, begin, digest, type Story, tell } from './oracle.js';

/** The three functions under test, so that a deliberately broken core can be explored too. */
export interface Core {
  readonly initialState: typeof initialState;
  readonly decide: typeof decide;
  readonly evolve: typeof evolve;
}

/** What may happen, and how long it may take. */
export interface World {
  readonly bounds: Bounds;
  readonly letters: readonly Letter[];
  readonly prices: readonly Price[];
  readonly faults: readonly (readonly [Fault, Price])[];
  /** How late the loop may ask for the first time. */
  readonly starts: readonly number[];
  /** How long a permit may take. */
  readonly permits: readonly number[];
  /** Caps a batch may ask for: lower ones, and one it must not get. */
  readonly lowerings: readonly number[];
}

export interface Findings {
  states: number;
  transitions: number;
  paths: number;
  readonly reasons: Set<Reason | 'verified'>;
}

/** What the loop around the core is waiting for. */
type Phase = 'start' | 'attempt' | 'permit' | 'wait';

interface Node {
  readonly phase: Phase;
  readonly state: ExtractionState;
  readonly story: Story;
  readonly now: number;
}

const startedAt = 1_000_000;
const permitAnswers: readonly Move[] = [{ kind: 'grant' }, { kind: 'deny' }];

/**
 * Walks every sequence of moves that a world allows: each attempt, permit and timer reports, signals come at any time
 * and may repeat, late events come after the end. Non-leaf nodes are walked once. Throws at the first transition
 * that differs from the oracle or breaks a promise, with the moves that led there.
 */
export function explore(core: Core, world: World): Findings {
  const findings: Findings = { states: 0, transitions: 0, paths: 0, reasons: new Set() };
  const walked = new Map<string, number>();
  const trail: string[] = [];
  const { bounds } = world;
  const signals: readonly Move[] = [
    { kind: 'cancel' },
    { kind: 'purse' },
    ...world.lowerings.map((to): Move => ({ kind: 'cap', to })),
  ];
  const calls: readonly Move[] = [
    ...world.letters.flatMap((letter) =>
      world.prices.map((price): Move => ({ kind: 'report', letter, price })),
    ),
    ...world.faults.map(([fault, price]): Move => ({ kind: 'fault', fault, price })),
  ];
  const late = (made: Move) =>
    [nameOf(made), toEvent(made, bounds.cap, startedAt + bounds.deadlineMs)] as const;
  const lateSignals = signals.map(late);
  const lateEvents = [...signals, ...permitAnswers, { kind: 'resume' } as const, ...calls].map(late);
  const longest = 1 + 2 * bounds.cap + 2 * Math.ceil(bounds.patienceMs / Math.max(1, bounds.pauseMs));

  function fail(says: string): never {
    throw new Error(`${says}\n  after ${trail.join(', ') || 'nothing'}\n  under ${JSON.stringify(bounds)}`);
  }

  /** The core and the oracle must give the same answer, at any moment; the answer must keep the promises. */
  function ask({ state, story, now }: Node): Decision {
    const decision = core.decide(state, startedAt + now);
    const expected = answer(story, now);
    if (!isSame(decision, expected)) {
      fail(`decided ${JSON.stringify(decision)} where the table says ${JSON.stringify(expected)}`);
    }
    if (decision.kind !== 'land') keepsPromises(decision, story, now);
    return decision;
  }

  function keepsPromises(decision: Decision, story: Story, now: number): void {
    const last = story.replies.at(-1)?.letter;
    if (last?.is === 'refusal') fail('went on after a refusal');
    if (last?.cut === 'context_window') fail('went on after a ceiling hit');
    if (story.cancelled) fail('went on after a cancel');
    if (story.replies.length >= story.cap) fail('went on above the cap in force');
    if (decision.kind === 'wait') {
      if (decision.pauseMs < 1) fail('waited for nothing');
      if (now + decision.pauseMs > bounds.deadlineMs) fail('waited past the deadline');
      if (story.pausedMs > bounds.patienceMs) fail('waited longer than the patience');
    }
    if (decision.kind === 'attempt') {
      if (decision.attempt > story.cap) fail('started an attempt above the cap in force');
      if (now + decision.estimateMs > bounds.deadlineMs) fail('started an attempt that passes the deadline');
    }
  }

  function move(node: Node, made: Move, now: number): Node {
    findings.transitions += 1;
    const attempt = node.story.replies.length + 1;
    const state = core.evolve(node.state, toEvent(made, attempt, startedAt + now));
    if (state.cap > node.state.cap || state.cap < 1) fail(`${nameOf(made)} moved the cap to ${state.cap}`);
    if (state.maxTokens < node.state.maxTokens) fail(`${nameOf(made)} lowered the ceiling`);
    if (made.kind !== 'report' && state.attempts !== node.state.attempts)
      fail(`${nameOf(made)} counted as an attempt`);
    return { ...node, state, story: tell(node.story, made, now), now };
  }

  /** Follows the loop after it asked: on into the next phase, or to the end of a path. */
  function follow(node: Node, depth: number): number {
    const decision = ask(node);
    if (decision.kind !== 'land') return walk({ ...node, phase: decision.kind }, depth);
    const { ending } = decision;
    findings.reasons.add(ending.kind === 'verified' ? 'verified' : ending.reason);
    staysEnded(node);
    return 1;
  }

  /** After an ending by event nothing changes at all; after one by the clock no signal brings the run back. */
  function staysEnded(node: Node): void {
    if (node.state.ending !== null) {
      for (const [name, event] of lateEvents) {
        if (core.evolve(node.state, event) !== node.state) fail(`${name} after the end changed the run`);
      }
      return;
    }
    for (const [name, event] of lateSignals) {
      const state = core.evolve(node.state, event);
      if (core.decide(state, startedAt + node.now + 1).kind !== 'land') {
        fail(`${name} after the end brought the run back`);
      }
    }
  }

  function walk(node: Node, depth: number): number {
    if (depth > longest) fail(`did not end within ${longest} moves`);
    const key = `${node.phase}|${node.now}|${digest(node.story)}|${JSON.stringify({ ...node.state, policy: null })}`;
    const known = walked.get(key);
    if (known !== undefined) return known;
    findings.states += 1;
    survivesJson(node);
    let paths = 0;
    for (const signal of signals) {
      const after = move(node, signal, node.now);
      trail.push(nameOf(signal));
      const decision = ask(after);
      if (after.story === node.story) {
        if (!isSame(after.state, node.state)) fail('a repeated signal changed the run');
      } else {
        // The loop may wake up from a pause and land, or be told only when what it waits for reports.
        if (node.phase === 'wait' && decision.kind === 'land') paths += follow(after, depth);
        paths += walk(after, depth);
      }
      trail.pop();
    }
    for (const [made, takesMs] of movesOf(node)) {
      trail.push(made === null ? 'begin' : nameOf(made));
      const now = node.now + takesMs;
      paths += follow(made === null ? { ...node, now } : move(node, made, now), depth + 1);
      trail.pop();
    }
    walked.set(key, paths);
    return paths;
  }

  /** What the awaited thing may bring, each with the time it takes. */
  function movesOf(node: Node): readonly (readonly [Move | null, number])[] {
    switch (node.phase) {
      case 'start':
        return world.starts.map((delay) => [null, delay] as const);
      case 'permit':
        return [
          ...world.permits.flatMap((delay) => permitAnswers.map((made) => [made, delay] as const)),
          // Asking can fail too: the store that holds the budget is out of reach.
          [{ kind: 'fault', fault: 'store_unavailable', price: quick }, quick.ms],
        ];
      case 'wait':
        return [[{ kind: 'resume' }, (node.story.pausedUntil ?? node.now) - node.now]];
      case 'attempt':
        return calls.map(
          (call) => [call, call.kind === 'report' || call.kind === 'fault' ? call.price.ms : 0] as const,
        );
    }
  }

  function survivesJson(node: Node): void {
    const copy: ExtractionState = JSON.parse(JSON.stringify(node.state));
    if (!isSame(copy, node.state)) fail('the state is not plain JSON data');
  }

  const state = core.initialState(policyOf(bounds), startedAt);
  findings.paths = walk({ phase: 'start', state, story: begin(bounds), now: 0 }, 0);
  return findings;
}

export function policyOf(bounds: Bounds) {
  return samplePolicy({
    attemptCap: bounds.cap,
    deadlineMs: bounds.deadlineMs,
    tokenCap: bounds.tokenCap,
    moneyCap: bounds.centCap === null ? null : { amount: (bounds.centCap / 100).toFixed(2), currency: 'USD' },
    tokenCeilings: bounds.ceilings,
    outage: { patienceMs: bounds.patienceMs, pauseMs: bounds.pauseMs },
    estimateMs: bounds.priors,
    models: ['any'],
  });
}

function nameOf(move: Move): string {
  if (move.kind === 'report') return `${move.letter.name}/${move.price.name}`;
  if (move.kind === 'fault') return `${move.fault}${move.price === quick ? '' : `/${move.price.name}`}`;
  return move.kind === 'cap' ? `cap ${move.to}` : move.kind;
}

type Plain = Readonly<Record<string, unknown>>;

/** Equality of plain data. Written out, because it runs millions of times. */
function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  let names = 0;
  for (const name in a) {
    if (!(name in b) || !isSame((a as Plain)[name], (b as Plain)[name])) return false;
    names += 1;
  }
  return names === Object.keys(b).length;
}
