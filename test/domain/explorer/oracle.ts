import type { Decision, Diagnosis, Feedback } from '../../../src/domain/decision.js';
import type { Reason } from '../../../src/domain/reason.js';
import type { Letter, Move, Price } from './alphabet.js';

/*
 * The decision tables once more, as tables over the story of a run. Written apart from the core on purpose: it keeps
 * the whole story and looks back over it, where the core folds it into a state. It shares types and nothing else.
 * Not repeated here, and so judged by the given / when / then specs alone: models per index, decimal money.
 */

/** The bounds of a small run. Whole numbers; money in cents. */
export interface Bounds {
  readonly cap: number;
  readonly deadlineMs: number;
  readonly tokenCap: number;
  readonly centCap: number | null;
  readonly ceilings: readonly number[];
  readonly priors: readonly number[];
  readonly patienceMs: number;
  readonly pauseMs: number;
}

export interface Story {
  readonly bounds: Bounds;
  readonly replies: readonly { readonly letter: Letter; readonly price: Price }[];
  /** What attempt 1, 2, ... said last that its calls took, failed ones too. */
  readonly bills: readonly Price[];
  readonly cap: number;
  readonly cancelled: boolean;
  readonly purseEmpty: boolean;
  /** Answers of the repair budget: "2+" is attempt 2 granted, "2-" denied. */
  readonly permits: string;
  readonly pausedMs: number;
  readonly pausedUntil: number | null;
  /** Set by an event that ended the run. */
  readonly end: Decision | null;
}

type Row = readonly [reason: Reason, holds: (story: Story, now: number) => boolean];

const afterReply: readonly Row[] = [
  ['cancelled', (story) => story.cancelled],
  ['verifier_fault', (story) => lastLetter(story).is === 'verifier_fault'],
  ['refusal', (story) => lastLetter(story).is === 'refusal'],
  ['token_ceiling', (story) => lastLetter(story).cut === 'context_window'],
  ['token_ceiling', (story) => isCut(lastLetter(story)) && cuts(story) >= story.bounds.ceilings.length],
  ['contradiction', (story) => isWhole(lastLetter(story)) && clashesAgain(wholes(story))],
  ['no_progress', (story) => isWhole(lastLetter(story)) && repeats(wholes(story).map((l) => l.candidate))],
  ['no_progress', (story) => lastLetter(story).is === 'parse' && repeats(unparsed(story))],
  ['oscillation', (story) => isWhole(lastLetter(story)) && cycle(wholes(story)) !== null],
  ['not_repairable', (story) => !lastLetter(story).mendable],
  ['token_cap', overspent],
  [
    'empty_reply',
    (story) => repeats(story.replies.map(({ letter }) => letter.is)) && lastLetter(story).is === 'empty',
  ],
];

const beforePause: readonly Row[] = [
  ['cancelled', (story) => story.cancelled],
  ['batch_budget', (story) => story.purseEmpty && story.replies.length === 0],
  ['attempt_cap', (story) => story.replies.length >= story.cap],
  ['token_cap', overspent],
];

const beforeCall: readonly Row[] = [
  ['deadline', (story, now) => now + estimate(story) > story.bounds.deadlineMs],
  ['repair_budget', (story) => story.permits.includes(`${next(story)}-`)],
];

export function begin(bounds: Bounds): Story {
  return {
    bounds,
    replies: [],
    bills: [],
    cap: bounds.cap,
    cancelled: false,
    purseEmpty: false,
    permits: '',
    pausedMs: 0,
    pausedUntil: null,
    end: null,
  };
}

/** Adds a move, made at `at` (ms since the start), to the story. Returns the same story when it adds nothing. */
export function tell(story: Story, move: Move, at: number): Story {
  if (story.end !== null) return story;
  switch (move.kind) {
    case 'report': {
      const told = { ...billed(story, move.price), replies: [...story.replies, move] };
      if (move.letter.is === 'accepted') {
        return {
          ...told,
          end: { kind: 'land', ending: { kind: 'verified', attempts: told.replies.length } },
        };
      }
      const row = firstOf(afterReply, told, at);
      return row === null ? told : { ...told, end: stop(told, row, diagnose(told, row)) };
    }
    case 'fault': {
      const told = billed(story, move.price);
      const pause = Math.min(Math.max(story.bounds.pauseMs, 1), story.bounds.patienceMs - story.pausedMs);
      if (story.cancelled) return { ...told, end: stop(told, 'cancelled') };
      if (move.fault !== 'provider_unavailable') return { ...told, end: stop(told, move.fault) };
      if (pause <= 0 || at + pause + estimate(told) > told.bounds.deadlineMs) {
        return { ...told, end: stop(told, 'provider_unavailable') };
      }
      return { ...told, pausedMs: told.pausedMs + pause, pausedUntil: at + pause };
    }
    case 'grant':
      return { ...story, permits: `${story.permits}${next(story)}+` };
    case 'deny':
      return { ...story, permits: `${story.permits}${next(story)}-` };
    case 'resume':
      return story.pausedUntil === null ? story : { ...story, pausedUntil: null };
    case 'cancel':
      return story.cancelled ? story : { ...story, cancelled: true };
    case 'purse':
      return story.purseEmpty ? story : { ...story, purseEmpty: true, cap: 1 };
    case 'cap': {
      const cap = Math.max(1, Math.min(story.cap, move.to));
      return cap === story.cap ? story : { ...story, cap };
    }
  }
}

