import type { IdempotencyStore, RequestAnswer, RequestKey } from '../../../src/ports/idempotency-store.js';
import type { TrailEntry, TrailStore } from '../../../src/ports/trail-store.js';
import { pageOf } from './memory-page.js';

interface Held {
  readonly fingerprint: string;
  readonly lockedUntil: number | null;
  readonly answer: RequestAnswer | null;
  readonly at: number;
}

export interface MemoryRequests extends IdempotencyStore {
  answer(once: RequestKey, answer: RequestAnswer): void;
}

const nameOf = ({ scope, key }: RequestKey) => `${scope} ${key}`;

export function createMemoryRequests(): MemoryRequests {
  const held = new Map<string, Held>();
  return {
    claim: async ({ fingerprint, at, lockedUntil, lapsedBefore, ...name }) => {
      const before = held.get(nameOf(name));
      const isFree =
        before === undefined ||
        before.at < lapsedBefore ||
        (before.lockedUntil !== null && before.lockedUntil <= at);
      if (isFree) {
        held.set(nameOf(name), { fingerprint, lockedUntil, answer: null, at });
        return { kind: 'claimed' };
      }
      if (before.fingerprint !== fingerprint) return { kind: 'differs' };
      return before.answer === null ? { kind: 'busy' } : { kind: 'answered', answer: before.answer };
    },
    release: async ({ lockedUntil, ...name }) => {
      if (held.get(nameOf(name))?.lockedUntil === lockedUntil) held.delete(nameOf(name));
    },
    sweep: async (before) => {
      const old = [...held].filter(([, { at }]) => at < before);
      for (const [name] of old) held.delete(name);
      return old.length;
    },
    answer: (once, answer) => {
      const claim = held.get(nameOf(once));
      if (claim !== undefined && claim.lockedUntil !== null)
        held.set(nameOf(once), { ...claim, lockedUntil: null, answer });
    },
  };
}

export function createMemoryTrail(): TrailStore {
  const entries: TrailEntry[] = [];
  const placeOf = (id: number) => entries.findIndex((entry) => entry.id === id);
  let last = 0;
  return {
    add: async (entry) => {
      last += 1;
      entries.push({ ...entry, id: last });
      return last;
    },
    settle: async (id, known) => {
      const entry = entries[placeOf(id)];
      if (entry !== undefined) entries[placeOf(id)] = { ...entry, ...known };
    },
    drop: async (id) => {
      entries.splice(placeOf(id), 1);
    },
    list: async ({ since = 0, until = Number.POSITIVE_INFINITY, ...same }, page) =>
      pageOf(
        entries
          .filter(
            (entry) =>
              entry.at >= since &&
              entry.at < until &&
              Object.entries(same).every(
                ([name, value]) => value === undefined || entry[name as keyof typeof same] === value,
              ),
          )
          .reverse(),
        page,
      ),
  };
}
