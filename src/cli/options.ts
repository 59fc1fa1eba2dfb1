import { InvalidArgumentError, Option } from 'commander';
import { failureClasses } from '../domain/failure-class.js';
import { reasons } from '../domain/reason.js';
import { routeNames } from '../domain/route.js';

/** A whole number from 1, as an option's value. */
export function positive(text: string): number {
  const value = Number(text);
  if (/^\d{1,9}$/.test(text) && value >= 1) return value;
  throw new InvalidArgumentError('It must be a whole number of at least 1.');
}

/** A whole number from 0, as an option's value. */
export function wholeNumber(text: string): number {
  if (/^\d{1,10}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number, 0 or more.');
}

/** A day or an instant of ISO 8601 as epoch milliseconds; without a zone it is meant in UTC. */
export function instant(text: string): number {
  const [, day, time = 'T00:00:00', zone = 'Z'] =
    /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?)?(Z|[+-]\d{2}:\d{2})?$/.exec(text) ?? [];
  const at = Date.parse(`${day}${time}${zone}`);
  // Some calendars roll 31 February over into March.
  const isDay = Number.isFinite(at) && new Date(`${day}T00:00:00Z`).toISOString().startsWith(`${day}T`);
  if (isDay) return at;
  throw new InvalidArgumentError(
    'It must be a day such as 2026-03-01, or an instant such as 2026-03-01T12:00Z.',
  );
}

/** The id of a spec, as an option's value. */
export function specId(text: string): string {
  if (!/[./\\]/.test(text)) return text;
  throw new InvalidArgumentError(
    `It is a file and not the id of a spec: "extract" and "batch" take --spec-file ${text}, everything else knows it by ENDSTOP_SPECS=${text}.`,
  );
}

/** The code of a currency, as an option's value. */
export function currency(text: string): string {
  if (/^[A-Z]{3}$/.test(text)) return text;
  throw new InvalidArgumentError('It must be three capital letters such as USD.');
}

/** Words of a list as an option's values, apart or with commas between them. */
export function wordsOf<Word extends string>(known: readonly Word[]) {
  return (text: string, before: readonly Word[] | undefined): readonly Word[] => {
    const words = text.split(',').map((word) => word.trim());
    const isKnown = (word: string): word is Word => known.some((each) => each === word);
    if (words.every(isKnown)) return [...(before ?? []), ...words];
    throw new InvalidArgumentError(`Allowed choices are ${known.join(', ')}.`);
  };
}

/** Gathers an option that can be given several times. */
export function collect(value: string, previous: readonly string[] | undefined): readonly string[] {
  return [...(previous ?? []), value];
}

export const json = () => new Option('--json', 'print JSON, one object a line');
/** What is read is of all tenants unless one is named; what is handed in or erased is of ENDSTOP_TENANT. */
export const tenant = (unsaid = 'all, without evaluations') =>
  new Option('--tenant <name>', `only of this tenant (default: ${unsaid})`);
/** One name and one meaning wherever right answers are read. */
export const truthSet = (what: string) =>
  new Option(
    '--truth <folder>',
    `${what}: a folder with files/ and truth/ (default: the samples, for the example specs)`,
  );
export const spec = () => {
  const option = new Option('--spec <id>', 'only of this spec').argParser(specId);
  specFilters.add(option);
  return option;
};
const specFilters = new WeakSet<Option>();
/** Whether an option selects by a spec, which then must be known. */
export const isSpecFilter = (option: Option): boolean => specFilters.has(option);
export const reason = () =>
  new Option(
    '--reason <word>',
    'only those that stopped for this reason ("help words" explains them)',
  ).choices(reasons);
export const failureClass = () =>
  new Option(
    '--class <word>',
    'only those whose last rejected attempt was of this class ("help words")',
  ).choices(failureClasses);
export const route = () => new Option('--route <name>', 'only those that went there').choices(routeNames);
export const limit = (most: number) =>
  new Option('--limit <n>', 'at most this many').argParser(positive).default(most);
export const cursor = () => new Option('--cursor <text>', 'go on where a list before ended');
export const all = () => new Option('--all', 'the whole list, however long').conflicts('cursor');
