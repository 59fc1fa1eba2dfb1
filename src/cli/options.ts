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

/** Gathers an option that can be given several times. */
export function collect(value: string, previous: readonly string[] | undefined): readonly string[] {
  return [...(previous ?? []), value];
}

export const json = () => new Option('--json', 'print JSON, one object a line');
export const tenant = () => new Option('--tenant <name>', 'only of this tenant');
export const spec = () => new Option('--spec <id>', 'only of this spec');
export const reason = () =>
  new Option('--reason <word>', 'only those that stopped for this reason').choices(reasons);
export const failureClass = () =>
  new Option('--class <word>', 'only those whose last rejected attempt was of this class').choices(
    failureClasses,
  );
export const route = () => new Option('--route <name>', 'only those that went there').choices(routeNames);
export const limit = (most: number) =>
  new Option('--limit <n>', 'at most this many').argParser(positive).default(most);
export const cursor = () => new Option('--cursor <text>', 'go on where a list before ended');