/** What must be decided when asked at `now`. */
export function answer(story: Story, now: number): Decision {
  if (story.end !== null) return story.end;
  const early = firstOf(beforePause, story, now);
  if (early !== null) return stop(story, early);
  if (story.pausedUntil !== null && story.pausedUntil > now) {
    return { kind: 'wait', pauseMs: story.pausedUntil - now };
  }
  const late = firstOf(beforeCall, story, now);
  if (late !== null) return stop(story, late);
  const attempt = next(story);
  if (attempt > 1 && !story.permits.includes(`${attempt}+`)) return { kind: 'permit', attempt };
  return {
    kind: 'attempt',
    attempt,
    lane: attempt > 1 ? 'repair' : 'first',
    model: 'any',
    maxTokens: ceilingAfter(story, cuts(story)),
    feedback: feedback(story),
    estimateMs: estimate(story),
  };
}

/** Everything a later answer may depend on, as text. */
export function digest(story: Story): string {
  const replies = story.replies.map(({ letter, price }) => `${letter.name}/${price.name}`).join(' ');
  const flags = `${story.cancelled ? 'c' : ''}${story.purseEmpty ? 'p' : ''}`;
  return `${replies};${story.bills.at(story.replies.length)?.name};${story.cap};${flags};${story.permits};${story.pausedMs};${story.pausedUntil}`;
}

function firstOf(table: readonly Row[], story: Story, now: number): Reason | null {
  return table.find(([, holds]) => holds(story, now))?.[0] ?? null;
}

function stop(story: Story, reason: Reason, diagnosis: Diagnosis | null = null): Decision {
  const attempts = story.replies.length;
  const is = story.replies.at(-1)?.letter.is ?? null;
  const failureClass = is === 'accepted' ? null : is;
  return {
    kind: 'land',
    ending: { kind: 'unverified', attempts, reason, failureClass, diagnosis, repliesRead: attempts },
  };
}

/** The attempt under way hands in its bill, which takes the place of the one before. */
function billed(story: Story, price: Price): Story {
  if (!price.told) return story;
  return { ...story, bills: [...story.bills.slice(0, story.replies.length), price] };
}

function overspent({ bounds, bills }: Story): boolean {
  const tokens = bills.reduce((sum, bill) => sum + bill.tokens, 0);
  const cents = bills.reduce((sum, bill) => sum + bill.cents, 0);
  return tokens > bounds.tokenCap || (bounds.centCap !== null && cents > bounds.centCap);
}

const next = (story: Story) => story.replies.length + 1;
const isCut = (letter: Letter) => letter.is === 'truncated';
const isWhole = (letter: Letter) => letter.candidate !== null;
const cuts = (story: Story) => story.replies.filter(({ letter }) => isCut(letter)).length;
const unparsed = (story: Story) =>
  story.replies.flatMap(({ letter }) =>
    letter.is === 'parse' && letter.bytes !== null ? [letter.bytes] : [],
  );
const ceilingAfter = (story: Story, cutsSoFar: number) => story.bounds.ceilings[cutsSoFar] ?? 0;

function lastLetter(story: Story): Letter {
  const reply = story.replies.at(-1);
  if (reply === undefined) throw new Error('the table after a reply was read without one');
  return reply.letter;
}

function wholes(story: Story): readonly Letter[] {
  return story.replies.map(({ letter }) => letter).filter(isWhole);
}

/** The last two are the same. */
function repeats(texts: readonly (string | null)[]): boolean {
  return texts.length > 1 && texts.at(-1) === texts.at(-2);
}

function clashesAgain(all: readonly Letter[]): boolean {
  return all.at(-1)?.clash !== null && repeats(all.map(({ clash }) => clash));
}

/** From the latest earlier candidate that equals the last one, by value or by failing rules, with another between. */
function cycle(all: readonly Letter[]): readonly Letter[] | null {
  const keys = [all.map(({ candidate }) => candidate), all.map(({ failing }) => failing.join())];
  const starts = keys.map((key) => {
    const end = key.length - 1;
    for (let start = end - 2; start >= 0; start -= 1) {
      if (key[start] === key[end] && key.slice(start, end).some((between) => between !== key[end]))
        return start;
    }
    return -1;
  });
  const start = Math.max(...starts);
  return start < 0 ? null : all.slice(start);
}

function diagnose(story: Story, reason: Reason): Diagnosis | null {
  if (reason === 'contradiction') {
    const { clash, mirrored } = lastLetter(story);
    const [pair = '', pointer = ''] = (clash ?? '').split('@');
    const [first = '', second = ''] = pair.split('+');
    return { kind: 'contradiction', rules: mirrored ? [second, first] : [first, second], pointer };
  }
  if (reason !== 'oscillation') return null;
  const sets = (cycle(wholes(story)) ?? []).map(({ failing }) => failing);
  const all = [...new Set(sets.flat())];
  const moving = all.filter((problem) => !sets.every((set) => set.includes(problem)));
  const named = moving.length > 0 ? moving : all;
  return { kind: 'oscillation', rules: [...new Set(named.map((text) => text.split('@')[0] ?? ''))].sort() };
}

/** What the last reply that was not cut off calls for. */
function feedback(story: Story): Feedback {
  for (let attempt = story.replies.length; attempt > 0; attempt -= 1) {
    const is = story.replies[attempt - 1]?.letter.is;
    if (is === 'parse' || is === 'empty') return { kind: 'format' };
    if (is !== 'truncated') return { kind: 'problems', ofAttempt: attempt };
  }
  return { kind: 'none' };
}

function estimate(story: Story): number {
  const { priors } = story.bounds;
  const prior = priors[story.replies.length] ?? priors[priors.length - 1] ?? 0;
  const longest = Math.max(prior, ...story.replies.map(({ price }) => price.ms));
  const last = story.replies.at(-1);
  if (last === undefined || !isCut(last.letter)) return longest;
  const cutsSoFar = cuts(story);
  return Math.ceil((longest * ceilingAfter(story, cutsSoFar)) / ceilingAfter(story, cutsSoFar - 1));
}
