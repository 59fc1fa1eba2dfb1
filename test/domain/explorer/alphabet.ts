import type { Truncation } from '../../../src/domain/attempt-report.js';
import type { ExtractionEvent } from '../../../src/domain/event.js';
import type { FailureClass } from '../../../src/domain/failure-class.js';
import type { Fault } from '../../../src/domain/fault.js';

/** One kind of reply. `failing` and `clash` are written "rule@pointer" and "rule+rule@pointer", rules sorted. */
export interface Letter {
  readonly name: string;
  readonly is: FailureClass | 'accepted';
  readonly candidate: string | null;
  readonly failing: readonly string[];
  readonly clash: string | null;
  /** The report names the clashing rules in the other order. */
  readonly mirrored: boolean;
  readonly mendable: boolean;
  readonly cut: Truncation | null;
  readonly bytes: string | null;
}

/** What an attempt took so far, its failed calls included. */
export interface Price {
  readonly name: string;
  /** False: time passed, and nobody could tell what it cost. */
  readonly told: boolean;
  readonly ms: number;
  readonly tokens: number;
  readonly cents: number;
}

/** One thing that can happen to a run, in words of its own: the oracle reads moves, the core reads their events. */
export type Move =
  | { readonly kind: 'report'; readonly letter: Letter; readonly price: Price }
  | { readonly kind: 'fault'; readonly fault: Fault; readonly price: Price }
  | { readonly kind: 'grant' | 'deny' | 'resume' | 'cancel' | 'purse' }
  | { readonly kind: 'cap'; readonly to: number };

function letter(name: string, is: Letter['is'], more: Partial<Letter> = {}): Letter {
  return {
    name,
    is,
    candidate: null,
    failing: [],
    clash: null,
    mirrored: false,
    mendable: true,
    cut: null,
    bytes: null,
    ...more,
  };
}

const clash = 'r+s@/x';

/** Every class, three candidates, three failing sets, one contradiction in both spellings and on another field. */
export const letters: readonly Letter[] = [
  letter('ok', 'accepted', { candidate: 'Z' }),
  letter('throws', 'verifier_fault', { candidate: 'A' }),
  letter('refuses', 'refusal'),
  letter('cut', 'truncated', { cut: 'max_tokens', bytes: 'cut' }),
  letter('full', 'truncated', { cut: 'context_window' }),
  letter('x', 'parse', { bytes: 'x' }),
  letter('y', 'parse', { bytes: 'y' }),
  letter('odd', 'parse'),
  letter('void', 'empty'),
  letter('A:shape', 'schema', { candidate: 'A', failing: ['r@/y'] }),
  letter('A:r', 'constraint', { candidate: 'A', failing: ['r@/x'] }),
  letter('B:r', 'constraint', { candidate: 'B', failing: ['r@/x'] }),
  letter('B:s', 'constraint', { candidate: 'B', failing: ['r@/x', 's@/x'] }),
  letter('C:r', 'constraint', { candidate: 'C', failing: ['r@/x'] }),
  letter('A:clash', 'constraint', { candidate: 'A', failing: ['r@/x'], clash }),
  letter('B:clash', 'constraint', { candidate: 'B', failing: ['s@/x'], clash, mirrored: true }),
  letter('C:clash', 'constraint', { candidate: 'C', failing: ['r@/x'], clash: 'r+s@/y' }),
  letter('C:never', 'constraint', { candidate: 'C', failing: ['absent@/z'], mendable: false }),
];

export function letterNamed(name: string): Letter {
  const known = letters.find((one) => one.name === name);
  if (known === undefined) throw new Error(`no letter is named ${name}`);
  return known;
}

export const quick: Price = { name: 'quick', told: true, ms: 10, tokens: 100, cents: 1 };
export const slow: Price = { name: 'slow', told: true, ms: 40, tokens: 100, cents: 1 };
export const dear: Price = { name: 'dear', told: true, ms: 10, tokens: 700, cents: 70 };
/** Both at once, where telling them apart would make a world too large. */
export const heavy: Price = { name: 'heavy', told: true, ms: 40, tokens: 700, cents: 70 };
/** More than the caps of a run allow, by the calls of one attempt. */
export const ruinous: Price = { name: 'ruinous', told: true, ms: 10, tokens: 1_100, cents: 110 };
export const untold: Price = { name: 'untold', told: false, ms: 10, tokens: 0, cents: 0 };

/** The event the core is told for a move. */
export function toEvent(move: Move, attempt: number, at: number): ExtractionEvent {
  switch (move.kind) {
    case 'report':
      return { kind: 'AttemptReported', at, report: reportOf(move.letter, move.price, attempt) };
    case 'fault':
      return { kind: 'AttemptFailed', at, attempt, fault: move.fault, spending: tellOf(move.price) };
    case 'grant':
      return { kind: 'PermitGranted', at, attempt };
    case 'deny':
      return { kind: 'PermitDenied', at, attempt };
    case 'resume':
      return { kind: 'WaitEnded', at };
    case 'cancel':
      return { kind: 'CancelRequested', at };
    case 'purse':
      return { kind: 'BatchBudgetExhausted', at };
    case 'cap':
      return { kind: 'CapLowered', at, cap: move.to };
  }
}

function reportOf(reply: Letter, price: Price, attempt: number) {
  const [pair = '', pointer = ''] = (reply.clash ?? '').split('@');
  const [first = '', second = ''] = pair.split('+');
  const rules: readonly [string, string] = reply.mirrored ? [second, first] : [first, second];
  const { tokens, cost } = spendingOf(price);
  return {
    attempt,
    lane: attempt === 1 ? ('first' as const) : ('repair' as const),
    model: 'any',
    maxTokens: 1,
    promptVersion: 'p1',
    requestId: null,
    result:
      reply.is === 'accepted'
        ? { kind: 'accepted' as const, candidateHash: reply.candidate ?? '' }
        : {
            kind: 'rejected' as const,
            failureClass: reply.is,
            problems: reply.failing.map((text) => {
              const [rule = '', at = ''] = text.split('@');
              return { rule, pointer: at };
            }),
            candidateHash: reply.candidate,
            replyHash: reply.bytes,
            repairable: reply.mendable,
            contradiction: reply.clash === null ? null : { rules, pointer },
            truncation: reply.cut,
          },
    normalisations: [],
    usage: 'unknown' as const,
    tokens,
    cost,
    durationMs: price.ms,
    calls: 1,
  };
}

function tellOf(price: Price) {
  return price.told ? spendingOf(price) : null;
}

function spendingOf(price: Price) {
  const cost = { amount: (price.cents / 100).toFixed(2), currency: 'USD' };
  return { tokens: price.tokens, cost, known: true };
}
