import type {
  DeadLetter,
  DeadLetterFilter,
  DeadLetterGroup,
  DeadLetterStore,
} from '../../../src/ports/dead-letter-store.js';
import type { Extraction, NewExtraction, Opening } from '../../../src/ports/extraction-store.js';
import { BadCursor } from '../../../src/ports/page.js';
import { byPrefix, isOfTenant } from './memory-page.js';

/** Dead letters over the rows of a memory store. */
export function createMemoryLetters(
  letters: Map<string, DeadLetter>,
  rows: readonly Extraction[],
  open: (extraction: NewExtraction, redrive: boolean) => Opening,
): DeadLetterStore {
  const rowOf = (id: { key: string; run: number } | null) =>
    rows.find(({ key, run }) => key === id?.key && run === id.run);
  const isOfBatch = (letter: DeadLetter, batchId: string | null | undefined) =>
    batchId != null && [letter, letter.redrivenInto].some((id) => rowOf(id)?.batchId === batchId);
  const selected = (filter: DeadLetterFilter) =>
    [...letters.values()]
      .filter((letter) => fits(letter, filter))
      .filter((letter) => !isOfBatch(letter, filter.notOfBatch))
      .sort((left, right) => (placeOf(left) < placeOf(right) ? -1 : 1));
  return {
    find: async (key) => byPrefix([...letters.values()], key, (letter) => letter.key),
    // The cursor names a place in the order, so that letters that leave the list move nothing.
    list: async (filter, { limit, cursor }) => {
      if (cursor !== undefined && !/^\d{15} /.test(cursor)) throw new BadCursor();
      const rest = selected(filter).filter((letter) => cursor === undefined || placeOf(letter) > cursor);
      const items = rest.slice(0, limit);
      const last = items.at(-1);
      return { items, nextCursor: rest.length > limit && last !== undefined ? placeOf(last) : null };
    },
    groups: async (filter) => {
      const groups = new Map<string, DeadLetterGroup>();
      for (const letter of selected({ ...filter, state: 'parked' })) {
        const { specId, reason, failureClass, promptVersion, schemaVersion, at } = letter;
        const alike = { specId, reason, failureClass, promptVersion, schemaVersion };
        const name = JSON.stringify(alike);
        const group = groups.get(name) ?? { ...alike, count: 0, oldestAt: at };
        groups.set(name, { ...group, count: group.count + 1 });
      }
      return [...groups.values()];
    },
    take: async (key, into) => {
      const letter = letters.get(key);
      if (letter?.state !== 'parked' || isOfBatch(letter, into.batchId)) return { kind: 'not_parked' };
      const opening = open(into, true);
      const { key: intoKey, run } = opening.extraction;
      const state = opening.kind === 'closed' ? 'recovered' : 'redriven';
      letters.set(key, { ...letter, state, redrivenInto: { key: intoKey, run } });
      return opening;
    },
    settle: async () => {
      const settled = { parked: 0, recovered: 0, more: false };
      for (const letter of letters.values()) {
        const run = rowOf(letter.redrivenInto);
        if (letter.state !== 'redriven' || run?.state === 'open') continue;
        const state = run?.outcome === 'verified' ? 'recovered' : 'parked';
        if (state === 'parked' && run !== undefined && run.reason !== 'cancelled') continue;
        letters.set(letter.key, { ...letter, state });
        settled[state] += 1;
      }
      return settled;
    },
  };
}

function fits(letter: DeadLetter, filter: DeadLetterFilter): boolean {
  const { state = 'parked', parkedUpTo = Number.POSITIVE_INFINITY, notOfBatch: _, ...columns } = filter;
  const same = Object.entries(columns).every(
    ([name, value]) => value === undefined || letter[name as keyof typeof columns] === value,
  );
  return same && isOfTenant(letter.tenant, filter) && letter.state === state && letter.at <= parkedUpTo;
}

const placeOf = ({ at, key }: DeadLetter) => `${String(at).padStart(15, '0')} ${key}`;
