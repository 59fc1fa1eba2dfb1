export type Value = number | string | null;

/** One number of a report, an element for each place it stands at. */
export interface HandWorked {
  /** Worked out by hand. */
  readonly is: readonly Value[];
  /** What a tempting definition makes of the same; null for what is told to the report and not measured. */
  readonly not: readonly Value[] | null;
  /** Of many places, those that were worked out; all unless told. */
  readonly at?: readonly number[];
}

export type HandWorkedNumbers = Readonly<Record<string, HandWorked>>;

export const given = (...is: Value[]): HandWorked => ({ is, not: null });
export const number = (is: Value[], not: Value[], at?: readonly number[]): HandWorked =>
  at === undefined ? { is, not } : { is, not, at };

/** Text that is a number all the same: money, and instants of lines and windows. */
const toldAsText = new Set(['amount', 'from', 'until']);

/** Every number of a value by where it stands, `[]` for any place of a list; null where `numbers` expects one. */
export function numbersIn(value: unknown, numbers: HandWorkedNumbers): Map<string, Value[]> {
  const found = new Map<string, Value[]>();
  const keep = (at: string, each: Value) => found.set(at, [...(found.get(at) ?? []), each]);
  const look = (each: unknown, at: string) => {
    if (Array.isArray(each)) {
      for (const one of each) look(one, `${at}[]`);
    } else if (each !== null && typeof each === 'object') {
      for (const [name, one] of Object.entries(each)) look(one, at === '' ? name : `${at}.${name}`);
    } else if (typeof each === 'number' || (each === null && at in numbers)) {
      keep(at, each);
    } else if (typeof each === 'string' && toldAsText.has(at.split('.').at(-1) ?? '') && /^\d/.test(each)) {
      keep(at, each);
    }
  };
  look(value, '');
  return found;
}

/** The same to twelve digits. */
function isSame(one: Value | undefined, other: Value | undefined): boolean {
  if (typeof one !== 'number' || typeof other !== 'number') return one === other;
  return Math.abs(one - other) <= 1e-12 * Math.max(1, Math.abs(other));
}

export function areSame(
  some: readonly (Value | undefined)[],
  others: readonly (Value | undefined)[],
): boolean {
  return some.length === others.length && some.every((each, index) => isSame(each, others[index]));
}
