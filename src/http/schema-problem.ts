import type { z } from '@hono/zod-openapi';
import type { RequestFault } from '../application/application-error.js';
import type { Refusal } from './problem.js';

type Issue = z.core.$ZodIssue;

/** Faults that a schema found, as one problem: 422 for a body, 400 for a path, a query or a header. */
export function schemaProblem(target: string, issues: readonly Issue[]): Refusal {
  return faultsProblem(target, issues.flatMap(faultsOf));
}

/** The same for faults that were found otherwise. */
export function faultsProblem(target: string, faults: readonly RequestFault[]): Refusal {
  const errors = faults.slice(0, mostFaults);
  const isBody = target === 'json' || target === 'form';
  return {
    slug: isBody ? 'invalid-request' : 'invalid-parameter',
    detail: errors
      .map(({ pointer, detail }) => (pointer === '' ? detail : `${pointer}: ${detail}`))
      .join(' '),
    errors,
  };
}

/** Names of fields that a caller made up are repeated, but not without end. */
const mostFaults = 20;
const longestName = 64;

/** One step of an RFC 6901 pointer. */
function pointerStep(key: string): string {
  return `/${cut(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

function cut(name: string): string {
  return [...name].slice(0, longestName).join('');
}

/** Of a union, what the branch says that has the fields which came; where none or several have, what the union says of itself. */
function faultsOf(issue: Issue): readonly RequestFault[] {
  const at = issue.path.map((key) => pointerStep(String(key))).join('');
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const branches = issue.errors.toSorted((left, right) => strangeness(left) - strangeness(right));
    const [closest = [], next = []] = branches;
    const inner = closest.flatMap(faultsOf);
    const isClear = strangeness(closest) === 0 || strangeness(closest) < strangeness(next);
    if (inner.length > 0 && (isClear || ownWords.test(issue.message)))
      return inner.map(({ pointer, detail }) => ({ pointer: at + pointer, detail }));
  }
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.slice(0, mostFaults).map((key) => unknownField(at, key));
  }
  return [{ pointer: at, detail: sentenceOf(issue) }];
}

/** A name that a caller made up, in a sentence. */
export function quoted(name: string): string {
  return JSON.stringify(cut(name));
}

/** What is said of a field or parameter that is not there. */
export function unknownField(at: string, name: string, kind = 'field'): RequestFault {
  return {
    pointer: `${at}${pointerStep(name)}`,
    detail: `There is no ${kind} ${quoted(name)} here.`,
  };
}

/** How little a branch has to do with what came: fields that it lacks or does not know, and another kind of value altogether most. */
function strangeness(issues: readonly Issue[]): number {
  return issues.reduce((sum, issue) => {
    if (issue.code === 'unrecognized_keys') return sum + issue.keys.length;
    if (issue.code !== 'invalid_type') return sum;
    return sum + (issue.path.length === 0 ? mostFaults : Number(/received undefined$/.test(issue.message)));
  }, 0);
}

/** zod's own words, as opposed to a sentence that a schema brings along. */
const ownWords = /^(Invalid|Too big|Too small|Unrecognized)/;

/** One sentence in our own words: what it must be, never what was sent. */
function sentenceOf(issue: Issue): string {
  const { message } = issue;
  if (!ownWords.test(message)) return `${message.replace(/\.$/, '')}.`;
  if (/received undefined$/.test(message)) return 'It is needed, and missing.';
  switch (issue.code) {
    case 'invalid_type':
      return `It must be ${kinds[issue.expected] ?? 'something else'}.`;
    case 'invalid_value':
      return `It must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}.`;
    case 'too_small':
      return `It must ${amount(issue.origin, issue.inclusive === false ? 'more than' : 'at least', issue.minimum)}.`;
    case 'too_big':
      return `It must ${amount(issue.origin, issue.inclusive === false ? 'less than' : 'at most', issue.maximum)}.`;
    case 'invalid_format':
      return `It must be ${formats[issue.format] ?? 'written in another form'}.`;
    case 'not_multiple_of':
      return `It must be a multiple of ${issue.divisor}.`;
    default:
      return 'It has none of the forms that are allowed here.';
  }
}

const kinds: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  file: 'a file',
  null: 'null',
  undefined: 'left out',
};

const formats: Readonly<Record<string, string>> = {
  base64: 'base64',
  datetime: 'an instant such as 2026-03-01T00:00:00Z',
  date: 'a day such as 2026-03-01',
  url: 'a URL',
  uuid: 'a UUID',
};

function amount(origin: string, how: string, bound: number | bigint): string {
  const one = Number(bound) === 1;
  if (origin === 'string') return `have ${how} ${bound} ${one ? 'character' : 'characters'}`;
  if (origin === 'array' || origin === 'set') return `have ${how} ${bound} ${one ? 'entry' : 'entries'}`;
  return `be ${how} ${bound}`;
}
